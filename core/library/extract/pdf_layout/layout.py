"""Determines the reading order of a page: the rows of a column, and the columns of a page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from statistics import median

from core.library.extract.pdf_layout.glyphs import Piece

_GUTTER = 0.75
_COLUMN_WIDTH = 9.0
_NARROW_COLUMN = 6.0
_FEWEST_LINES = 3
_FULL_LINE = 0.7
_SHARE_OF_FULL_LINES = 0.35
_SHARE_OF_WHOLE_LINES = 0.6
_SHARE_OF_CHANGES = 0.1
_SHARE_OF_DIGITS = 0.3
_MOST_GUTTERS = 4
_DEEPEST = 12
_MOST_PIECES = 4_000
_MOST_BANDS = 400

_SIGNS = frozenset("$€£₪%—–-")

Gap = tuple[float, float]


@dataclass
class Row:
    """Pieces on one baseline, in reading order."""

    pieces: list[Piece]

    @property
    def x0(self) -> float:
        return min(piece.x0 for piece in self.pieces)

    @property
    def x1(self) -> float:
        return max(piece.x1 for piece in self.pieces)

    @property
    def top(self) -> float:
        return max(piece.top for piece in self.pieces)

    @property
    def bottom(self) -> float:
        return min(piece.bottom for piece in self.pieces)

    @property
    def filled(self) -> float:
        """The width that is covered with text."""
        return sum(piece.x1 - piece.x0 for piece in self.pieces)

    @property
    def size(self) -> float:
        return max(self.pieces, key=lambda piece: len(piece.text)).size

    @property
    def bold(self) -> bool:
        return all(piece.bold for piece in self.pieces)

    @property
    def italic(self) -> bool:
        return all(piece.italic for piece in self.pieces)

    @property
    def is_entry(self) -> bool:
        return any(piece.is_entry for piece in self.pieces)

    @property
    def text(self) -> str:
        return " ".join(piece.text for piece in self.pieces)


def rows_of(pieces: Sequence[Piece], right_to_left: bool) -> list[Row]:
    """Pieces on common baselines, top to bottom, each row in reading direction."""
    rows: list[Row] = []
    for piece in sorted(pieces, key=lambda piece: -(piece.top + piece.bottom)):
        if rows and _on_row(rows[-1], piece):
            rows[-1].pieces.append(piece)
        else:
            rows.append(Row([piece]))
    for row in rows:
        row.pieces.sort(key=lambda piece: -piece.x1 if right_to_left else piece.x0)
    return rows


def _on_row(row: Row, piece: Piece) -> bool:
    other = row.pieces[0]
    low, high = sorted((other.top - other.bottom, piece.top - piece.bottom))
    if low <= 0.5 * high:
        return False
    top = other.top if other.top < piece.top else piece.top
    bottom = other.bottom if other.bottom > piece.bottom else piece.bottom
    return top - bottom > 0.5 * low


def columns_of(pieces: Sequence[Piece], right_to_left: bool, depth: int = 0) -> list[list[Piece]]:
    """Regions of one column each, in reading order: columns in reading direction, with spanning text between them."""
    if depth >= _DEEPEST or not 6 <= len(pieces) <= _MOST_PIECES:
        return [list(pieces)]
    bands = _bands(pieces)
    left_end, right_end = min(piece.x0 for piece in pieces), max(piece.x1 for piece in pieces)
    least = _GUTTER * median(piece.size for piece in pieces)
    regions: list[list[Piece]] = []
    flow: list[Piece] = []
    position = 0
    while position < len(bands):
        if _is_row_of_figures(bands[position]):
            flow += bands[position]
            position += 1
            continue
        end, free = _shared_gaps(bands, position, (left_end, right_end), least)
        group = [piece for band in bands[position:end] for piece in band]
        gutter = next((middle for middle in free[:_MOST_GUTTERS] if _two_columns(group, middle)), None)
        if gutter is None:
            flow += bands[position]
            position += 1
            continue
        if flow:
            regions.append(flow)
            flow = []
        left, right = _left_and_right(group, gutter)
        for side in (right, left) if right_to_left else (left, right):
            regions += columns_of(side, right_to_left, depth + 1)
        position = end
    return [*regions, flow] if flow else regions


def _is_row_of_figures(band: Sequence[Piece]) -> bool:
    """Whether several cells of the band are numbers; text columns do not begin there."""
    return len(band) > 2 and sum(is_figure(piece.text) for piece in band) > 1


def is_figure(text: str) -> bool:
    """Whether ``text`` is a number and not words."""
    letters, digits, _ = _character_counts(text)
    return digits > letters or text in _SIGNS


def _bands(pieces: Sequence[Piece]) -> list[list[Piece]]:
    """Groups of pieces whose heights overlap, so that no horizontal line separates them."""
    bands: list[list[Piece]] = []
    bottom = 0.0
    for piece in sorted(pieces, key=lambda piece: -piece.top):
        margin = 0.15 * piece.height
        if bands and piece.top - margin > bottom:
            bands[-1].append(piece)
            bottom = min(bottom, piece.bottom + margin)
        else:
            bands.append([piece])
            bottom = piece.bottom + margin
    return bands


def _shared_gaps(bands: list[list[Piece]], start: int, within: Gap, least: float) -> tuple[int, list[float]]:
    """Returns (end, centres): as many bands from ``start`` as one vertical gap runs through, and the gaps, widest
    first."""
    free: list[Gap] = [within]
    end = start
    while end < min(len(bands), start + _MOST_BANDS):
        narrowed = free
        for piece in bands[end]:
            narrowed = _remaining_gaps(narrowed, piece.x0, piece.x1, least)
        inner = [gap for gap in narrowed if gap[0] > within[0] and gap[1] < within[1]]
        if not inner and (end > start or not narrowed):
            break
        free = narrowed
        end += 1
    inner = [gap for gap in free if gap[0] > within[0] and gap[1] < within[1]]
    return max(end, start + 1), [(low + high) / 2 for low, high in sorted(inner, key=lambda gap: gap[0] - gap[1])]


def _remaining_gaps(free: list[Gap], x0: float, x1: float, least: float) -> list[Gap]:
    kept: list[Gap] = []
    for low, high in free:
        if x1 <= low or x0 >= high:
            kept.append((low, high))
            continue
        kept += [gap for gap in ((low, x0), (x1, high)) if gap[1] - gap[0] >= least]
    return kept


def _two_columns(pieces: Sequence[Piece], gutter: float, depth: int = 0) -> bool:
    """Whether both sides are running text and not table cells.

    If the file writes one side completely before the other, they are columns. If it alternates between the sides,
    they are table rows, unless the lines fill their columns as sentences do.
    """
    left, right = _left_and_right(pieces, gutter)
    if min(len(left), len(right)) < _FEWEST_LINES or not (_is_wordy(right) and _is_wordy(left)):
        return False
    apart = _written_apart(left, right)
    return _is_prose(left, apart, depth) and _is_prose(right, apart, depth)


def _left_and_right(pieces: Sequence[Piece], gutter: float) -> tuple[list[Piece], list[Piece]]:
    """The pieces to the left and right of ``gutter``."""
    left: list[Piece] = []
    right: list[Piece] = []
    for piece in pieces:
        (left if piece.x0 + piece.x1 < 2 * gutter else right).append(piece)
    return left, right


def _written_apart(left: Sequence[Piece], right: Sequence[Piece]) -> bool:
    """Whether the file rarely switches from one side to the other."""
    sides = [side for _, side in sorted([(p.order, 0) for p in left] + [(p.order, 1) for p in right])]
    changes = sum(before != after for before, after in pairwise(sides))
    return changes <= max(1, _SHARE_OF_CHANGES * min(len(left), len(right)))


def _is_prose(pieces: Sequence[Piece], apart: bool, depth: int) -> bool:
    """Whether lines are words in one piece each; ``apart``: the file shows that the side is a separate column."""
    rows = rows_of(pieces, False)
    if len(rows) < _FEWEST_LINES:
        return False
    if sum(len(row.pieces) == 1 for row in rows) < _SHARE_OF_WHOLE_LINES * len(rows):
        return depth < 1 and _has_columns(pieces, depth + 1)
    usual = median(row.filled / row.size for row in rows)
    if apart:
        return usual >= _NARROW_COLUMN
    width = max(row.x1 for row in rows) - min(row.x0 for row in rows)
    full = sum(row.filled >= _FULL_LINE * width for row in rows)
    return usual >= _COLUMN_WIDTH and full >= _SHARE_OF_FULL_LINES * len(rows)


def _has_columns(pieces: Sequence[Piece], depth: int) -> bool:
    bands = _bands(pieces)
    within = min(piece.x0 for piece in pieces), max(piece.x1 for piece in pieces)
    least = _GUTTER * median(piece.size for piece in pieces)
    end, free = _shared_gaps(bands, 0, within, least)
    return 2 * end >= len(bands) and any(_two_columns(pieces, middle, depth) for middle in free)


def _is_wordy(pieces: Sequence[Piece]) -> bool:
    """Whether the text has more letters than digits and no dot leaders."""
    letters = digits = leaders = 0
    for piece in pieces:
        more = _character_counts(piece.text)
        letters += more[0]
        digits += more[1]
        leaders += more[2]
    return digits <= _SHARE_OF_DIGITS * (letters + digits) and leaders <= 0.1 * len(pieces)


@lru_cache(maxsize=8192)
def _character_counts(text: str) -> tuple[int, int, bool]:
    """Letters, digits, and whether there are dot leaders."""
    return sum(map(str.isalpha, text)), sum(map(str.isdigit, text)), "....." in text
