"""Assigns labels printed in the vertical middle of a group of rows to each of its rows.

If the table has ruled lines, there is none between the group's rows in the label's column. Without ruled lines, every
label must have as many unlabelled rows above as below, and the groups must repeat their rows or be spaced apart. Weaker
evidence cannot distinguish a merged label from the first entry of a table of contents.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from core.library.tables.cells import is_figure
from core.library.tables.grid import RawCell, RawRow

_SPACED = 1.2


def filled(rows: Sequence[Sequence[str]], joined: Sequence[bool]) -> list[list[str]]:
    """Rows of cells with the text of a merged first cell on each of its rows.

    Args:
        joined: for each row but the last, whether its first cell is joined to the one below, with no rule in between.
    """
    result = [list(row) for row in rows]
    start = 0
    for at in range(len(rows)):
        if at < len(joined) and joined[at]:
            continue
        text = " ".join(row[0] for row in rows[start : at + 1] if row and row[0])
        if at > start and text and not is_figure(text):
            for row in result[start : at + 1]:
                row[0] = text
        start = at + 1
    return result


def with_middle_labels(rows: Sequence[RawRow]) -> list[RawRow]:
    """The body rows of a table without rules; unchanged if not all labels are in the middle of their rows."""
    labels = [_label(row) for row in rows]
    if not rows or labels[0] is not None or sum(label is not None for label in labels) < 1:
        return list(rows)
    groups = _groups(rows, labels)
    if not groups or not (_repeats(groups) or _is_spaced(groups)):
        return list(rows)
    for group in groups:
        label = next(found for row in group if (found := _label(row)) is not None)
        for row in group:
            row.cells = [RawCell(label.text, 0, 1, label.box), *(cell for cell in row.cells if cell.start > 0)]
            row.indent = 0.0
    return list(rows)


def _groups(rows: Sequence[RawRow], labels: Sequence[RawCell | None]) -> list[list[RawRow]]:
    """The rows around each label, as many above as below; empty if the numbers do not match."""
    groups: list[list[RawRow]] = []
    start = 0
    while start < len(rows):
        middle = next((at for at in range(start, len(rows)) if labels[at] is not None), None)
        if middle is None:
            return []
        end = middle + 1 + (middle - start)
        if end > len(rows) or any(labels[middle + 1 : end]) or not all(map(_is_named, rows[start:end])):
            return []
        groups.append(list(rows[start:end]))
        start = end
    return groups


def _repeats(groups: Sequence[Sequence[RawRow]]) -> bool:
    """Whether the groups repeat the same row names: the products of each region."""
    names = [_name(row) for group in groups for row in group]
    return len(groups) > 1 and 2 * len(set(names)) <= len(names)


def _is_spaced(groups: Sequence[Sequence[RawRow]]) -> bool:
    """Whether the gaps between groups are larger than those between their rows."""
    heights = [[cell.box[1] for row in group for cell in row.cells if cell.box and cell.start > 0] for group in groups]
    if len(groups) < 2 or not all(heights):
        return False
    inner = max(
        (
            max(abs(before - after) for before, after in pairwise(sorted(set(group))))
            for group in heights
            if len(set(group)) > 1
        ),
        default=0.0,
    )
    return all(min(above) - max(below) > _SPACED * inner > 0 for above, below in pairwise(heights))


def _name(row: RawRow) -> str:
    return next((cell.text for cell in row.cells if cell.start > 0), "")


def _label(row: RawRow) -> RawCell | None:
    return next((cell for cell in row.cells if cell.start == 0 and cell.text.strip()), None)


def _is_named(row: RawRow) -> bool:
    """Whether a row has its own words before its numbers."""
    own = [cell for cell in row.cells if cell.start > 0]
    return bool(own) and not is_figure(own[0].text) and any(is_figure(cell.text) for cell in own[1:])
