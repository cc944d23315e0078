"""The path under which a file is held: relative, with forward slashes, harmless."""

from __future__ import annotations

import unicodedata
from typing import Final

LONGEST: Final = 1000
LONGEST_PART: Final = 255


class BadPath(ValueError):  # noqa: N818 -- read as a sentence at the place where it is raised
    """A name under which nothing is held; the message says why."""


def clean_path(name: str) -> str:
    r"""Return `name` as a relative path with forward slashes, in Unicode's composed form.

    Args:
        name: a file name or a path below a folder, as a browser, an archive or a file system gives it.

    Raises:
        BadPath: it is empty, absolute, leads out of its folder, has control characters or is too long.

    >>> clean_path("./papers\\2024/White.pdf")
    'papers/2024/White.pdf'
    """
    text = unicodedata.normalize("NFC", name).replace("\\", "/")
    if any(unicodedata.category(character) in {"Cc", "Cs"} for character in text):
        raise BadPath("The name holds control characters. Rename the file.")
    if text.startswith("/") or text[1:2] == ":":
        raise BadPath(f"'{text[:80]}' is an absolute path. Give a path inside the folder.")
    parts = [part for part in text.split("/") if part not in {"", "."}]
    if ".." in parts:
        raise BadPath(f"'{text[:80]}' leads out of its folder ('..'). Rename the file.")
    return _within_length("/".join(parts), parts)


def _within_length(path: str, parts: list[str]) -> str:
    if not path:
        raise BadPath("The file has no name.")
    if len(path) > LONGEST or any(len(part.encode("utf-8", "surrogatepass")) > LONGEST_PART for part in parts):
        raise BadPath(f"The name is too long. The limit is {LONGEST_PART} bytes a part and {LONGEST} characters in all.")
    return path
