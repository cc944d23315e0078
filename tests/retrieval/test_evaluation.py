"""Retrieval is measured as the field measures it."""

from __future__ import annotations

import json
from collections.abc import Callable
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from corpus.models import Chunk, Domain
from retrieval.evaluation import NotBeir, difference, measure, read_beir
from retrieval.evaluation.golden import NothingToMeasure, measure_domain
from retrieval.evaluation.shelf import take_away_left
from retrieval.models import EvaluationRun, GoldenQuestion, Judgement
from retrieval.search import SearchRequest
from tests.people import TwoTeams
from tests.retrieval.library import add_file, chunk_of, index

DOCUMENTS = [
    {"_id": "d1", "title": "Calcium", "text": "Calcium channels open when the membrane is depolarised."},
    {"_id": "d2", "title": "", "text": "The committee discussed the budget of the library."},
    {"_id": "d3", "title": "Only a title", "text": ""},
]


def write_beir(folder: Path, *, packed: bool = False) -> Path:
    import gzip

    (folder / "qrels").mkdir(parents=True)
    lines = "\n".join(json.dumps(document) for document in DOCUMENTS)
    if packed:
        (folder / "corpus.jsonl.gz").write_bytes(gzip.compress(lines.encode()))
    else:
        (folder / "corpus.jsonl").write_text(lines)
    queries = [
        {"_id": "q1", "text": "when do calcium channels open"},
        {"_id": "q2", "text": "library budget"},
        {"_id": "q3", "text": "?"},
    ]
    (folder / "queries.jsonl").write_text("\n".join(json.dumps(query) for query in queries))
    (folder / "qrels" / "test.tsv").write_text("query-id\tcorpus-id\tscore\nq1\td1\t2\nq2\td2\t1\n")
    return folder


@pytest.mark.parametrize("packed", [True, False])
def test_a_folder_is_read(tmp_path: Path, packed: bool) -> None:
    beir = read_beir(write_beir(tmp_path / "set", packed=packed))
    assert [document.id for document in beir.documents] == ["d1", "d2", "d3"]
    assert beir.queries == {"q1": "when do calcium channels open", "q2": "library budget"}
    assert beir.qrels == {"q1": {"d1": 2}, "q2": {"d2": 1}}


@pytest.mark.parametrize(
    ("name", "content", "part"),
    [
        ("corpus.jsonl", None, "There is no corpus.jsonl"),
        ("qrels/test.tsv", None, "There is no"),
        ("corpus.jsonl", '{"_id": "1"}\n{', "line 2 is not JSON"),
        ("queries.jsonl", '{"text": "x"}', "line 1 has no _id"),
        ("qrels/test.tsv", "q1 d1 1", "separated by tabs"),
        ("corpus.jsonl", "", "no documents"),
    ],
)
def test_a_folder_of_another_form_is_refused_by_file_and_line(tmp_path: Path, name: str, content: str | None, part: str) -> None:
    folder = write_beir(tmp_path / "set")
    if content is None:
        (folder / name).unlink()
    else:
        (folder / name).write_text(f"\n{content}" if name == "qrels/test.tsv" else content)
    with pytest.raises(NotBeir, match=part):
        read_beir(folder)


def test_measures_are_those_of_the_definition() -> None:
    """One relevant document at rank 2: reciprocal rank 1/2, nDCG 1/log2(3) = 0.6309, recall 1, average precision 1/2."""
    found = measure({"q": {"right": 1}}, {"q": {"wrong": 2.0, "right": 1.0}})
    means = {name: one.mean for name, one in found.items()}
    assert means == pytest.approx({"nDCG@10": 0.6309, "R@100": 1.0, "RR@10": 0.5, "AP": 0.5}, abs=1e-4)


def test_a_query_without_a_list_counts_nothing() -> None:
    found = measure({"a": {"d": 1}, "b": {"d": 1}}, {"a": {"d": 1.0}})["nDCG@10"]
    assert found.mean == 0.5
    assert found.per_query == {"a": 1.0, "b": 0.0}
    assert 0.0 <= found.low <= 0.5 <= found.high <= 1.0


def test_a_difference_says_how_likely_chance_is() -> None:
    qrels = {str(n): {"d": 1} for n in range(30)}
    good = measure(qrels, {key: {"d": 2.0, "x": 1.0} for key in qrels})["nDCG@10"]
    worse = measure(qrels, {key: {"d": 1.0, "x": 2.0} for key in qrels})["nDCG@10"]
    gain, chance = difference(worse, good)
    assert gain == pytest.approx(1 - 0.6309, abs=1e-4)
    assert chance < 0.01
    assert difference(good, good) == (0.0, 1.0)


