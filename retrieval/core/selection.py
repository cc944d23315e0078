"""Which chunks a store may return: what is left of scope, filter and permission when they reach the store."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Selection:
    """A limit on the chunks of a store; both limits hold together.

    Attributes:
        labels: keys of the metadata that passed the filter; every chunk carries the key of its metadata. None: unfiltered;
            empty: nothing passes.
        source_files: only chunks of these files. None: of any.
    """

    labels: frozenset[str] | None = None
    source_files: frozenset[int] | None = None

    @property
    def is_empty(self) -> bool:
        """Whether nothing can pass."""
        return self.labels == frozenset() or self.source_files == frozenset()

    @property
    def is_open(self) -> bool:
        """Whether everything passes."""
        return self.labels is None and self.source_files is None

    def admits(self, *, label: str, source_file_id: int) -> bool:
        """Tell whether a chunk with this label, of this file, passes.

        >>> Selection(labels=frozenset({"a"})).admits(label="b", source_file_id=1)
        False
        """
        return (self.labels is None or label in self.labels) and (
            self.source_files is None or source_file_id in self.source_files
        )


EVERYTHING: Final = Selection()
