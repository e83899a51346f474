"""Labels printed in the vertical middle of the rows they are for → on each of those rows.

With rules, the label's column has none between its rows. Without, as many rows without a label stand above it as under
it, for every label of the table: nothing less tells a merged label from a heading.
"""

from __future__ import annotations

from collections.abc import Sequence

from core.library.tables.cells import is_figure
from core.library.tables.grid import RawCell, RawRow


def filled(rows: Sequence[Sequence[str]], joined: Sequence[bool]) -> list[list[str]]:
    """Rows of cells with the text of a merged first cell on all of its rows.

    Args:
        joined: for each row but the last, whether no rule parts its first cell from the one beneath.
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
    """The body rows of a table without rules; as they are where its labels are not all in the middle of their rows."""
    labels = [_label(row) for row in rows]
    if not rows or labels[0] is not None or sum(label is not None for label in labels) < 1:
        return list(rows)
    result: list[RawRow] = []
    start = 0
    while start < len(rows):
        middle = next((at for at in range(start, len(rows)) if labels[at] is not None), None)
        if middle is None:
            return list(rows)
        end = middle + 1 + (middle - start)
        label = labels[middle]
        group = rows[start:end]
        if end > len(rows) or any(labels[middle + 1 : end]) or label is None:
            return list(rows)
        if not all(_is_named(row) for row in group):
            return list(rows)
        for row in group:
            row.cells = [RawCell(label.text, 0, 1, label.box), *(cell for cell in row.cells if cell.start > 0)]
            row.indent = 0.0
        result += group
        start = end
    return result


def _label(row: RawRow) -> RawCell | None:
    return next((cell for cell in row.cells if cell.start == 0 and cell.text.strip()), None)


def _is_named(row: RawRow) -> bool:
    """Whether words of its own stand before the figures of a row."""
    own = [cell for cell in row.cells if cell.start > 0]
    return bool(own) and not is_figure(own[0].text) and any(is_figure(cell.text) for cell in own[1:])
