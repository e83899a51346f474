"""Stores a document's outline and tables, which are kept next to its passages in the record store."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any, cast

from pydantic import TypeAdapter

from core.errors import PalimpsestError, fail
from core.ids import derived_id
from core.library.contextual.cache import CACHE
from core.library.structure.records import Outline
from core.library.tables.packing import pack
from core.library.tables.records import Row, Table
from core.store.scope import ScopedTruth
from core.store.truth import Collection, Json, Sorted, Truth

OUTLINES = "outlines"
TABLES = "tables"
FIGURES, FIGURE_LABELS = "document_figures", "figure_labels"
"""The figures of a document's tables and their index. ``core.figures.stored`` writes and reads them; they are removed
with the tables."""
CONTRADICTIONS, COMPARED = "figure_contradictions", "compared_figures"
"""The figures that two documents print differently, and which documents were compared. ``core.figures.contradictions``
writes and reads them; they are removed with the tables of either document."""
DATASETS, DATASET_CORRECTIONS = "datasets", "dataset_corrections"
"""The datasets of a document, which are removed with the tables, and what a person has corrected in them, which stays
until the document is permanently deleted. ``core.datasets`` writes and reads both."""
_OF_TEXT = (FIGURE_LABELS, FIGURES, OUTLINES, TABLES, CONTRADICTIONS, COMPARED)
"""What is stored after the text was read; datasets are read from the file itself."""
_LONG = 500
"""Number of table rows that are validated in one step, and from which tables are parsed in a thread."""
_ROWS = TypeAdapter(list[Row])


def no_table() -> PalimpsestError:
    return fail("not_found", "library.contents.no_table")


def table_id(document_id: str, number: int) -> str:
    """The id of a document's table; it stays the same when the document is read again."""
    return derived_id("tbl", document_id, f"table {number}")


class Contents:
    """Stores outlines and tables. Every method is limited to the given user's data."""

    def __init__(self, truth: Truth) -> None:
        self._truth = truth

    async def ensure(self) -> None:
        await self._truth.collection(OUTLINES).ensure(sort=[Sorted(("user_id", "document_id"))])
        await self._truth.collection(TABLES).ensure(sort=[Sorted(("user_id", "document_id", "number"))])

    async def put(self, user_id: str, document_id: str, outline: Outline, tables: Sequence[Table]) -> None:
        """Replace the stored outline and tables of a document, and remove the figures of the tables before."""
        await self._remove(user_id, document_id, _OF_TEXT)
        await self.put_outline(user_id, document_id, outline)
        rows = [
            _row(document_id, number, table.model_dump(mode="json", exclude_defaults=True))
            for number, table in enumerate(tables)
        ]
        if rows:
            await self._collection(user_id, TABLES).insert_many(rows)

    async def put_outline(self, user_id: str, document_id: str, outline: Outline) -> None:
        row = {"_id": document_id, "document_id": document_id, **outline.model_dump(mode="json")}
        await self._collection(user_id, OUTLINES).upsert(row)

    async def add(self, user_id: str, document_id: str, number: int, table: Json) -> None:
        """Store a table as JSON without default values."""
        await self._collection(user_id, TABLES).upsert(_row(document_id, number, table))

    async def outline(self, user_id: str, document_id: str) -> Outline:
        """The document's outline; empty if it has none."""
        row = await self._collection(user_id, OUTLINES).get(document_id)
        return Outline.model_validate(row) if row else Outline()

    async def tables(self, user_id: str, document_id: str) -> list[Table]:
        """All tables in reading order; passages refer to a table by its number in this list. Large tables are
        compressed."""
        rows = await self._collection(user_id, TABLES).find({"document_id": document_id}, sort=[("number", 1)])
        if sum(map(_rows_in, rows)) <= _LONG:
            return [_parsed(row) for row in rows]
        return await asyncio.to_thread(lambda: [_parsed(row) for row in rows])

    async def count_tables(self, user_id: str, document_id: str) -> int:
        return await self._collection(user_id, TABLES).count({"document_id": document_id})

    async def table(self, user_id: str, document_id: str, number: int) -> Table:
        """One table, compressed if it is large. Raises ``PalimpsestError`` ("not_found")."""
        row = await self._collection(user_id, TABLES).get(table_id(document_id, number))
        if row is None:
            raise no_table()
        return _parsed(row) if _rows_in(row) <= _LONG else await asyncio.to_thread(_parsed, row)

    async def remove(self, user_id: str, document_id: str) -> None:
        await self._remove(user_id, document_id, (DATASETS, *_OF_TEXT))

    async def _remove(self, user_id: str, document_id: str, names: Sequence[str]) -> None:
        for name in names:
            await self._collection(user_id, name).delete({"document_id": document_id})
        if CONTRADICTIONS in names:
            await self._collection(user_id, CONTRADICTIONS).delete({"other_id": document_id})

    async def remove_text(self, user_id: str, document_id: str) -> None:
        """Removes what was stored after an earlier reading of the text; the datasets of the file stay."""
        await self._remove(user_id, document_id, _OF_TEXT)

    async def forget(self, user_id: str, document_id: str) -> None:
        """Do the same as ``remove``, and delete what a model wrote about the passages and what a person corrected: the
        document is permanently deleted."""
        await self.remove(user_id, document_id)
        for name in (CACHE, DATASET_CORRECTIONS):
            await self._collection(user_id, name).delete({"document_id": document_id})

    def _collection(self, user_id: str, name: str) -> Collection:
        return ScopedTruth(self._truth, user_id).collection(name)


def _rows_in(row: Json) -> int:
    return len(cast("dict[str, Any]", row["table"]).get("rows", ()))


def _parsed(row: Json) -> Table:
    """Parse a table, some rows at a time, so that other threads run in between if it is long."""
    table = cast("dict[str, Any]", row["table"])
    rows = table.get("rows", [])
    if len(rows) <= _LONG:
        return pack(Table.model_validate(table))
    parts = (_ROWS.validate_python(rows[start : start + _LONG]) for start in range(0, len(rows), _LONG))
    whole = Table.model_validate({**table, "rows": []})
    return pack(whole.model_copy(update={"rows": [row for part in parts for row in part]}))


def _row(document_id: str, number: int, table: Json) -> Json:
    return {"_id": table_id(document_id, number), "document_id": document_id, "number": number, "table": table}
