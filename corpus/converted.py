"""Converted documents as they are kept: compressed JSON, named by the bytes and the settings that they came from."""

from __future__ import annotations

import gzip
import json
from dataclasses import asdict
from typing import Any

from corpus import blobs
from corpus.converter import ConvertedDocument, PageFacts


def place_of_conversion(key: str) -> str:
    """Return where the conversion of that key is stored."""
    return f"converted/{key[:2]}/{key}.json.gz"


def is_kept(key: str) -> bool:
    """Tell whether there is a conversion of that key."""
    return blobs.exists(place_of_conversion(key))


def keep(key: str, converted: ConvertedDocument) -> None:
    """Store a conversion, at once or not at all."""
    told = json.dumps(asdict(converted), ensure_ascii=False, separators=(",", ":"))
    blobs.keep(place_of_conversion(key), gzip.compress(told.encode("utf-8", "replace"), compresslevel=5, mtime=0))


def read(key: str) -> ConvertedDocument:
    """Return a stored conversion.

    Raises:
        BytesMissing: there is none, or it can't be read.
    """
    try:
        told: dict[str, Any] = json.loads(gzip.decompress(blobs.read(place_of_conversion(key))))
    except (OSError, EOFError, ValueError) as error:
        raise blobs.BytesMissing(f"The stored conversion {key[:12]}… can't be read ({error}).") from error
    pages = tuple(PageFacts(**page) for page in told["pages"])
    return ConvertedDocument(document=told["document"], pages=pages, warnings=tuple(told["warnings"]), info=told["info"])
