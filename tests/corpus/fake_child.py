"""A child that does to its parent what bad files do to real ones; what it does follows from the file's name."""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from pathlib import Path
from typing import Any


def reply(message: dict[str, Any]) -> None:
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


def misbehave(name: str) -> None:
    if name == "segfault":
        os.kill(os.getpid(), signal.SIGSEGV)
    if name == "killed":
        os.kill(os.getpid(), signal.SIGKILL)
    if name == "hang":
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        time.sleep(600)
    if name == "eat":
        held = [bytes(64 << 20) + bytes([number]) * (64 << 20) for number in range(64)]
        time.sleep(len(held) * 10)
    if name == "exit":
        sys.exit(3)


def main() -> None:
    reply({"ready": os.getpid()})
    for line in sys.stdin:
        asked = json.loads(line)
        if asked["do"] == "facts":
            count = int(asked["path"].rsplit("-", 1)[-1])
            page = {"width": 1.0, "height": 1.0, "characters": 9, "has_ink": True, "kind": "native", "hidden_characters": 0}
            reply({"result": {"pages": [{"number": number + 1, **page} for number in range(count)], "info": {}}})
            continue
        request = asked["request"]
        misbehave(Path(request["path"]).name)
        first, last = request["pages"] or (0, 0)
        if first <= 3 <= last and "bad-page" in request["path"]:
            reply({"error": "Corrupt", "message": "Page 3 is damaged.", "advice": ""})
            continue
        facts = {"width": 1.0, "height": 1.0, "characters": 9, "has_ink": True, "kind": "native", "hidden_characters": 0}
        pages = [{"number": number, **facts} for number in range(first, last + 1)] if first else []
        reply({"result": {"document": {"pid": os.getpid()}, "pages": pages, "warnings": [], "info": {}}})


if __name__ == "__main__":
    main()
