"""Renders a passage's text: paragraphs, and tables as tables, with the quote marked in both."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup, escape

from viz.cells import CELL, is_figure

_BEGIN, _END = "\ue000", "\ue001"
"""Private-use characters that mark the beginning and end of the quote until the text is converted to HTML."""
_LONGEST_LABEL = 90
"""Maximum characters of a line between two table rows that counts as a heading; a longer line is a paragraph."""


@dataclass(frozen=True)
class Drawn:
    """A cell or a paragraph; a ``figure`` is aligned to the end of its column."""

    html: Markup
    figure: bool = False


Row = tuple[Drawn, ...]


@dataclass(frozen=True)
class Piece:
    """A paragraph of lines, or the rows of a table, padded to the same number of cells."""

    text: str = ""
    rows: tuple[Row, ...] = ()


def pieces(text: str, quote: str = "") -> list[Piece]:
    """The parts of ``text`` in order, escaped, with the first occurrence of ``quote`` (ignoring white space) marked."""
    marked = _with_quote_marked(text.replace(_BEGIN, "").replace(_END, ""), quote)
    lines = marked.split("\n")
    kinds = [_is_row(lines, place) for place in range(len(lines))]
    found: list[Piece] = []
    start, opened = 0, False
    for place in range(1, len(lines) + 1):
        if place < len(lines) and kinds[place] == kinds[start]:
            continue
        block = lines[start:place]
        piece, opened = _table_piece(block, opened) if kinds[start] else _paragraph(block, opened)
        if piece.rows or piece.text.strip():
            found.append(piece)
        start = place
    return found


def quote_in(text: str, quote: str) -> re.Match[str] | None:
    """The first occurrence of a quote, ignoring white space."""
    return re.search(r"\s+".join(map(re.escape, quote.split())), text) if quote.strip() else None


def _with_quote_marked(text: str, quote: str) -> str:
    found = quote_in(text, quote)
    if found is None:
        return text
    return f"{text[: found.start()]}{_BEGIN}{found.group()}{_END}{text[found.end() :]}"


def _is_row(lines: Sequence[str], place: int) -> bool:
    """Whether the line is a row of cells, or a short line between two such rows."""
    if CELL in lines[place]:
        return True
    between = 0 < place < len(lines) - 1 and CELL in lines[place - 1] and CELL in lines[place + 1]
    return between and 0 < len(lines[place].strip()) <= _LONGEST_LABEL


def _paragraph(lines: Sequence[str], opened: bool) -> tuple[Piece, bool]:
    html, opened = _html("\n".join(lines).strip("\n"), opened)
    return Piece(text=html), opened


def _table_piece(lines: Sequence[str], opened: bool) -> tuple[Piece, bool]:
    split = [line.split(CELL) for line in lines]
    width = max(map(len, split))
    rows = []
    for cells in split:
        names = len(cells) == width - 1 > 1 and not any(is_figure(_unmarked(cell)) for cell in cells)
        padded = ["", *cells] if names else [*cells, *[""] * (width - len(cells))]
        row = []
        for cell in padded:
            html, opened = _html(cell.strip(), opened)
            row.append(Drawn(html, figure=is_figure(_unmarked(cell))))
        rows.append(tuple(row))
    return Piece(rows=tuple(rows)), opened


def _unmarked(cell: str) -> str:
    return cell.replace(_BEGIN, "").replace(_END, "").strip()


def _html(text: str, opened: bool) -> tuple[Markup, bool]:
    """The text as HTML; a quote that spans several cells is marked in each of them."""
    still = text.rfind(_BEGIN) > text.rfind(_END) or (opened and _END not in text)
    whole = f"{_BEGIN if opened else ''}{text}{_END if still else ''}".replace(f"{_BEGIN}{_END}", "")
    html = str(escape(whole)).replace(_BEGIN, "<mark>").replace(_END, "</mark>")
    return Markup(html), still
