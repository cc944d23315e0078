from __future__ import annotations

from corpus.core.choosing import choose, values_of
from corpus.core.chunk import Box
from corpus.core.extraction.cascade import DocumentSigns, dois_to_look_up, facts_of, propose_metadata
from corpus.core.extraction.lines import HeaderLine
from corpus.core.extraction.own_doi import own_dois
from corpus.core.extraction.patterns import labelled_values, years_mentioned, years_said
from corpus.core.extraction.pdf_info import info_proposals, is_title
from corpus.core.extraction.registered import registered_proposals, with_record
from corpus.core.names import parse_names
from corpus.core.record import BibliographicRecord, PartialDate

TITLE = "Slow oscillations of imaginary neurons under synthetic drive"
HEADER = (
    HeaderLine("Journal of Things 12 (2019) 34-56", 8, box=Box(1, 50, 20, 300, 30)),
    HeaderLine("Slow oscillations of imaginary neurons", 18, box=Box(1, 50, 60, 400, 80)),
    HeaderLine("under synthetic drive", 18, box=Box(1, 50, 82, 300, 102)),
    HeaderLine("Anna Bergström, Tom Meer", 11, box=Box(1, 50, 110, 300, 122)),
    HeaderLine("https://doi.org/10.1000/own.1", 8, box=Box(1, 50, 130, 300, 138)),
    HeaderLine("Abstract", 10, box=Box(1, 50, 150, 100, 160)),
)
RECORD = BibliographicRecord(
    title=TITLE,
    authors=parse_names(["Anna Bergstrom", "Tom Meer"]),
    issued=PartialDate(2019),
    doi="10.1000/own.1",
    abstract="No field.",
)
OTHER = BibliographicRecord(
    title="Growth of barley in salt", authors=parse_names(["Eve Young"]), issued=PartialDate(1990), doi="10.1000/own.1"
)


def test_each_tier_proposes_with_its_evidence() -> None:
    proposals = propose_metadata(
        DocumentSigns(name="a.pdf", header=HEADER, info={"Title": "Draft title of things", "Author": "A. B."})
    )
    layout = next(proposal for proposal in proposals if proposal.field == "title" and proposal.tier == "layout")
    assert layout.value == TITLE
    assert layout.evidence["page"] == 1
    assert layout.evidence["box"] == [50, 60, 400, 102]
    assert {proposal.tier for proposal in proposals if proposal.field == "title"} == {"pdf-info", "layout", "docling"}
    assert next(proposal.value for proposal in proposals if proposal.field == "year") == 2019


def test_a_record_that_agrees_confirms_the_doi() -> None:
    proposals = propose_metadata(DocumentSigns(name="a.pdf", header=HEADER))
    document = facts_of(DocumentSigns(header=HEADER), proposals)
    values = values_of(choose(with_record(proposals, RECORD, looked_up="10.1000/OWN.1", document=document)))
    assert values["title"] == TITLE
    assert values["doi"] == "10.1000/own.1"
    assert values["_metadata_complete"] is True
    assert "abstract" not in values


def test_a_record_of_another_work_puts_the_doi_in_doubt() -> None:
    proposals = propose_metadata(DocumentSigns(name="a.pdf", header=HEADER))
    document = facts_of(DocumentSigns(header=HEADER), proposals)
    judged = with_record(proposals, OTHER, looked_up="10.1000/own.1", document=document)
    values = values_of(choose(judged))
    assert values["title"] == TITLE
    assert "doi" not in values
    assert values["_metadata_complete"] is False
    assert all("Growth of barley" in proposal.doubt for proposal in judged if proposal.field == "doi")
    assert registered_proposals(RECORD, document=document, address="https://x")[0].evidence == {"url": "https://x"}


def test_the_dois_to_ask_for_come_strongest_first() -> None:
    signs = DocumentSigns(header=HEADER, info={"doi": "10.1000/info.9"}, text="DOI: 10.1000/text.3")
    assert dois_to_look_up(propose_metadata(signs)) == ("10.1000/info.9", "10.1000/own.1", "10.1000/text.3")


def test_the_dois_of_other_works_are_told_apart() -> None:
    page = "Citation: X (2020) 10.1000/own.1\nSee Ware et al. (doi:10.1000/comment.2) for a comment\nData: 10.5061/dryad.x1"
    found = own_dois(page + "\nReferences\n1. Foo. doi:10.1000/cited.7")
    assert [entry.value for entry in found] == ["10.1000/own.1", "10.1000/comment.2", "10.5061/dryad.x1"]
    assert [bool(entry.doubt) for entry in found] == [False, True, True]


def test_two_dois_of_equal_weight_are_both_in_doubt() -> None:
    assert all(entry.doubt for entry in own_dois("doi: 10.1000/a.1\ndoi: 10.1000/b.2"))
    assert own_dois("no identifier here") == ()


def test_placeholders_of_programs_are_no_titles() -> None:
    for text in (
        "Microsoft Word - final.doc",
        "untitled",
        "paper_v2_final",
        "s41597-022.indd",
        "10.1000/own.1",
        "Research Article",
        "",
    ):
        assert not is_title(text)
    assert is_title(TITLE)
    found = info_proposals(
        {"/Title": "Untitled", "Author": "user; Anna Bergström", "Keywords": "a; b", "Subject": "J. X, doi:10.1000/own.1"}
    )
    assert {proposal.field: proposal.value for proposal in found} == {
        "authors": ["Anna Bergström"],
        "keywords": ["a", "b"],
        "doi": "10.1000/own.1",
    }


def test_labels_need_their_place_and_colon() -> None:
    assert labelled_values("Index Terms—alpha, beta.") == {"keywords": ["alpha", "beta"]}
    assert labelled_values("This is keyed by authors: none") == {}
    assert years_said("© 2018 The Authors. Grown since 1950.") == (2018,)
    assert years_mentioned("© 2018 The Authors. Grown since 1950.") == (2018, 1950)


def test_the_name_of_the_file_is_the_last_resort() -> None:
    assert values_of(choose(propose_metadata(DocumentSigns(name="notes/plan.md", text="nothing"))))["title"] == "plan"
    headed = DocumentSigns(name="plan.md", chunk_headings=("Abstract", "How to plan"))
    assert values_of(choose(propose_metadata(headed)))["title"] == "How to plan"
