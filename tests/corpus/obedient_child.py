"""A conversion child that does what the file's text says, so that a test can say what goes wrong."""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from pathlib import Path
from typing import Any

FACTS = {"width": 1.0, "height": 1.0, "characters": 9, "has_ink": True, "hidden_characters": 0}


def reply(message: dict[str, Any]) -> None:
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


def pages_of(text: str) -> list[dict[str, Any]]:
    """Return a page for each kind in a line such as ``pages: native failed``."""
    line = next((line for line in text.splitlines() if line.startswith("pages:")), "pages:")
    return [{"number": number, "kind": kind, **FACTS} for number, kind in enumerate(line.split()[1:], start=1)]


def obey(text: str) -> None:
    if "segfault" in text:
        os.kill(os.getpid(), signal.SIGSEGV)
    if "killed-once" in text and not (mark := Path(text.split()[1])).exists():
        mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    if "hang" in text:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        time.sleep(600)
    if "slow" in text:
        time.sleep(2)


def answer(asked: dict[str, Any]) -> None:
    if asked["do"] == "chunk":
        text = asked["converted"]["document"]["text"]
        drafts = [
            {"ordinal": number, "text": line, "headings": [], "pages": [], "spans": [], "token_count": 1, "kind": "text"}
            for number, line in enumerate(text.splitlines())
        ]
        reply({"result": [] if "nothing" in text else drafts})
        return
    path = asked["path"] if asked["do"] == "facts" else asked["request"]["path"]
    text = Path(path).read_text(encoding="utf-8", errors="replace")
    if "locked" in text:
        reply({"error": "PasswordNeeded", "message": "The file is protected.", "advice": "Enter its password."})
    elif asked["do"] == "facts":
        reply({"result": {"pages": pages_of(text), "info": {}}})
    else:
        obey(text)
        first, last = asked["request"]["pages"] or (1, 10_000)
        pages = [page for page in pages_of(text) if first <= page["number"] <= last]
        reply({"result": {"document": {"text": text}, "pages": pages, "warnings": [], "info": {}}})


def main() -> None:
    reply({"ready": os.getpid()})
    for line in sys.stdin:
        answer(json.loads(line))


if __name__ == "__main__":
    main()
