"""Text with LaTeX's commands, as BibTeX files hold it, and plain text: both ways."""

from __future__ import annotations

import re
from typing import Final

from pylatexenc.latex2text import LatexNodes2Text, get_default_latex_context_db

_ESCAPES: Final = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "%": r"\%",
    "#": r"\#",
    "_": r"\_",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "-": "-{}",
    "`": "`{}",
    "'": "'{}",
    '"': r"\textquotedbl{}",
    "!": "!{}",
    "?": "?{}",
    "<": "<{}",
    ">": ">{}",
}
_ALWAYS: Final = re.compile(r"[\\{}$&%#_^~\"]|-(?=-)|`(?=`)|'(?=')|[!?](?=`)|<(?=<)|>(?=>)")
_READER: Final = LatexNodes2Text(math_mode="verbatim", keep_comments=True, latex_context=get_default_latex_context_db())
_SIGN_OF: Final = {"quotedbl": '"', "asciicircum": "^"}
_SIGNS: Final = re.compile(r"\\text(quotedbl|asciicircum)(?:\{\})?")
_LINK: Final = re.compile(r"<((?:https?|ftp)://[^>]*)>")
_QUOTES: Final = str.maketrans({"\u00a0": " "})


def plain_of(latex: str) -> str:
    r"""Return the plain text: accents and signs resolved, case-protecting braces gone, formulas as they stand.

    >>> plain_of(r"{The} {\"O}l of $x^2$ -- Erd{\H o}s \& Co.")
    'The Öl of $x^2$ – Erdős & Co.'
    """
    if not re.search(r"[\\{}$~`'%-]|[!?]`", latex):
        return " ".join(latex.split())
    signs = _SIGNS.sub(lambda sign: _SIGN_OF[sign[1]], latex)
    try:
        text = _READER.latex_to_text(signs)
    except IndexError:  # pylatexenc: a command without the arguments that it needs
        text = re.sub(r"\\[A-Za-z]+|[{}]", " ", signs)
    return " ".join(_LINK.sub(r"\1", text).translate(_QUOTES).split())


def latex_of(plain: str) -> str:
    r"""Return text that BibTeX reads as this plain text; letters of any alphabet stay.

    >>> print(latex_of("50% of R&D_x"))
    50\% of R\&D\_x
    """
    return _ALWAYS.sub(lambda sign: _ESCAPES[sign.group()], plain)
