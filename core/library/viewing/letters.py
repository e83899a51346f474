"""Reads the letters of a page in the order of its text layer, each with its position on the displayed page."""

from __future__ import annotations

import ctypes
from contextlib import closing
from dataclasses import dataclass
from typing import Any

from pypdfium2 import raw

from core.library.tables.records import Box
from core.library.viewing.records import Rectangle

_GRID = 1_000_000
"""A page is divided into this many device units in each direction; PDFium's own matrix then handles rotation and crop.
"""
_MOST_LETTERS = 100_000
_BREAKS = "\r\n"


@dataclass(frozen=True)
class Letter:
    """A letter on a page. ``line`` is its line number as PDFium breaks lines; ``box`` is ``None`` if it is not
    visible."""

    text: str
    page: int
    line: int
    box: Rectangle | None


def letters_of(page: Any, number: int) -> list[Letter]:
    """The letters of a pypdfium2 page; ``number`` is the page's number from 1. Letters outside the crop have no box."""
    letters: list[Letter] = []
    line = 0
    with closing(page.get_textpage()) as textpage:
        for index in range(min(textpage.count_chars(), _MOST_LETTERS)):
            code = raw.FPDFText_GetUnicode(textpage.raw, index)
            text = chr(code) if 0 < code <= 0x10FFFF else ""
            if text and text in _BREAKS:
                line += 1
            drawn = bool(text.strip()) and text.isprintable()
            letters.append(Letter(text, number, line, _box(page, textpage, index) if drawn else None))
    return letters


def shown_box(page: Any, box: Box) -> Rectangle | None:
    """Converts a box in points from the page's bottom left to fractions of the displayed page."""
    return _rectangle(_on_page(page, box[0], box[3]), _on_page(page, box[2], box[1]))


def _box(page: Any, textpage: Any, index: int) -> Rectangle | None:
    bounds = raw.FS_RECTF()
    if not raw.FPDFText_GetLooseCharBox(textpage.raw, index, bounds):
        return None
    return _rectangle(_on_page(page, bounds.left, bounds.top), _on_page(page, bounds.right, bounds.bottom))


def _rectangle(one: tuple[float, float], other: tuple[float, float]) -> Rectangle | None:
    """The rectangle between two corners; ``None`` if it is outside the crop."""
    left, right = sorted((one[0], other[0]))
    top, bottom = sorted((one[1], other[1]))
    left, top, right, bottom = (min(1.0, max(0.0, edge)) for edge in (left, top, right, bottom))
    return (left, top, right - left, bottom - top) if right > left and bottom > top else None


def _on_page(page: Any, x: float, y: float) -> tuple[float, float]:
    across, down = ctypes.c_int(), ctypes.c_int()
    raw.FPDF_PageToDevice(page.raw, 0, 0, _GRID, _GRID, 0, x, y, across, down)
    return across.value / _GRID, down.value / _GRID
