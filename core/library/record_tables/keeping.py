"""Decides for the record tables of a document in memory which tables are kept and which passages get vectors."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from itertools import accumulate

from core.library.chunking.chunks import Chunk
from core.library.extract import problems
from core.library.extracted import Block
from core.library.record_tables.bounds import KEPT_CELLS, KEPT_CHARACTERS, KEPT_ROWS, SMALL_ROWS
from core.library.record_tables.columns import is_record_table, prose_of, text_columns
from core.library.tables.records import Row, Table
from core.library.tables.rendering import line


def may_be_kept(table: Table) -> bool:
    """Whether answers may be computed from the table; a table that is not kept is only searchable by keyword."""
    if len(table.rows) <= SMALL_ROWS:
        return True
    cells = len(table.rows) * (len(table.columns) + 1)
    if len(table.rows) > KEPT_ROWS or cells > KEPT_CELLS:
        return False
    return sum(len(cell.text) for row in table.rows for cell in row.cells) <= KEPT_CHARACTERS


def without_unkept(chunks: Sequence[Chunk], tables: Sequence[Table]) -> tuple[list[Chunk], list[Table]]:
    """The tables that are kept, and the passages with the tables' new numbers."""
    kept = [number for number, table in enumerate(tables) if may_be_kept(table)]
    if len(kept) == len(tables):
        return list(chunks), list(tables)
    now = {number: place for place, number in enumerate(kept)}
    numbered = [
        chunk if chunk.table is None else chunk.model_copy(update={"table": now.get(chunk.table)}) for chunk in chunks
    ]
    return numbered, [tables[number] for number in kept]


def with_records(
    chunks: Sequence[Chunk], blocks: Sequence[Block], tables: Sequence[Table], most: int
) -> tuple[list[Chunk], list[Table], list[problems.Note]]:
    """Mark the passages of records by how they are searched, with vectors for at most ``most`` of them. Returns them
    with the tables that are kept and notes on both for the user."""
    found, vectors = marked(chunks, blocks, most)
    found, kept = without_unkept(found, tables)
    notes = [problems.texts_by_words(most)] if vectors >= most > 0 else []
    if len(kept) < len(tables):
        notes.append(problems.found_by_words(max(len(table.rows) for table in tables)))
    return found, kept, notes


def sampled(blocks: Sequence[Block]) -> list[Block]:
    """``blocks`` with only the beginning of each table of records, used to describe the document."""
    return [_beginning(block) if block.table and is_record_table(block.table) else block for block in blocks]


def _beginning(block: Block) -> Block:
    return block.model_copy(update={"text": "\n".join(block.text.split("\n", SMALL_ROWS)[:SMALL_ROWS])})


def marked(chunks: Sequence[Chunk], blocks: Sequence[Block], most: int) -> tuple[list[Chunk], int]:
    """Chunks in which passages of records get a vector of their texts only, for at most ``most`` of them, or none; also
    returns how many get one."""
    found = list(chunks)
    vectors, offset = 0, 0
    starts = [chunk.start for chunk in chunks]
    for block in blocks:
        end = offset + len(block.text)
        if block.table and is_record_table(block.table):
            proses = _Proses(block, offset)
            for place in range(bisect_left(starts, offset), bisect_left(starts, end)):
                prose = proses.of(found[place]) if vectors < most else ""
                role = "body" if prose else "records"
                found[place] = found[place].model_copy(update={"role": role, "embedded": prose or None})
                vectors += bool(prose)
        offset = end + 2
    return found, vectors


class _Proses:
    """The texts in the text columns of a table's rows."""

    def __init__(self, block: Block, offset: int) -> None:
        assert block.table is not None
        rows = [row for row in block.table.rows if line(row)]
        cells = list(map(_cells, rows))
        columns = text_columns(cells)
        self._said = [prose_of(each, columns) for each in cells] if columns else []
        lengths = [len(text) + 1 for text in block.text.split("\n")]
        self._starts = [offset, *(offset + end for end in accumulate(lengths))]

    def of(self, chunk: Chunk) -> str:
        if not self._said:
            return ""
        first = bisect_right(self._starts, chunk.start) - 1
        last = bisect_left(self._starts, chunk.end)
        return "\n".join(filter(None, self._said[max(first, 0) : last]))


def _cells(row: Row) -> list[str]:
    return [row.label, *(cell.text for cell in row.cells)]
