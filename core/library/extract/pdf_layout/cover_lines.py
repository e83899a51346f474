"""Reads the lines and type sizes of the first page with words, and detects whether a PDF is a slide deck."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from statistics import median

from core.language.vocabulary import pattern_of
from core.library.extract.pdf_layout.glyphs import Piece
from core.library.extract.pdf_layout.layout import Row, rows_of
from core.library.extract.pdf_layout.page import Page
from core.library.extract.text import normalise_line
from core.library.extracted import CoverLine

_MOST_LINES = 80
_FIRST_PAGES = 4
"""Number of pages that are searched for the cover, because scanned images and blank sheets may come first."""
_FEWEST_LETTERS = 12
_WIDE_GAP = 2.5
_OTHER_SIZE = 0.12
_SLIDE = 1.25
"""Smallest width-to-height ratio of a slide."""
_PAGES_BEHIND = 6
_HEAD = 0.12
"""Lowest position of a running header, as a fraction of the page height."""
_SPARSE = 1_200
"""Slides usually have at most this many characters."""
_PROGRAM = pattern_of("library/identity.cover.slide_program")


def cover_lines(pages: Sequence[Page], kept: Sequence[Sequence[Piece]]) -> list[CoverLine]:
    """The lines of the first page with words, from top to bottom; sizes are relative to the body text's size.

    ``kept`` is each page's text without its margins. Text of a line in two sizes, or with a wide gap, becomes two
    lines.
    """
    body = _body_size(pages)
    for page, pieces in list(zip(pages, kept, strict=True))[:_FIRST_PAGES]:
        flow = [piece for piece in pieces if piece.block is None]
        if sum(map(str.isalpha, "".join(piece.text for piece in flow))) >= _FEWEST_LETTERS:
            rows = rows_of(flow, page.right_to_left)[:_MOST_LINES]
            lines = [line for row in rows for line in _lines_of(row, page, body)]
            return _with_running_heads(lines, _heads_behind(pages, page))
    return []


def _heads_behind(pages: Sequence[Page], cover: Page) -> list[str]:
    """The text at the top of each of the following pages."""
    found = []
    for page in pages:
        if cover.number < page.number <= cover.number + _PAGES_BEHIND:
            middle = (page.top + page.bottom) / 2
            head = [piece for piece in page.pieces if page.has_in_margin(piece) and piece.bottom > middle]
            found.append(" ".join(row.text for row in rows_of(head, page.right_to_left)).casefold())
    return found


def _with_running_heads(lines: list[CoverLine], heads: Sequence[str]) -> list[CoverLine]:
    """Mark the lines that head the following pages together with a date or volume: the masthead of a periodical. A
    title may be repeated too, but without date or volume."""
    running = [line for line in lines if line.top < _HEAD and _runs(line, heads)]
    if not any(any(map(str.isdigit, line.text)) for line in running):
        return lines
    return [line.model_copy(update={"running": True}) if line in running else line for line in lines]


def _runs(line: CoverLine, heads: Sequence[str]) -> bool:
    text = line.text.casefold()
    return len(text) > 3 and sum(text in head for head in heads) * 2 > max(len(heads), 2)


def _lines_of(row: Row, page: Page, body: float) -> list[CoverLine]:
    parts: list[list[Piece]] = []
    for piece in row.pieces:
        if parts and _goes_on(parts[-1][-1], piece):
            parts[-1].append(piece)
        else:
            parts.append([piece])
    height = max(page.top - page.bottom, 1.0)
    lines = []
    for part in map(Row, parts):
        if text := normalise_line(part.text):
            lines.append(
                CoverLine(
                    text=text[:500],
                    size=round(part.size / body, 3) if body else 1.0,
                    top=round((page.top - part.top) / height, 4),
                    bottom=round((page.top - part.bottom) / height, 4),
                    start=round(part.x0, 1),
                    end=round(part.x1, 1),
                    bold=part.bold,
                    page=page.number,
                )
            )
    return lines


def _goes_on(before: Piece, after: Piece) -> bool:
    larger = max(before.size, after.size)
    gap = max(after.x0 - before.x1, before.x0 - after.x1)
    return abs(before.size - after.size) <= _OTHER_SIZE * larger and gap <= _WIDE_GAP * larger


def _body_size(pages: Sequence[Page]) -> float:
    """The size of most of the text."""
    sizes: Counter[float] = Counter()
    for page in pages:
        for piece in page.pieces:
            sizes[round(piece.size * 4) / 4] += len(piece.text)
    return sizes.most_common(1)[0][0] if sizes else 0.0


def are_slides(pages: Sequence[Page], widths: Sequence[float], metadata: Mapping[str, str]) -> bool:
    """Whether the file is a slide deck: the program that made it says so, or its pages are wide and have few words.

    Args:
        widths: the width-to-height ratio of each of the first pages.
        metadata: the properties of the file.
    """
    wide = bool(widths) and min(widths) >= _SLIDE
    if wide and any(_PROGRAM.search(metadata.get(name, "")) for name in ("Creator", "Producer", "Title")):
        return True
    read = [page.characters for page in pages if not page.is_scan]
    return wide and len(read) > 2 and median(read) <= _SPARSE
