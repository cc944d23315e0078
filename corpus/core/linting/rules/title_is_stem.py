"""The title is not the file's name."""

from __future__ import annotations

from collections.abc import Iterator

from corpus.core.linting.finding import Finding, Subject

CODE = "title_is_stem"


def check(subject: Subject) -> Iterator[Finding]:
    """Report a title that equals the file's name."""
    title = subject.text("title").casefold()
    if title and title in {subject.stem.casefold(), subject.file_name.casefold()}:
        yield Finding(CODE, "error", "title", "The title is only the name of the file.")
