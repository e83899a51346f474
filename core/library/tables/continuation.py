"""Joins tables that continue: over several pages into one record, and with the units of the table before them."""

from __future__ import annotations

from collections.abc import Sequence

from core.library.extracted import Block
from core.library.tables.records import Table
from core.library.tables.rendering import heading

_MOST_BETWEEN = 4
_LONGEST_BETWEEN = 140


def join_continued(blocks: Sequence[Block]) -> list[Block]:
    """The blocks, in which the parts of a table on several pages share one record; each keeps its page and its rows."""
    result: list[Block] = list(blocks)
    before: int | None = None
    for place, block in enumerate(blocks):
        if block.table is None:
            continue
        if before is not None and _are_near(result[before + 1 : place]):
            _connect(result, before, place)
        before = place
    return result


def _are_near(between: Sequence[Block]) -> bool:
    """Whether only titles are between them."""
    return len(between) <= _MOST_BETWEEN and all(len(block.text) <= _LONGEST_BETWEEN for block in between)


def _connect(blocks: list[Block], before: int, place: int) -> None:
    above, below = blocks[before].table, blocks[place].table
    assert above
    assert below
    if _continues_table(above, below, blocks[place]):
        joined = _continued_table(above, below)
        for index in range(len(blocks)):
            if blocks[index].table is above:
                blocks[index] = blocks[index].model_copy(update={"table": joined})
        blocks[place] = blocks[place].model_copy(update={"table": joined, "header": heading(joined) or None})
    elif below.units is None and above.scale != 1.0 and below.currency and below.currency == above.currency:
        named = below.model_copy(update={"units": above.units, "scale": above.scale})
        blocks[place] = blocks[place].model_copy(update={"table": named, "header": heading(named) or None})


def _continues_table(above: Table, below: Table, block: Block) -> bool:
    """Whether the table on the next page has the same headings or none."""
    if block.page is None or above.page_end is None or block.page != above.page_end + 1:
        return False
    if len(above.columns) != len(below.columns) or block.sheet:
        return False
    heads = [column.header for column in below.columns]
    if not any(heads):
        return bool(any(column.header for column in above.columns))
    same = heads == [column.header for column in above.columns]
    return same and (below.caption is None or above.caption is None or _are_similar(above.caption, below.caption))


def _are_similar(one: str, other: str) -> bool:
    first, second = one.lower(), other.lower()
    return first == second or first in second or second in first


def _continued_table(above: Table, below: Table) -> Table:
    return above.model_copy(
        update={
            "rows": [*above.rows, *below.rows],
            "notes": [*above.notes, *(note for note in below.notes if note not in above.notes)],
            "page_end": below.page_end,
            "caption": above.caption or below.caption,
            "units": above.units or below.units,
            "scale": above.scale if above.units else below.scale,
            "currency": above.currency or below.currency,
        }
    )
