"""The conversion process of this thread, and what its errors mean for a file."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.conf import settings

from corpus.conversion_process import ConversionProcess, Limits
from corpus.converter import ConversionError, Crashed, NoText, PasswordNeeded
from corpus.models import State
from corpus.stage import Halt, StageError

_here = threading.local()


def process_here() -> ConversionProcess:
    """Return this thread's conversion process; it is kept from file to file and replaced when the settings change."""
    wanted: dict[str, Any] = settings.CONVERSION | {"child": settings.CONVERSION_CHILD}
    if getattr(_here, "wanted", None) != wanted:
        close_here()
        child = wanted.pop("child")
        _here.process = ConversionProcess(Limits(**wanted), child=child)
        _here.wanted = wanted | {"child": child}
    process: ConversionProcess = _here.process
    return process


def close_here() -> None:
    """End this thread's conversion process, if it has one."""
    if getattr(_here, "process", None) is not None:
        _here.process.close()
    _here.process = _here.wanted = None


@contextmanager
def errors_told(process: ConversionProcess) -> Iterator[None]:
    """Turn what a conversion raises into what a stage raises, with the peak of memory.

    Raises:
        Halt: a password or OCR is needed.
        StageError: anything else.
    """
    try:
        yield
    except PasswordNeeded as error:
        raise Halt(State.PASSWORD_NEEDED, str(error), error.advice) from error
    except NoText as error:
        raise Halt(State.NEEDS_OCR, str(error), error.advice) from error
    except ConversionError as error:
        detail: dict[str, Any] = {"kind": type(error).__name__, "peak_bytes": process.peak_bytes}
        if isinstance(error, Crashed):  # it may have been killed by others: the machine out of memory, an operator
            detail |= {"signal": error.signal, "soon": True}
        retryable = error.retryable or isinstance(error, Crashed)
        raise StageError(str(error), advice=error.advice, retryable=retryable, detail=detail) from error
