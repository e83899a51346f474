"""Packs the rows of large tables: a table ↔ the same table with its rows as compressed blocks.

Reading and storing a packed table does not block the event loop. Its rows are unpacked block by block in a thread or in
a worker process.
"""

from __future__ import annotations

import base64
import zlib
from collections.abc import Iterator

from pydantic import TypeAdapter

from core.library.tables.records import Row, Table

LARGE_CELLS = 8_000
"""A table of at least this many cells is packed, because processing it would make others wait too long."""
BLOCK_ROWS = 500
_ROWS: TypeAdapter[list[Row]] = TypeAdapter(list[Row])


def pack(table: Table) -> Table:
    """The packed table; ``table`` itself if it is small or already packed."""
    if table.blocks or len(table.rows) * max(1, len(table.columns)) < LARGE_CELLS:
        return table
    blocks = [_block(table.rows[first : first + BLOCK_ROWS]) for first in range(0, len(table.rows), BLOCK_ROWS)]
    return table.model_copy(update={"rows": [], "blocks": blocks, "packed_rows": len(table.rows)})


def unpack(table: Table) -> Table:
    """``table`` with all its rows. Takes a second for 20,000 rows: call it in a thread or a worker process."""
    if not table.blocks:
        return table
    rows = [row for block in range(len(table.blocks)) for row in _rows(table, block)]
    return table.model_copy(update={"rows": rows, "blocks": [], "packed_rows": 0})


def rows_from(table: Table, first: int, most: int) -> list[Row]:
    """At most ``most`` rows starting at row ``first`` (from 0); only their blocks are unpacked."""
    if not table.blocks:
        return table.rows[first : first + most]
    begin = first // BLOCK_ROWS
    found: list[Row] = []
    for block in _blocks_from(table, begin, first + most):
        found += _rows(table, block)
    return found[first - begin * BLOCK_ROWS :][:most]


def _blocks_from(table: Table, begin: int, end_row: int) -> Iterator[int]:
    yield from range(begin, min(len(table.blocks), -(-end_row // BLOCK_ROWS)))


def _block(rows: list[Row]) -> str:
    return base64.b64encode(zlib.compress(_ROWS.dump_json(rows, exclude_defaults=True))).decode("ascii")


def _rows(table: Table, block: int) -> list[Row]:
    return _ROWS.validate_json(zlib.decompress(base64.b64decode(table.blocks[block])))
