"""What text looks like once it is held: one normalisation for chunks, headings, map keys, metadata and questions."""

from __future__ import annotations

import re
import unicodedata

_INVISIBLE = re.compile(
    "[\u00ad\u034f\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufe00-\ufe0f\ufeff\U000e0100-\U000e01ef]"
)
_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff\ufffe\uffff]")
_NO_BREAK = re.compile("[\u00a0\u2007\u202f]")
_RUN = re.compile(r"[ \t]{2,}")


def normalize_text(text: str) -> str:
    r"""Bring text to its one plain form: what is searched, compared and matched.

    Soft hyphens, marks of direction, zero-width signs and control characters (NUL, lone surrogates) go, no-break spaces become
    spaces, compatibility forms are folded (NFKC), runs of blanks become one. Line breaks and dashes stay. Applying it twice
    changes nothing.

    >>> normalize_text("Multi-\u00adscale\u00a0Model\u00ading")
    'Multi-scale Modeling'
    """
    visible = _CONTROL.sub("", _INVISIBLE.sub("", text))
    folded = unicodedata.normalize("NFKC", _NO_BREAK.sub(" ", visible))
    return _RUN.sub(" ", _INVISIBLE.sub("", folded)).strip()
