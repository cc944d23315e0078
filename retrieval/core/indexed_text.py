"""What of a chunk is embedded and indexed: its text under its headings."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any


def embedded_text(text: str, headings: Sequence[str]) -> str:
    r"""Return the text that is embedded: the heading chain, then the passage.

    >>> embedded_text("It opens.", ["Channels", "Cav3.1"])
    'Channels > Cav3.1\nIt opens.'
    """
    chain = " > ".join(headings)
    return f"{chain}\n{text}" if chain else text


def text_hash(embedded: str) -> str:
    """Return the hash by which a vector is known to be of this text."""
    return hashlib.sha256(embedded.encode()).hexdigest()


def title_text(headings: Sequence[str], metadata: Mapping[str, Any]) -> str:
    """Return what counts as the chunk's title in keyword stores: the work's title, authors and year, and the headings."""
    authors = metadata.get("authors")
    names = [name for name in authors if isinstance(name, str)] if isinstance(authors, list) else []
    told = [metadata.get("title"), *names[:20], metadata.get("year"), *headings]
    return "\n".join(str(part) for part in told if isinstance(part, str | int) and part)
