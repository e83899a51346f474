"""Converts rows of cells to one table block, in the same way for every format."""

from __future__ import annotations

from collections.abc import Sequence

from core.library.extracted import Block
from core.library.tables.build import build
from core.library.tables.grid import grid_of
from core.library.tables.rendering import table_block as rendered
from core.library.tables.units import last_units

_LONGEST = 400
_NEAREST = 3
_LEADING = 12


def lines_above(blocks: Sequence[Block]) -> list[str]:
    """The lines before a table that may give its units and period, the nearest last: the last lines, or the ends of
    longer ones, and before them the units given in the paragraphs since the previous table."""
    since: list[str] = []
    for block in reversed(blocks[-_LEADING:]):
        if block.kind == "table":
            break
        since.insert(0, block.text)
    near = [block.text for block in blocks[-_NEAREST:] if block.kind != "table"]
    units = last_units(" ".join(since))
    return [*([f"({units.printed})"] if units else []), *(text[-_LONGEST:] for text in near)]


def table_block(
    rows: Sequence[Sequence[str]],
    headings: int | None = None,
    page: int | None = None,
    sheet: str | None = None,
    cautious: bool = False,
    caption: str | None = None,
    above: Sequence[str] = (),
    indents: Sequence[float] = (),
    spans: bool = False,
) -> Block | None:
    """A table as text and as a record, or ``None`` if every cell is empty.

    Args:
        rows: cells in reading order; short rows are filled with empty cells.
        headings: how many first rows are column headings; ``None`` to judge by the cells.
        cautious: require evidence for headings in a two-column table, because it may be a list of names and values.
        above: the lines before the table, the nearest last, which may give its units and period.
        spans: merged cells are given as repeated text.
    """
    grid = grid_of(rows, headings, page, indents, spans)
    if grid is None:
        return None
    grid.cautious, grid.sheet, grid.caption, grid.above = cautious, sheet, caption, list(above)
    table = build(grid)
    return rendered(table) if table else None
