"""Checks of metadata without a model: one rule a file, in the order of `RULES`."""

from __future__ import annotations

from typing import Final

from corpus.core.linting.finding import Finding, Other, Rule, Severity, Subject
from corpus.core.linting.rules import (
    author_et_al,
    author_is_affiliation,
    author_without_family,
    doi,
    doi_disagrees,
    duplicate,
    journal_abbreviation,
    markup,
    missing,
    mojibake,
    stale_venue,
    structure,
    title_case,
    title_fallback,
    title_is_running_head,
    title_is_stem,
    too_many_urls,
    year_after_retrieval,
    year_range,
    year_type,
    year_vs_filename,
)

RULES: Final[tuple[Rule, ...]] = (
    missing.check,
    title_fallback.check,
    title_is_stem.check,
    title_is_running_head.check,
    title_case.check,
    author_is_affiliation.check,
    author_et_al.check,
    author_without_family.check,
    doi.check,
    doi_disagrees.check,
    year_range.check,
    year_vs_filename.check,
    year_type.check,
    year_after_retrieval.check,
    stale_venue.check,
    journal_abbreviation.check,
    too_many_urls.check,
    duplicate.check,
    mojibake.check,
    markup.check,
)

__all__ = ["RULES", "Finding", "Other", "Rule", "Severity", "Subject", "lint"]


def lint(subject: Subject) -> tuple[Finding, ...]:
    """Run every rule on one file's entries, in the order of `RULES`; an entry of a wrong form gets that one finding only."""
    wrong_form = tuple(structure.check(subject))
    return wrong_form or tuple(finding for rule in RULES for finding in rule(subject))
