"""Join the pieces of a line (links, code, emphasis) that Docling keeps as items of their own into one text."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Final

NO_SPACE_BEFORE: Final = re.compile(r"^[.,;:!?)\]}’”»%]")
NO_SPACE_AFTER: Final = re.compile(r"[(\[{‘“«/]$")


def with_inline_groups_joined(document: dict[str, Any]) -> dict[str, Any]:
    """Return a Docling document (as JSON) in which every inline group of texts holds one text; the input is not changed.

    A group that holds anything else than texts (a formula, a picture) stays as it is.
    """
    inline = [group for group in document.get("groups", ()) if group.get("label") == "inline"]
    if not inline:
        return document
    texts = list(document["texts"])
    groups = list(document["groups"])
    for group in inline:
        indexes = [_index(child["$ref"]) for child in group["children"]]
        if not indexes or any(index is None or texts[index].get("label") == "formula" for index in indexes):
            continue
        parts = [texts[index] for index in indexes if index is not None]
        first = indexes[0]
        assert first is not None  # noqa: S101 -- none was None above
        texts[first] = _text_item(parts[0], joined([part["text"] for part in parts]))
        groups[groups.index(group)] = {**group, "children": group["children"][:1]}
    return {**document, "texts": texts, "groups": groups}


def joined(pieces: Sequence[str]) -> str:
    """Join pieces with spaces where a writer would set them.

    >>> joined(["in", "libNeuroML", ". The (", "same", ") goes"])
    'in libNeuroML. The (same) goes'
    """
    text = ""
    for piece in pieces:
        glued = not text or NO_SPACE_BEFORE.match(piece) or NO_SPACE_AFTER.search(text)
        text = f"{text}{piece}" if glued else f"{text} {piece}"
    return text


def _index(reference: str) -> int | None:
    kind, _, number = reference.removeprefix("#/").partition("/")
    return int(number) if kind == "texts" and number.isdigit() else None


def _text_item(item: dict[str, Any], text: str) -> dict[str, Any]:
    kept: dict[str, Any] = {key: item[key] for key in ("self_ref", "parent", "content_layer", "prov") if key in item}
    return {**kept, "children": [], "label": "text", "orig": text, "text": text}
