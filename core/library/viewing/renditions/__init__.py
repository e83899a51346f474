"""Converts documents without pages to HTML; the caller must sanitise it before display (``viz/rendition.py``)."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import cast

_OFFICE = "application/vnd.openxmlformats-officedocument."
_RENDERERS = {
    f"{_OFFICE}wordprocessingml.document": "word.render",
    f"{_OFFICE}spreadsheetml.sheet": "workbook.render",
    f"{_OFFICE}presentationml.presentation": "slides.render",
    "application/vnd.ms-excel": "workbook.render_xls",
    "application/vnd.ms-excel.sheet.binary.macroenabled.12": "workbook.render_xlsb",
    "application/vnd.oasis.opendocument.spreadsheet": "workbook.render_ods",
    "text/csv": "cells.render",
    "text/html": "texts.render_html",
    "text/markdown": "texts.render_markdown",
    "text/plain": "texts.render_plain",
}
"""For each type, the module and its function from a path to HTML."""

RENDERED = frozenset(_RENDERERS)
"""The types that have an HTML view."""


def rendition(path: Path, mime: str, encoding: str = "") -> str:
    """The HTML of ``path``; for text files, in the ``encoding`` that was chosen.

    Raises ``LookupError`` for another type, and any parser error for a broken file.
    """
    module, _, function = _RENDERERS[mime].partition(".")
    render = getattr(import_module(f"{__name__}.{module}"), function)
    if mime.startswith("text/"):
        return cast("Callable[[Path, str], str]", render)(path, encoding)
    return cast("Callable[[Path], str]", render)(path)
