"""Finds the implementations of a contract by walking its folder, so that a new file is tested without being named."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from collections.abc import Iterator
from typing import Any


def classes_in(package: str, *, having: str) -> Iterator[Any]:
    """Give each public class of each module of the package that has the method `having`."""
    for module in pkgutil.iter_modules(importlib.import_module(package).__path__):
        loaded = importlib.import_module(f"{package}.{module.name}")
        for name, found in vars(loaded).items():
            own = inspect.isclass(found) and found.__module__.startswith(loaded.__name__)
            if own and not name.startswith("_") and hasattr(found, having):
                yield found
