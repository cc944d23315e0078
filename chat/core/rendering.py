"""Markdown of an answer as HTML that is safe to show: no images, no scripts, no raw HTML, links only where they are known."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from functools import cache

import nh3
from markdown_it import MarkdownIt

TAGS = {
    *("p", "br", "hr", "em", "strong", "s", "code", "pre", "blockquote", "ul", "ol", "li", "h1", "h2", "h3", "h4", "h5", "h6"),
    *("table", "thead", "tbody", "tr", "th", "td", "a", "sup", "span"),
}
MARKER = re.compile(r"\[(\d{1,4})\]")
CODE = re.compile(r"(<pre>.*?</pre>|<code[^>]*>.*?</code>)", re.DOTALL)


def render(answer: str, *, markers: Collection[int] = (), link_is_known: Callable[[str], bool] = lambda _: False) -> str:
    """Return an answer as HTML.

    Args:
        answer: Markdown.
        markers: the numbers that stand for sources; each [n] among them becomes a link to ``#source-n``.
        link_is_known: says whether a link may be followed (an address of a source, or one that the asker wrote); others are
            shown as text with their address, so that an answer can't send words away through a link.
    """
    html = _markdown().render(answer)
    html = nh3.clean(html, tags=TAGS, attributes={"a": {"href"}, "ol": {"start"}}, url_schemes={"https", "http"}, link_rel=None)
    html = re.sub(r'<a href="([^"]*)">(.*?)</a>', lambda match: _link(match, link_is_known), html, flags=re.DOTALL)
    html = re.sub(r"<(/?)h[12]>", r"<\1h3>", html)
    return "".join(part if part.startswith(("<pre", "<code")) else _with_markers(part, markers) for part in CODE.split(html))


def numbers_in(answer: str) -> set[int]:
    """Return the numbers that stand in markers.

    >>> sorted(numbers_in("Rain [2] falls [1][2]."))
    [1, 2]
    """
    return {int(number) for number in MARKER.findall(answer)}


@cache
def _markdown() -> MarkdownIt:
    return (
        MarkdownIt("commonmark", {"html": False, "linkify": False})
        .enable("table")
        .disable(["image", "html_block", "html_inline"])
    )


def _link(match: re.Match[str], link_is_known: Callable[[str], bool]) -> str:
    address, text = match.groups()
    if link_is_known(address.replace("&amp;", "&")):
        return f'<a href="{address}" rel="noopener noreferrer" target="_blank">{text}</a>'
    plain = re.sub(r"<[^>]*>", "", text)
    return plain if plain == address else f"{plain} ({address})"


def _with_markers(html: str, markers: Collection[int]) -> str:
    def linked(match: re.Match[str]) -> str:
        n = int(match.group(1))
        if n not in markers:
            return match.group()
        return f'<a class="marker" href="#source-{n}" data-marker="{n}" aria-label="Source {n}">{n}</a>'

    return MARKER.sub(linked, html)
