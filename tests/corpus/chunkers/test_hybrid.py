from __future__ import annotations

from pathlib import Path

from corpus.chunkers.hybrid import Hybrid
from corpus.converter import ConversionRequest
from corpus.converters.docling import DoclingFormats
from corpus.core.chunk import ChunkDraft


def chunks_of(tmp_path: Path, text: str, *, max_tokens: int = 64) -> tuple[ChunkDraft, ...]:
    path = tmp_path / "a.md"
    path.write_text(text, encoding="utf-8")
    converted = DoclingFormats().convert(ConversionRequest(str(path), "text/markdown", "a.md"))
    return Hybrid().chunk(converted, max_tokens=max_tokens, tokenizer="")


def test_links_code_and_emphasis_stay_in_their_sentence(tmp_path: Path) -> None:
    chunks = chunks_of(tmp_path, "# T\n\nThe binary [HDF5](http://x) format via the `Writer` in **libNeuroML**. It goes on.\n")

    assert chunks[0].text == "The binary HDF5 format via the Writer in libNeuroML. It goes on."


def test_a_chunk_knows_its_heading_chain(tmp_path: Path) -> None:
    chunks = chunks_of(tmp_path, "# Weather\n\n## Rain\n\nRain falls.\n\n## Snow\n\nSnow falls.\n")

    assert [(chunk.headings, chunk.text) for chunk in chunks] == [
        (("Weather", "Rain"), "Rain falls."),
        (("Weather", "Snow"), "Snow falls."),
    ]


def test_no_chunk_is_over_the_limit_even_without_a_space(tmp_path: Path) -> None:
    words = " ".join(f"word{number}" for number in range(500))

    chunks = chunks_of(tmp_path, f"# T\n\n{words}.\n\n{'x' * 5000}\n", max_tokens=40)

    assert max(chunk.token_count for chunk in chunks) <= 40
    assert " ".join(chunk.text for chunk in chunks).count("word") == 500


def test_headings_without_a_body_are_found_too(tmp_path: Path) -> None:
    chunks = chunks_of(tmp_path, "# Weather\n\n## Rain\n\n## Snow\n\nSnow falls.\n")

    assert [(chunk.headings, chunk.text) for chunk in chunks] == [(("Weather",), "Rain"), (("Weather", "Snow"), "Snow falls.")]
