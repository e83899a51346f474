"""Splits printed lines into cells, so that each number is a separate cell with its signs."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from core.library.extract.pdf_layout.glyphs import Piece
from core.library.extract.pdf_layout.layout import Row
from core.library.tables.cells import SIGNS, dates_in, is_date, is_figure, is_no_figure, is_year

_LEADERS = re.compile(r"(?:(?<!\s)\s++)?+(?:(?:\.\s?){4,}|…{2,}|_{4,})\s*")
_RAISED = "[⁰¹²³⁴⁵⁶⁷⁸⁹ᵃᵇᶜᵈᵉᶠᵍʰ]"
_TOKEN = re.compile(
    rf"(?<![\w-])\(?\s?[$€£₪¥]?\s?\(?[-−]?\d[\d,]*(?:\.\d+)?\s?\)?\s?%?\)?(?:\s?\((?:\d|[a-z])\)(?=\s|$))?{_RAISED}{{0,3}}|[$€£₪¥]?\s?[—–-]\s?%?|[$€£₪¥]"
    r"|n/m|N/M|NM|N/A|n/a|pts"
)
_ENDS = frozenset((")", "%", ")%", "pts", "bps", "x"))
_MARKER_GAP = 40.0
_MARKER = re.compile(r"[•●○▪■□◦·*†‡]|\(?(\d{1,2}|[a-zA-Z]|[ivx]{1,4})[.)]")
_MARKS = re.compile(r"(?:\(\w{1,2}\)\s*){2,}|\([a-z]\)|\[\w{1,2}\]")
_NEXT_SIGN = re.compile(r"(?:[\d)%] |[—–-]\s?)\$$")
_WIDTHS = {
    ",": 0.28, ".": 0.28, " ": 0.28, "(": 0.33, ")": 0.33, "-": 0.33, "%": 0.89, "—": 1.0, "/": 0.28,
}  # fmt: skip
_RAISED_WIDTH = 0.35
_ENDING = re.compile(rf"(?:[)%\s]|{_RAISED})+$")


@dataclass(frozen=True)
class LineCell:
    """A cell. ``x0`` to ``x1`` includes its signs; ``left`` to ``right`` does not, because columns align without them.
    ``place`` is its position on the page."""

    text: str
    x0: float
    x1: float
    left: float
    right: float
    bold: bool
    place: tuple[float, float, float, float]
    is_mark: bool = False
    """Footnote marks of a label whose words are on the line above."""

    @property
    def middle(self) -> float:
        return (self.x0 + self.x1) / 2

    @property
    def is_figure(self) -> bool:
        return is_figure(self.text)

    @property
    def is_value(self) -> bool:
        """Whether the cell is a number other than a year, or a placeholder for a number."""
        return not self.is_mark and ((is_figure(self.text) and not is_year(self.text)) or is_no_figure(self.text))

    @property
    def is_heading(self) -> bool:
        return is_year(self.text) or is_date(self.text) or not is_figure(self.text)


def cells_of_line(row: Row, right_to_left: bool) -> list[LineCell]:
    """The cells in reading direction; extents are mirrored on right-to-left pages."""
    cells = [cell for piece in row.pieces for cell in _cells_of_piece(piece, right_to_left)]
    cells.sort(key=lambda cell: cell.x0)
    cells = _signs_joined(_marker_joined(cells))
    if len(cells) > 1 and _MARKS.fullmatch(cells[0].text):
        cells[0] = replace(cells[0], is_mark=True)
    return cells


def _cells_of_piece(piece: Piece, right_to_left: bool) -> list[LineCell]:
    text = piece.text
    if (is_figure(text) and not _has_next_sign(text)) or (
        not any(map(str.isdigit, text)) and not any(sign in text for sign in SIGNS)
    ):
        label = _LEADERS.sub(" ", text).strip() or text
        return [_whole_cell(piece, label, right_to_left)]
    tokens = _tokens(text)
    if len(tokens) < 2:
        return [_whole_cell(piece, text, right_to_left)]
    natural = [sum(_WIDTHS.get(letter, 0.54) for letter in token) * piece.size for token in tokens]
    free = (piece.x1 - piece.x0 - sum(natural)) / (len(tokens) - 1)
    shrink = 1.0
    if free < 0:
        shrink, free = (piece.x1 - piece.x0) / sum(natural), 0.0
    cells: list[LineCell] = []
    at = piece.x0
    for token, width in zip(tokens, natural, strict=True):
        part = replace(piece, text=token, x0=at, x1=at + width * shrink)
        cells.append(_whole_cell(part, token, right_to_left))
        at += width * shrink + free
    return cells


def _has_next_sign(text: str) -> bool:
    """Whether the sign at its end belongs to the next column."""
    return bool(_NEXT_SIGN.search(text))


def _tokens(text: str) -> list[str]:
    """Numbers and signs of a piece that contains nothing else, or its label and the number after the dot leaders."""
    parts = [part for part in _LEADERS.split(text) if part]
    if len(parts) > 1:
        return [token for part in parts for token in (_tokens(part) or [part])]
    if len(dates := dates_in(text)) > 1:
        return dates
    tokens = [found.group().strip() for found in _TOKEN.finditer(text)]
    rest = _TOKEN.sub("", text)
    if not rest.strip() and len(tokens) > 1 and (_has_next_sign(text) or not is_figure(text)) and not is_date(text):
        return tokens
    if text[-1:] in SIGNS and (text[-2:-1] in " —–") and len(text) > 1:
        return [*(_tokens(text[:-1].strip()) or [text[:-1].strip()]), text[-1]]
    return []


def _whole_cell(piece: Piece, text: str, right_to_left: bool) -> LineCell:
    x0, x1 = (-piece.x1, -piece.x0) if right_to_left else (piece.x0, piece.x1)
    right = x1 - sum(_WIDTHS.get(sign, _RAISED_WIDTH) for sign in _ending(text)) * piece.size if is_figure(text) else x1
    return LineCell(text, x0, x1, x0, max(right, x0), piece.bold, (piece.x0, piece.bottom, piece.x1, piece.top))


def _ending(text: str) -> str:
    found = _ENDING.search(text)
    return found.group() if found else ""


def _marker_joined(cells: Sequence[LineCell]) -> list[LineCell]:
    """Join a bullet or number printed before a label with a gap."""
    if len(cells) < 2 or cells[1].x0 - cells[0].x1 >= _MARKER_GAP or not _MARKER.fullmatch(cells[0].text):
        return list(cells)
    if cells[1].is_value or is_year(cells[1].text):
        return list(cells)
    return [_joined_cell(cells[0], cells[1], " "), *cells[2:]]


def _signs_joined(cells: Sequence[LineCell]) -> list[LineCell]:
    joined: list[LineCell] = []
    for cell in cells:
        last = joined[-1] if joined else None
        if last and last.text in SIGNS and (cell.is_figure or is_no_figure(cell.text)):
            joined[-1] = replace(_joined_cell(last, cell, ""), left=cell.left, right=cell.right)
        elif last and cell.text in _ENDS and last.is_figure:
            joined[-1] = replace(_joined_cell(last, cell, ""), left=last.left, right=last.right)
        else:
            joined.append(cell)
    return joined


def _joined_cell(first: LineCell, second: LineCell, between: str) -> LineCell:
    a, b = first.place, second.place
    place = (min(a[0], b[0]), min(a[1], b[1]), max(a[2], b[2]), max(a[3], b[3]))
    text = f"{first.text}{between}{second.text}"
    return LineCell(text, first.x0, second.x1, first.left, second.right, first.bold, place)
