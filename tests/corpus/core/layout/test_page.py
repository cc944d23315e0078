from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from corpus.core.layout.columns import regions_of
from corpus.core.layout.line import Cell, Rect, lines_of
from corpus.core.layout.outline import implausible
from corpus.core.layout.page import Part, parts_of, turned

WIDTH, HEIGHT = 600.0, 800.0


def cell(index: int, text: str, left: float, top: float, *, size: float = 10.0, font: str = "Times", wide: float = 5.0) -> Cell:
    return Cell(index, text, Rect(left, top, left + wide * len(text), top + size), font)


def column(first: int, left: float, top: float, words: str, count: int) -> list[Cell]:
    return [
        cell(first + line, f"{words} line {line:02d} of this column ends here", left, top + 12 * line) for line in range(count)
    ]


def texts(parts: list[Part]) -> list[str]:
    return [part.text for part in parts]


def test_two_columns_are_read_one_after_the_other() -> None:
    cells = [*column(100, 320, 100, "right", 20), *column(0, 60, 100, "left", 20)]

    parts = parts_of(cells, width=WIDTH, height=HEIGHT)

    assert [part.text[:5].strip() for part in parts] == ["left", "right"]


def test_three_columns_are_read_one_after_the_other() -> None:
    cells = [part for place, left in enumerate((40, 230, 420)) for part in column(place * 100, left, 100, "abc"[place], 20)]

    parts = parts_of(cells, width=WIDTH, height=HEIGHT)

    assert [part.text[0] for part in parts] == ["a", "b", "c"]


def test_what_spans_the_columns_parts_them_into_bands() -> None:
    wide = cell(500, "A title that goes over both of the columns of this page, from left to right, and then some more", 60, 300)
    cells = [
        *(part for part in column(0, 60, 100, "one", 10)),
        *(part for part in column(100, 330, 100, "two", 10)),
        wide,
        *(part for part in column(200, 60, 400, "three", 10)),
        *(part for part in column(300, 330, 400, "four", 10)),
    ]

    found = texts(parts_of(cells, width=WIDTH, height=HEIGHT))

    assert [text.split()[0] for text in found] == ["one", "two", "A", "three", "four"]


def test_a_table_is_not_taken_for_columns() -> None:
    cells = [cell(row * 2 + place, f"{row}{place}", 60 + 300 * place, 100 + 12 * row) for row in range(12) for place in (0, 1)]

    regions = regions_of(lines_of(cells), 10.0)

    assert [line.text for line in regions[0]][:4] == ["00", "01", "10", "11"]


def test_a_line_that_justification_tore_apart_is_one_again() -> None:
    cells = column(0, 60, 100, "text", 6)
    right = cells[0].rect.right
    torn = [cell(50, "structures.", 60, 172), Cell(51, "In synthesis", Rect(right - 60, 172, right, 182), "Times")]
    torn[0] = Cell(50, "structures. It is so", Rect(60, 172, right - 80, 182), "Times")

    parts = parts_of([*cells, *torn], width=WIDTH, height=HEIGHT)

    assert "It is so In synthesis" in parts[0].text


def test_words_that_a_line_end_broke_are_whole() -> None:
    cells = [cell(0, "The cell is an informa-", 60, 100), cell(1, "tion store of a kind.", 60, 112)]

    assert texts(parts_of(cells, width=WIDTH, height=HEIGHT)) == ["The cell is an information store of a kind."]


def test_code_keeps_its_lines_and_indents() -> None:
    cells = [
        cell(0, "def f(x):", 60, 100, font="Courier"),
        cell(1, "return x", 80, 112, font="Courier"),
        *column(10, 60, 200, "text", 9),
    ]

    parts = parts_of(cells, width=WIDTH, height=HEIGHT)

    assert parts[0].label == "code"
    assert parts[0].text == "def f(x):\n    return x"


def test_text_that_runs_up_the_page_is_read_in_its_own_direction() -> None:
    lines = ["the first line of the turned page", "the second line of the turned page", "the third line of the turned page"]
    cells = [Cell(at, text, Rect(100 + 12 * at, 300, 110 + 12 * at, 500), "Times", 90) for at, text in enumerate(lines)]

    parts = parts_of(cells, width=WIDTH, height=HEIGHT)

    assert texts(parts) == [" ".join(lines)]
    assert parts[0].rect == Rect(100, 300, 134, 500)


def test_a_stamp_at_the_side_is_no_text_of_the_page() -> None:
    stamp = Cell(90, "Downloaded from a library", Rect(580, 100, 588, 700), "Times", 270)

    parts = parts_of([*column(0, 60, 100, "text", 9), stamp], width=WIDTH, height=HEIGHT)

    assert [part.label for part in parts] == ["text", "page_footer"]


@given(
    st.tuples(*[st.floats(0, 500) for _ in range(4)]).filter(lambda edges: edges[0] < edges[2] and edges[1] < edges[3]),
    st.sampled_from([0, 90, 180, 270]),
)
def test_turning_keeps_the_area(edges: tuple[float, float, float, float], angle: int) -> None:
    rect = Rect(*edges)

    found = turned(rect, angle, WIDTH, HEIGHT)

    assert {round(found.width, 6), round(found.height, 6)} == {round(rect.width, 6), round(rect.height, 6)}


@given(st.lists(st.tuples(st.integers(0, 55), st.integers(0, 70), st.integers(1, 40)), max_size=40))
def test_no_cell_is_lost_or_doubled(places: list[tuple[int, int, int]]) -> None:
    cells = [cell(at, "x" * count, 10.0 * left, 11.0 * top) for at, (left, top, count) in enumerate(places)]

    parts = parts_of(cells, width=WIDTH, height=HEIGHT)

    assert sorted(index for part in parts for index in part.cells) == list(range(len(cells)))


def part(text: str, *, label: str = "text", size: float = 10.0, bold: bool = False) -> Part:
    return Part(label, text, Rect(0, 0, 1, 1), (), size, bold, "F")  # type: ignore[arg-type]


def test_labels_in_figures_are_no_headings() -> None:
    parts = [
        part("Body text. " * 20),
        part("WebUI", label="section_header", size=7),
        part("2 Methods", label="section_header", size=9),
    ]

    assert implausible(parts) == {1}


def test_bold_rows_of_a_table_are_no_headings() -> None:
    rows = [part(f"Total of row {number}", label="section_header", bold=True) for number in range(6)]
    parts = [part("Body text. " * 40), part("Results", label="section_header", size=14), *rows, part("Body text. " * 40)]

    assert implausible(parts) == {2, 3, 4, 5, 6, 7}
