"""Finds second letters that PDFium dropped: *a letter and the one after it* → how far the word goes on.

PDFium takes a letter that overlaps an equal letter before it for text that was drawn twice to look bold, and drops it.
An italic "f" is drawn over half of the next one, so "Effect" becomes "Ef ect" where each letter is drawn separately.
The page still has the second letter as a text object, but that object has no characters.
"""

from __future__ import annotations

import ctypes
import math
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import pypdfium2.raw as pdfium

_LEAST_STEP = 0.15
"""Distance in ems between two letters; copies that make a letter bold are closer."""
_SAME_STEP = 0.1
"""How far in ems the next letter may be from its place in the same word; a space is at least twice as wide."""
_MOST_OBJECTS = 20_000
_NO_TEXT = 2
"""Bytes of an empty text with its end mark."""


@dataclass(frozen=True, slots=True)
class DroppedLetter:
    """A letter that is drawn on the page and missing in PDFium's text."""

    right: float
    """Right edge of the letter in points."""
    is_inside: bool
    """Whether the word goes on after it, without a space."""


class DroppedLetters:
    """The dropped letters of a page; its text objects are listed when the first letter is looked up."""

    def __init__(self, textpage: Any) -> None:
        self._textpage = textpage
        self._next: dict[int, Any] | None = None

    def after(self, index: int, following: int, size: float) -> DroppedLetter | None:
        """The letter dropped after the character ``index``; ``None`` if there is none.

        Args:
            following: index of the next character that is drawn.
            size: type size in points.
        """
        if self._next is None:
            self._next = self._following_objects()
        text = self._textpage.raw
        drawn = self._next.get(_address(pdfium.FPDFText_GetTextObject(text, index)))
        if drawn is None:
            return None
        edges = [ctypes.c_float() for _ in range(4)]
        pdfium.FPDFPageObj_GetBounds(drawn, *edges)
        if edges[2].value - edges[0].value < 0.01 or edges[3].value - edges[1].value < 0.01:
            return None  # A space.
        matrix = pdfium.FS_MATRIX()
        pdfium.FPDFPageObj_GetMatrix(drawn, matrix)
        first, last = self._origin(index), self._origin(following)
        step = matrix.e - first[0]
        if abs(matrix.f - first[1]) > 0.01 * size or not _LEAST_STEP * size < step < size:
            return None
        if pdfium.FPDFTextObj_GetText(drawn, text, None, 0) > _NO_TEXT:
            return None
        is_inside = math.dist(last, (matrix.e + step, matrix.f)) < _SAME_STEP * size
        return DroppedLetter(edges[2].value, is_inside)

    def _following_objects(self) -> dict[int, Any]:
        """The text object after each text object of the page, by address."""
        page = self._textpage.page.raw
        count = min(pdfium.FPDFPage_CountObjects(page), _MOST_OBJECTS)
        objects = [pdfium.FPDFPage_GetObject(page, index) for index in range(count)]
        texts = [each for each in objects if pdfium.FPDFPageObj_GetType(each) == pdfium.FPDF_PAGEOBJ_TEXT]
        return {_address(each): after for each, after in pairwise(texts)}

    def _origin(self, index: int) -> tuple[float, float]:
        x, y = ctypes.c_double(), ctypes.c_double()
        pdfium.FPDFText_GetCharOrigin(self._textpage.raw, index, x, y)
        return x.value, y.value


def _address(drawn: Any) -> int:
    return ctypes.cast(drawn, ctypes.c_void_p).value or 0
