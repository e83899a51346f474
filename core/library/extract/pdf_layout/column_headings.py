"""Finds what is above the numbers of a page: column headings, the table's title and its units."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from core.language.vocabulary import pattern_of, phrase_of
from core.library.extract.pdf_layout.column_alignment import Band, spans_of
from core.library.extract.pdf_layout.layout import Row
from core.library.extract.pdf_layout.line_cells import LineCell
from core.library.tables.grid import RawCell
from core.library.tables.records import Box
from core.library.tables.units import is_units

_GAP = 2.2
_MOST_HEADS = 9
_MOST_TITLES = 6
_LONGEST_TITLE = 140
_RUNNING = pattern_of("library/extract.column_headings.running")
_SENTENCE = re.compile(phrase_of("library/extract.column_headings.sentence"))


@dataclass(frozen=True)
class Place:
    """The positions of the columns, and the end of the row labels next to them."""

    bands: Sequence[Band]
    labels: float


@dataclass
class ColumnHeadings:
    """The headings of a table. ``first`` is the line where the table begins, ``body`` its first row; in ``above`` the
    nearest line is last."""

    first: int
    body: int
    rows: list[tuple[int, list[RawCell]]] = field(default_factory=list)
    caption: str | None = None
    above: list[str] = field(default_factory=list)


def heads_above(
    rows: Sequence[Row], lines: Sequence[Sequence[LineCell]], start: int, free: int, place: Place
) -> ColumnHeadings:
    """Go up from the first row of numbers; ``free`` is the first line that no other table uses."""
    names: list[int] = []
    sections: list[int] = []
    at = start - 1
    while at >= free and start - at <= _MOST_HEADS + 4 and not rows[at].pieces[0].block:
        below = rows[at + 1]
        if rows[at].bottom - below.top > _GAP * max(below.size, rows[at].size):
            break
        kind = _row_kind(lines[at], rows[at].size, place)
        if kind in ("head", "units"):
            names.append(at)
        elif kind == "section" and not names and len(sections) < 4:
            sections.append(at)
        else:
            break
        at -= 1
    if not any(_row_kind(lines[line], rows[line].size, place) == "head" for line in names):
        # Lines above numbers without any heading are titles; lines with only units belong to the table.
        names, sections = ([line for line in names if line == start - 1], [])
    first = min([*names, *sections, start]) if names else start
    body = min([line for line in sections if not names or line > max(names)], default=start) if names else start
    size = rows[start].size
    heads = _named_columns([(line, lines[line]) for line in names], place, size)
    caption, above = _caption_and_lines(rows, first, free)
    return ColumnHeadings(first, body, heads, caption, above)


def _named_columns(
    lines: Sequence[tuple[int, Sequence[LineCell]]], place: Place, size: float
) -> list[tuple[int, list[RawCell]]]:
    """From the lowest line upward: a heading over one column widens the column for the headings above."""
    bands = [replace(band) for band in place.bands]
    heads: list[tuple[int, list[RawCell]]] = []
    for line, cells in sorted(lines, reverse=True, key=lambda item: item[0]):
        found = _head_cells(cells, Place(bands, place.labels), size)
        for cell in found:
            if cell.end == cell.start + 1 and cell.start and (own := _cell_at(cells, cell.box)):
                band = bands[cell.start - 1]
                band.x0, band.x1 = min(band.x0, own.x0), max(band.x1, own.x1)
        if found:
            heads.insert(0, (line, found))
    for (_, above), (_, below) in pairwise(heads):
        _go_on_below(above, below)
    return heads


def _go_on_below(above: Sequence[RawCell], below: list[RawCell]) -> None:
    """Join a narrower line, centred under a heading of several columns with nothing next to it, to that heading."""
    for upper in above:
        under = [at for at, cell in enumerate(below) if cell.start < upper.end and cell.end > upper.start]
        if upper.end - upper.start < 2 or len(under) != 1 or not upper.box:
            continue
        lower = below[under[0]]
        if lower.box and abs(sum(lower.box[::2]) - sum(upper.box[::2])) < 6 and not is_units(lower.text):
            below[under[0]] = replace(lower, start=upper.start, end=upper.end)


def _cell_at(cells: Sequence[LineCell], box: Box | None) -> LineCell | None:
    return next((cell for cell in cells if cell.place == box), None)


def _row_kind(cells: Sequence[LineCell], size: float, place: Place) -> str:
    """``head``: names columns; ``units``; ``section``: only a row label; otherwise ``title``."""
    edge = place.bands[0].x0
    text = " ".join(cell.text for cell in cells)
    if len(cells) == 1 and is_units(text):
        return "units"
    if any(cell.is_value for cell in cells) and not all(is_units(cell.text) for cell in cells if cell.is_value):
        return "title"
    over = [cell for cell in cells if _is_over(cell, cells, place, size)]
    beside = [cell for cell in cells if cell not in over]
    if over and len(beside) <= 2 and all(len(cell.text) <= 80 for cell in over) and len(text) <= 400:
        return "head"
    if len(cells) == 1 and cells[0].x1 < edge + 3 * size and len(text) <= 90 and not text.endswith("."):
        return "section"
    return "title"


def _is_over(cell: LineCell, cells: Sequence[LineCell], place: Place, size: float) -> bool:
    """Whether ``cell`` of the line ``cells`` names columns, and not the row labels or the whole table."""
    left, right = place.bands[0].x0, place.bands[-1].x1
    if cell.x0 > place.labels + 0.5 * size and (len(cells) > 1 or cell.x1 < right + 2 * size):
        return len(cells) > 1 or cell.x1 > left
    if cell.x0 < left - 3.5 * size and cell.right < place.bands[0].right - size:
        return False
    return left - 1.0 * size < cell.middle < right + 2 * size and cell.x0 > left - 5 * size


def _head_cells(cells: Sequence[LineCell], place: Place, size: float) -> list[RawCell]:
    bands = place.bands
    if len(cells) == 1 and is_units(cells[0].text):
        whole = _is_over(cells[0], cells, place, size)
        return [RawCell(cells[0].text, 1 if whole else 0, 1 + len(bands) if whole else 1, cells[0].place)]
    over = [cell for cell in cells if _is_over(cell, cells, place, size) or cell.x0 >= bands[0].x0]
    found = [RawCell(cell.text, 0, 1, cell.place) for cell in cells if cell not in over and cell.x0 < bands[0].x0]
    if len(found) > 1:
        found = [RawCell(" ".join(cell.text for cell in found), 0, 1, found[0].box)]
    for cell, (start, end) in zip(over, spans_of(over, bands, size), strict=True):
        if found and found[-1].start == 1 + start:
            found[-1] = RawCell(f"{found[-1].text} {cell.text}", found[-1].start, found[-1].end, found[-1].box)
        else:
            found.append(RawCell(cell.text, 1 + start, 1 + end, cell.place))
    return found


def _caption_and_lines(rows: Sequence[Row], first: int, free: int) -> tuple[str | None, list[str]]:
    """Returns (caption, lines above with the nearest last)."""
    above: list[str] = []
    titles: list[str] = []
    prose = False
    at = first - 1
    while at >= max(free, first - _MOST_TITLES) and not rows[at].pieces[0].block:
        row, text = rows[at], " ".join(rows[at].text.split())
        above.insert(0, text)
        is_title = len(text) <= _LONGEST_TITLE and not text.endswith((".", ";")) and not prose
        if not _RUNNING.fullmatch(text) and not is_units(text):
            if is_title and (row.bold or text.isupper() or (len(text) < 90 and not text.endswith((":", ",")))):
                titles.insert(0, text)
            else:
                prose = True
        at -= 1
    if titles:
        return " · ".join(titles[-3:]), above
    return _introduction(rows, first, free), above


def _introduction(rows: Sequence[Row], first: int, free: int) -> str | None:
    """The sentence that introduces the table, if it ends in a colon."""
    lines: list[str] = []
    for at in range(first - 1, max(free, first - 5) - 1, -1):
        row, text = rows[at], " ".join(rows[at].text.split())
        if row.pieces[0].block or _RUNNING.fullmatch(text) or (lines and (row.bold or text.endswith((".", ":")))):
            break
        if not (not lines and is_units(text)):
            lines.insert(0, text)
    if not lines or not lines[-1].endswith(":"):
        return None
    sentence = _SENTENCE.split(" ".join(lines))[-1]
    return sentence.rstrip(": ") if len(sentence) <= 300 else None
