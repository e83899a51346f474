"""Documents without pages as HTML, one file a format; whoever shows it sanitises it first (``viz/rendition.py``)."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import cast

_OFFICE = "application/vnd.openxmlformats-officedocument."
_MODULES = {
    f"{_OFFICE}wordprocessingml.document": "word",
    f"{_OFFICE}spreadsheetml.sheet": "workbook",
    f"{_OFFICE}presentationml.presentation": "slides",
    "text/csv": "cells",
    "text/html": "web",
    "text/markdown": "markdown",
    "text/plain": "plain",
}
"""Module by type; each has ``render(path) -> HTML``."""

RENDERED = frozenset(_MODULES)
"""The types that have a rendition of their own."""


def rendition(path: Path, mime: str) -> str:
    """The HTML of ``path``; raises ``LookupError`` for another type, and whatever a parser meets in a broken file."""
    module = import_module(f"{__name__}.{_MODULES[mime]}")
    return cast("Callable[[Path], str]", module.render)(path)
