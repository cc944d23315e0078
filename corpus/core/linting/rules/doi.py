"""The DOI is a DOI and nothing more."""

from __future__ import annotations

from collections.abc import Iterator

from corpus.core.identifiers import is_doi, normalize_doi
from corpus.core.linting.finding import Finding, Subject

CODE = "doi"


def check(subject: Subject) -> Iterator[Finding]:
    """Report a DOI with something around it, or one that has not the form of a DOI; slashes inside it are fine."""
    doi = subject.text("doi")
    if not doi:
        return
    normal = normalize_doi(doi)
    if not is_doi(normal):
        yield Finding(CODE, "error", "doi", f"'{doi}' has not the form of a DOI (10.NNNN/…).")
    elif normal != doi:
        yield Finding(CODE, "warning", "doi", f"The DOI has something around it; '{normal}' is meant.", {"doi": normal})