@pytest.mark.django_db(transaction=True)
def test_the_command_measures_through_real_stores_and_leaves_nothing(tmp_path: Path, settings: Any) -> None:
    settings.VAR = tmp_path
    folder = write_beir(tmp_path / "set")
    out = StringIO()
    call_command(
        "evaluate", "--beir", str(folder), json=True, retrievers="bm25,dense,hybrid,rerank", stdout=out, stderr=StringIO()
    )
    told = json.loads(out.getvalue())["sets"]["set"]
    assert {name: told[name]["nDCG@10"]["mean"] for name in told} == {"bm25": 1.0, "dense": 1.0, "hybrid": 1.0, "rerank": 1.0}
    assert not Domain.objects.exists()
    assert not Chunk.objects.exists()
    assert [path.suffix for path in (tmp_path / "evaluation").iterdir()] == [".npy"]


@pytest.mark.django_db(transaction=True)
def test_the_command_prints_a_table(tmp_path: Path, settings: Any) -> None:
    settings.VAR = tmp_path
    out = StringIO()
    call_command(
        "evaluate", "--beir", str(write_beir(tmp_path / "set")), keyword_store="rank-bm25", stdout=out, stderr=StringIO()
    )
    lines = out.getvalue().splitlines()
    assert lines[2].split()[:2] == ["nDCG@10", "95"]
    assert [line.split()[0] for line in lines[3:6]] == ["bm25", "dense", "hybrid"]


@pytest.mark.django_db
def test_the_command_refuses_what_it_does_not_know(tmp_path: Path) -> None:
    folder = str(write_beir(tmp_path / "set"))
    with pytest.raises(CommandError, match="Unknown retriever: magic"):
        call_command("evaluate", "--beir", folder, retrievers="magic", stderr=StringIO())
    with pytest.raises(CommandError, match="EMBEDDERS has no entry 'magic'"):
        call_command("evaluate", "--beir", folder, embedder="magic", stderr=StringIO())
    with pytest.raises(CommandError, match=r"There is no corpus\.jsonl"):
        call_command("evaluate", "--beir", str(tmp_path), stderr=StringIO())


@pytest.mark.django_db
def test_what_a_killed_evaluation_left_is_taken_away() -> None:
    Domain.objects.create(name="left", slug="evaluation-999999999")
    Domain.objects.create(name="kept", slug="evaluations")
    take_away_left()
    assert list(Domain.objects.values_list("slug", flat=True)) == ["evaluations"]


@pytest.fixture
def golden(two_teams: TwoTeams) -> TwoTeams:
    calcium = index(add_file(two_teams.papers, "calcium.md", ["Calcium channels open.", "They close again."]))
    budget = index(add_file(two_teams.papers, "budget.md", ["The committee discussed the budget."]))
    by_file = GoldenQuestion.objects.create(domain=two_teams.physics, text="calcium channels")
    Judgement.objects.create(question=by_file, source_file=calcium)
    by_chunk = GoldenQuestion.objects.create(domain=two_teams.physics, text="committee budget")
    Judgement.objects.create(question=by_chunk, source_file=budget, chunk=chunk_of(budget))
    GoldenQuestion.objects.create(domain=two_teams.physics, text="not judged")
    return two_teams


def test_golden_questions_are_measured_and_kept(golden: TwoTeams) -> None:
    run = measure_domain(golden.physics, label="first", asker=golden.mia)
    assert (run.question_count, run.live, run.label, run.created_by) == (2, True, "first", golden.mia)
    assert run.measures["nDCG@10"]["mean"] == 1.0
    assert run.configuration["stores"]["physics/papers/meaning"] == ["pgvector", "hashing-256", 60]
    assert EvaluationRun.objects.visible_to(golden.cleo).count() == 0


def test_options_can_be_tried_and_say_so(golden: TwoTeams) -> None:
    run = measure_domain(golden.physics, request=SearchRequest(text="", user=golden.mia, threshold=1.0))
    assert run.live is False
    assert run.configuration["threshold"] == 1.0
    assert run.measures["nDCG@10"]["mean"] < 1.0


def test_a_domain_without_golden_questions_says_what_to_do(two_teams: TwoTeams) -> None:
    with pytest.raises(NothingToMeasure, match="no judged golden questions"):
        measure_domain(two_teams.botany)
    with pytest.raises(CommandError, match="Add golden questions"):
        call_command("evaluate", domain="botany")


def test_the_command_measures_a_domain(golden: TwoTeams) -> None:
    out = StringIO()
    call_command("evaluate", domain="physics", stdout=out)
    assert out.getvalue().startswith("physics: 2 questions")
    assert "nDCG@10 1.0000" in out.getvalue()


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(("name", "floor"), [("ir-adi", 0.5215), ("ir-cranfield", 0.4024), ("ir-scifact", 0.7184)])
def test_the_search_reaches_fused_ranks_of_the_literature(
    shared_data: Callable[[str], Path], settings: Any, name: str, floor: float
) -> None:
    """The floor is reciprocal rank fusion of BM25 and all-MiniLM-L6-v2, measured on the same copies."""
    out = StringIO()
    call_command(
        "evaluate",
        beir=[str(shared_data(name))],
        embedder="bge-small",
        retrievers="hybrid",
        json=True,
        stdout=out,
        stderr=StringIO(),
    )
    assert json.loads(out.getvalue())["sets"][name]["hybrid"]["nDCG@10"]["mean"] >= floor
