"""Reads forms whose labels are marked only by their position: one or several adjacent blocks of labels and values.

Every second column has labels, and the columns between have their values. :mod:`form_evidence` distinguishes them from
tables. If each block has a heading, the blocks are read one after another, otherwise row by row.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from core.library.extract.pdf_layout.form_evidence import Entry, end_in_colons, is_form
from core.library.extract.pdf_layout.glyphs import Box, Piece
from core.library.extract.pdf_layout.layout import Row, rows_of
from core.library.extracted import Block

_ALIGNED = 2.5
_APART = 3.5
"""Largest gap between two rows of one form, in type sizes."""
_WIDER = 1.7
"""Largest gap between two rows of one form, relative to the gaps between the previous rows."""
_LINE = 1.45
_CLOSER = 0.85
"""Largest line distance inside one label, relative to the row distance."""
_HALF = 0.8
_MOST_PIECES = 2_000
_MOST_COLUMNS = 8
_MOST_ROWS = 80
_FEWEST_ROWS = 3
_HEADING_ABOVE = 2.5
_HEADING_BELOW = 1.2

Extent = tuple[float, float]


def with_forms(pieces: Sequence[Piece], page: int, right_to_left: bool) -> list[Piece]:
    """The pieces of a page, with each form label and its value joined, under the headings of their blocks."""
    free = [piece for piece in pieces if piece.block is None and not piece.is_entry]
    if not 2 * _FEWEST_ROWS <= len(free) <= _MOST_PIECES:
        return list(pieces)
    rows = rows_of(free, right_to_left)
    made: list[Piece] = []
    gone: set[int] = set()
    at = 0
    while at < len(rows):
        form = _form_from(rows, at, right_to_left)
        if form is None or form.is_part:
            at = form.end if form else at + 1
            continue
        gone.update(id(piece) for row in (*form.heads, *form.rows) for piece in row.pieces)
        made += form.pieces(page)
        at = form.end
    return [piece for piece in pieces if id(piece) not in gone] + made


@dataclass
class _Form:
    blocks: list[list[tuple[float, Entry]]]
    """The entries of each block with the vertical positions of their labels."""
    rows: list[Row]
    end: int
    heads: list[Row] = field(default_factory=list)
    headings: list[Piece | None] = field(default_factory=list)
    is_part: bool = False
    """Whether it may be part of a table, whose rows are less regular, or of a form for :mod:`label_pairs`."""

    def pieces(self, page: int) -> list[Piece]:
        if not self.headings:
            placed = sorted(
                ((-top, at, entry) for at, block in enumerate(self.blocks) for top, entry in block),
                key=lambda each: each[:2],
            )
            return stacked([[entry for _, _, entry in placed]], [None], _box(self.rows), self.rows[-1].size, page)
        blocks = [[entry for _, entry in block] for block in self.blocks]
        return stacked(blocks, self.headings, _box([*self.heads, *self.rows]), self.rows[-1].size, page)


def _box(rows: Sequence[Row]) -> Box:
    left, right = min(row.x0 for row in rows), max(row.x1 for row in rows)
    return left, right, min(row.bottom for row in rows), max(row.top for row in rows)


def stacked(
    blocks: Sequence[Sequence[Entry]], headings: Sequence[Piece | None], box: Box, size: float, page: int
) -> list[Piece]:
    """Blocks as pieces one below the other, to be read one after another, inside ``box``."""
    left, right, bottom, top = box
    pieces: list[Piece] = []
    for entries, heading in zip(blocks, headings, strict=True):
        if heading is not None:
            pieces.append(replace(heading, x0=left, x1=left + heading.x1 - heading.x0))
        if text := "\n".join(entry.line for entry in entries):
            block = Block(text=text, page=page)
            pieces.append(Piece(text, left, right, bottom, top, size, False, block, is_entry=True))
    step = (top - bottom) / len(pieces)
    for at, piece in enumerate(pieces):
        piece.top, piece.bottom = top - at * step, top - (at + 0.9) * step
    return pieces


def _form_from(rows: Sequence[Row], start: int, right_to_left: bool) -> _Form | None:
    """The form whose first row of labels is ``start``."""
    if len(rows[start].pieces) < 2 or (start + 1 < len(rows) and rows[start].bold and not rows[start + 1].bold):
        return None
    end, columns = _end_of_form(rows, start)
    if end - start < _FEWEST_ROWS or not 2 <= len(columns) <= _MOST_COLUMNS or len(columns) % 2:
        return None
    if right_to_left:
        columns.reverse()
    run = list(rows[start:end])
    blocks = []
    for at in range(0, len(columns), 2):
        labels = [piece for row in run for piece in row.pieces if _touches(piece, columns[at])]
        values = [piece for row in run for piece in row.pieces if _touches(piece, columns[at + 1])]
        entries = _entries(labels, values, right_to_left)
        if not entries:
            return None
        blocks.append(entries)
    if not is_form([[entry for _, entry in block] for block in blocks]):
        return None
    above = rows[start - 1] if start and rows[start - 1].bottom - run[0].top <= _HEADING_ABOVE * run[0].size else None
    below = rows[end] if end < len(rows) and run[-1].bottom - rows[end].top <= _HEADING_BELOW * run[0].size else None
    form = _Form(blocks, run, end)
    if above and len(blocks) > 1 and (headings := _headings(above, run, columns)):
        form.heads, form.headings = [above], headings
    elif above and len(above.pieces) > 1:
        form.is_part = True
    if not form.headings and end_in_colons([entry.label for block in blocks for _, entry in block]):
        # Colons are better evidence than positions.
        form.is_part = True
    form.is_part |= below is not None and len(below.pieces) > 1 and not below.bold
    return form


def _end_of_form(rows: Sequence[Row], start: int) -> tuple[int, list[Extent]]:
    """Returns (end, columns): as many rows as keep the same separate columns and are close together."""
    columns = [(piece.x0, piece.x1) for piece in sorted(rows[start].pieces, key=lambda piece: piece.x0)]
    end = start + 1
    widest = 0.0
    while end < min(len(rows), start + _MOST_ROWS):
        above, row = rows[end - 1], rows[end]
        gap = above.bottom - row.top
        if gap > _APART * row.size or (widest and gap > max(_WIDER * widest, 0.8 * row.size)):
            break
        joined = _joined(columns, row)
        is_heading = len(row.pieces) == 1 and row.bold and not rows[start].pieces[0].bold
        if joined is None or abs(row.size - above.size) > 0.15 * row.size or is_heading:
            break
        widest, columns = max(widest, gap), joined
        end += 1
    return end, columns


def _joined(columns: Sequence[Extent], row: Row) -> list[Extent] | None:
    """The columns with a row's pieces; ``None`` if a piece spans two columns, or two pieces are in one."""
    result = list(columns)
    seen: set[int] = set()
    for piece in row.pieces:
        over = [at for at, extent in enumerate(result) if _touches(piece, extent)]
        if len(over) > 1 or (over and over[0] in seen):
            return None
        if over:
            low, high = result[over[0]]
            result[over[0]] = min(low, piece.x0), max(high, piece.x1)
            seen.add(over[0])
        else:
            result.append((piece.x0, piece.x1))
            order = sorted(range(len(result)), key=lambda at: result[at])
            seen = {order.index(at) for at in (*seen, len(result) - 1)}
            result = [result[at] for at in order]
    parted = all(before[1] < behind[0] for before, behind in pairwise(result))
    return result if parted and len(result) <= _MOST_COLUMNS else None


