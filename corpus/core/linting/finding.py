"""What a rule sees and what it reports."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from corpus.core.metadata_map import DEFAULT

Severity = Literal["error", "warning", "info"]


@dataclass(frozen=True)
class Finding:
    """What a rule doubts.

    Attributes:
        code: the rule's name, stable.
        severity: error (can't be right), warning (probably wrong), info (worth a look).
        field: the field in doubt; empty where it is the entry as a whole.
        message: what is odd and what to do, for a person.
        fix: values that put it right, by field; None where only a person can tell.
    """

    code: str
    severity: Severity
    field: str
    message: str
    fix: Mapping[str, Any] | None = None

    def as_dict(self) -> dict[str, Any]:
        """Return the stored form."""
        found = {"code": self.code, "severity": self.severity, "field": self.field, "message": self.message}
        return {**found, "fix": dict(self.fix)} if self.fix is not None else found


@dataclass(frozen=True)
class Other:
    """What another file is known by, to notice that two are one work."""

    file_name: str
    doi: str = ""
    title: str = ""
    year: int | None = None


@dataclass(frozen=True)
class Subject:
    """One file's entries with what the rules compare them to.

    Attributes:
        file_name: the file's name.
        entries: the file's part of the metadata map, as it stands (it may be of a wrong form).
        current_year: the year in which the rules run.
        retrieved_year: the year in which the file came in, if known.
        registered_title: the title that a registrar holds for the DOI, if one was asked.
        running_heads: texts that stand at the edge of several pages.
        others: the other files of the collection.
    """

    file_name: str
    entries: Any
    current_year: int
    retrieved_year: int | None = None
    registered_title: str = ""
    running_heads: tuple[str, ...] = ()
    others: tuple[Other, ...] = field(default=())

    @property
    def values(self) -> Mapping[str, Any]:
        """The values of ``DEFAULT``; empty when there are none."""
        default = self.entries.get(DEFAULT) if isinstance(self.entries, Mapping) else None
        return default if isinstance(default, Mapping) else {}

    @property
    def stem(self) -> str:
        """The file's name without folders and extension."""
        return self.file_name.rsplit("/", 1)[-1].rsplit(".", 1)[0]

    def text(self, name: str) -> str:
        """Return a field as text without blanks around it; empty when it is none."""
        value = self.values.get(name)
        return value.strip() if isinstance(value, str) else ""

    def texts(self, name: str) -> list[str]:
        """Return the texts of a field that holds a list; empty when it is none."""
        value = self.values.get(name)
        return [part for part in value if isinstance(part, str)] if isinstance(value, list) else []


Rule = Callable[[Subject], Iterable[Finding]]
