"""Finds a passage and its quote on the pages of an open PDF: in the text layer first, with OCR on scanned pages."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pypdfium2

from core.library.viewing.cell_place import place_of
from core.library.viewing.letters import Letter, letters_of
from core.library.viewing.locating import Searchable, Span, locate, rectangles
from core.library.viewing.orders import Find, Found
from core.library.viewing.pictures import Pages, PicturePages
from core.library.viewing.records import Marks, Rectangle

_LEAST_LETTERS = 9
"""A page with fewer letters in its text layer counts as a scan."""


def find(pages: Pages | PicturePages, order: Find) -> Found:
    letters = [letter for number in order.pages for letter in _letters(pages, number, order)]
    text = Searchable.of(letters)
    passage = locate(text, order.passage) if order.passage.strip() else []
    within = (min(span[0] for span in passage), max(span[1] for span in passage)) if passage else None
    quote = _first_located(text, order, within)
    strong, light = rectangles(letters, quote), rectangles(letters, passage)
    cell = _cell_rectangles(pages, text, order, quote)
    marks = {
        number: Marks(cell=cell.get(number, []), quote=strong.get(number, []), passage=light.get(number, []))
        for number in sorted(cell.keys() | strong.keys() | light.keys())
    }
    page = min(cell or strong or light, default=None)
    return Found(page=page, marks=marks, quote_found=bool(cell or strong), passage_found=bool(light))


def _cell_rectangles(
    pages: Pages | PicturePages, text: Searchable, order: Find, row: list[Span]
) -> dict[int, list[Rectangle]]:
    wanted = order.cell
    if wanted is None:
        return {}
    boxed = pages.shown(wanted.page, wanted.box) if wanted.box and wanted.page in order.pages else None
    return place_of(wanted, boxed, text, row)


def _first_located(text: Searchable, order: Find, within: Span | None) -> list[Span]:
    quotes = (quote for quote in order.quotes if quote.strip())
    return next((spans for quote in quotes if (spans := locate(text, quote, within, order.lead))), [])


def _letters(pages: Pages | PicturePages, number: int, order: Find) -> list[Letter]:
    letters = pages.letters(number)
    if order.scans is None or sum(letter.text.isalnum() for letter in letters) >= _LEAST_LETTERS:
        return letters
    words = _recognised(pages, number, order.scans / f"{number}.words", order.seconds)
    return _letters_of_scan(words, number) if words else letters


def _recognised(pages: Pages | PicturePages, number: int, kept: Path, seconds: float) -> bytes | None:
    """A PDF with the recognised words of a scan at their positions; made once and cached, even if there are none."""
    from core.library.extract import ocr

    if kept.exists():
        return kept.read_bytes() or None
    read = ocr.recognise(pages.image(number, ocr.RESOLUTION), seconds)
    words = read.words if read else None
    kept.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    arriving = kept.with_name(f"{kept.name}.part")
    arriving.write_bytes(words or b"")
    arriving.replace(kept)
    return words


def _letters_of_scan(words: bytes, number: int) -> list[Letter]:
    with pypdfium2.PdfDocument(words) as document, closing(document[0]) as page:
        return letters_of(page, number)
