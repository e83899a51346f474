"""Documents without pages as HTML; whoever shows it sanitises it first (``viz/rendition.py``)."""

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
"""By type, the module and its function from a path to HTML."""

RENDERED = frozenset(_RENDERERS)
"""The types that have a rendition of their own."""


def rendition(path: Path, mime: str, encoding: str = "") -> str:
    """The HTML of ``path``, of a text in the ``encoding`` that was chosen for it.

    Raises ``LookupError`` for another type, and whatever a parser meets in a broken file.
    """
    module, _, function = _RENDERERS[mime].partition(".")
    render = getattr(import_module(f"{__name__}.{module}"), function)
    if mime.startswith("text/"):
        return cast("Callable[[Path, str], str]", render)(path, encoding)
    return cast("Callable[[Path], str]", render)(path)
