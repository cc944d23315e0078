"""The isolated child: converts and chunks what its parent asks for, one JSON line a request, one a reply.

Started as ``python -m corpus.conversion_child``. Libraries that print can't disturb the replies: they go to a descriptor of their
own, and whatever is printed goes to standard error. It ends when its parent does.
"""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import signal
import sys
from collections.abc import Callable
from dataclasses import asdict
from typing import IO, Any

from corpus.converter import ConversionError, ConversionRequest, ConvertedDocument, PageFacts, UnsupportedType

PARENT_DEATH = 1
Reply = Callable[[dict[str, Any]], None]


def main() -> None:
    """Answer requests until the input ends."""
    replies = _own_channel()
    _end_with_parent()

    def reply(message: dict[str, Any]) -> None:
        replies.write(json.dumps(message, ensure_ascii=True) + "\n")
        replies.flush()

    reply({"ready": os.getpid()})
    for line in sys.stdin:
        _answer(json.loads(line), reply)


def _answer(request: dict[str, Any], reply: Reply) -> None:
    work = {"facts": _facts, "convert": _convert, "chunk": _chunk}[request.pop("do")]
    try:
        reply({"result": work(request, reply)})
    except ConversionError as error:
        reply({"error": type(error).__name__, "message": str(error), "advice": error.advice})
    except MemoryError:
        reply({"error": "OutOfMemory", "message": "The conversion needed more memory than it may take."})
    except Exception as error:  # noqa: BLE001 -- any library's fault is this file's fault only; it is told to the parent
        reply({"error": "Corrupt", "message": f"The file can't be read ({type(error).__name__}: {str(error)[:300]})."})


def _facts(request: dict[str, Any], reply: Reply) -> dict[str, Any]:
    from corpus.pdf_facts import read_facts

    pages, info = read_facts(request["path"], request.get("password"), progress=lambda done: reply({"pages": done}))
    return {"pages": [asdict(page) for page in pages], "info": info}


def _convert(request: dict[str, Any], reply: Reply) -> dict[str, Any]:
    asked = ConversionRequest(**{**request["request"], "pages": _pair(request["request"]["pages"])})
    converter = converter_for(asked, threads=request["threads"], artifacts=request["artifacts"])
    converted = converter.convert(asked)
    reply({"pages": len(converted.pages)})
    return asdict(converted)


def _chunk(request: dict[str, Any], _reply: Reply) -> list[dict[str, Any]]:
    from corpus.chunkers.hybrid import Hybrid
    from corpus.chunkers.paragraphs import Paragraphs

    told = request["converted"]
    converted = ConvertedDocument(
        document=told["document"], pages=tuple(PageFacts(**page) for page in told["pages"]), info=told["info"]
    )
    chunker = Paragraphs() if "paragraphs" in told["document"] else Hybrid()
    drafts = chunker.chunk(converted, max_tokens=request["max_tokens"], tokenizer=request["tokenizer"])
    return [asdict(draft) for draft in drafts]


def converter_for(request: ConversionRequest, *, threads: int, artifacts: str) -> Any:
    """Return the converter for a request: by media type, and for PDFs by the layout that is asked for.

    Raises:
        UnsupportedType: no converter reads such files.
    """
    from corpus.converters.docling import DoclingFormats
    from corpus.converters.docling_models import DoclingModels
    from corpus.converters.geometric_pdf import GeometricPdf

    if request.media_type in GeometricPdf.media_types:
        return (
            DoclingModels(threads=threads, artifacts=artifacts) if request.layout == "docling" else GeometricPdf(threads=threads)
        )
    if request.media_type in DoclingFormats.media_types:
        return DoclingFormats(threads=threads)
    raise UnsupportedType(f"{request.name} is of a type that is not converted ({request.media_type}).")


def _pair(pages: Any) -> tuple[int, int] | None:
    return (int(pages[0]), int(pages[1])) if pages else None


def _own_channel() -> IO[str]:
    """Keep the real standard output for replies; everything else that prints goes to standard error."""
    channel = os.dup(1)
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    return os.fdopen(channel, "w", encoding="ascii")


def _end_with_parent() -> None:
    """Ask Linux to kill this process when its parent dies; elsewhere the end of the input does it."""
    if sys.platform.startswith("linux"):
        with contextlib.suppress(OSError):
            ctypes.CDLL(None, use_errno=True).prctl(PARENT_DEATH, signal.SIGKILL)


if __name__ == "__main__":
    main()
