"""The journal stands under its present name."""

from __future__ import annotations

from collections.abc import Iterator

from corpus.core.linting.finding import Finding, Subject

CODE = "stale_venue"


def check(subject: Subject) -> Iterator[Finding]:
    """Report `venue` where `journal` is missing."""
    venue = subject.values.get("venue")
    if venue and not subject.values.get("journal"):
        yield Finding(
            CODE, "warning", "journal", "The journal stands under the old key 'venue'.", {"journal": venue, "venue": None}
        )