def _touches(piece: Piece, extent: Extent) -> bool:
    return piece.x0 < extent[1] and piece.x1 > extent[0]


def _entries(labels: Sequence[Piece], values: Sequence[Piece], right_to_left: bool) -> list[tuple[float, Entry]]:
    """Labels one below the other with their values; empty if they are not aligned."""
    begins = [piece.x1 if right_to_left else piece.x0 for piece in labels]
    if not labels or not values or max(begins) - min(begins) > 2 * _ALIGNED:
        return []
    ends = [(piece.x0, piece.x1) for piece in values]
    if all(max(side) - min(side) > 2 * _ALIGNED for side in zip(*ends, strict=True)):
        return []
    groups = _labels(labels, values)
    found: list[list[Piece]] = [[] for _ in groups]
    for value in values:
        at = _label_of(value, groups, values)
        if at is None:
            return []
        found[at].append(value)
    return [
        (
            group[0].top,
            Entry(
                " ".join(piece.text for piece in group),
                " ".join(piece.text for piece in own),
                all(piece.bold for piece in group) and not any(piece.bold for piece in own),
            ),
        )
        for group, own in zip(groups, found, strict=True)
    ]


def _labels(labels: Sequence[Piece], values: Sequence[Piece]) -> list[list[Piece]]:
    """Groups lines into labels: lines of one label are closer together than labels are, and its second line has no
    value next to it."""
    drops = [above.bottom - below.bottom for above, below in pairwise(labels)]
    usual = sorted(drops)[len(drops) // 2] if drops else 0.0
    have_colons = end_in_colons([label.text for label in labels])
    groups = [[labels[0]]]
    for drop, label in zip(drops, labels[1:], strict=True):
        last = groups[-1][-1]
        is_close = drop <= _LINE * label.size and (drop < _CLOSER * usual or label.text[:1].islower())
        is_rest = is_close and not any(_share_line(label, value) for value in values)
        if have_colons:
            is_rest = drop <= _LINE * label.size and not any(_share_line(last, value) for value in values)
        if is_rest and not last.text.endswith(":"):
            groups[-1].append(label)
        else:
            groups.append([label])
    return groups


def _label_of(value: Piece, groups: Sequence[Sequence[Piece]], values: Sequence[Piece]) -> int | None:
    """The label on the value's line, or centred next to its lines, or above."""
    for at, group in enumerate(groups):
        if any(_share_line(value, label) for label in group):
            return at
    for at, group in enumerate(groups):
        near = 0 < value.bottom - group[0].bottom <= _HALF * value.size
        if near and not any(_share_line(other, label) for other in values for label in group):
            return at
    above = [at for at, group in enumerate(groups) if group[0].bottom > value.bottom]
    return above[-1] if above else None


def _share_line(one: Piece, other: Piece) -> bool:
    return min(one.top, other.top) - max(one.bottom, other.bottom) > 0.5 * min(one.height, other.height)


def _headings(above: Row, run: Sequence[Row], columns: Sequence[Extent]) -> list[Piece | None]:
    """For each block, the heading in the row above the form; empty if that row does not contain headings."""
    set_apart = (piece.bold or piece.size > 1.05 * run[0].size for piece in above.pieces)
    if len(above.pieces) < 2 or not all(set_apart) or any(piece.text.endswith(":") for piece in above.pieces):
        return []
    found: list[Piece | None] = [None] * (len(columns) // 2)
    for piece in above.pieces:
        at = [
            block
            for block in range(len(found))
            if any(_touches(piece, column) for column in columns[2 * block : 2 * block + 2])
        ]
        if len(at) != 1 or found[at[0]] is not None:
            return []
        found[at[0]] = piece
    return found
