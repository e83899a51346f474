"""Wraps a collection of records of one kind: *model* → written as JSON, validated when read."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from pydantic import BaseModel

from core.store.parsed_rows import ParsedRows
from core.store.scope import readable_rows, rows_of
from core.store.truth import Change, Collection, Filter, Json, Readable, Sort, Truth

MOST_AT_ONCE = 200
"""Maximum number of rows that are parsed on the event loop; more are parsed in a thread."""

Record = TypeVar("Record", bound=BaseModel)


@dataclass(frozen=True)
class TypedRecords(Generic[Record]):
    """Read access to ``rows`` whose documents are all of ``model``; ``parsed`` caches rows that are read often."""

    rows: Readable
    model: type[Record]
    parsed: ParsedRows[Record] | None = None

    async def get(self, id: str) -> Record | None:
        row = await self.rows.get(id)
        return self.model.model_validate(row) if row else None

    async def find(
        self, filter: Filter | None = None, *, sort: Sort = (), limit: int | None = None, after: Json | None = None
    ) -> list[Record]:
        rows = await self.rows.find(filter, sort=sort, limit=limit, after=after)
        read = self.parsed.read if self.parsed else self.model.model_validate
        if len(rows) <= MOST_AT_ONCE:
            return [read(row) for row in rows]
        return await asyncio.to_thread(lambda: [read(row) for row in rows])

    async def first(self, filter: Filter, *, sort: Sort = ()) -> Record | None:
        found = await self.find(filter, sort=sort, limit=1)
        return found[0] if found else None


@dataclass(frozen=True)
class TypedCollection(TypedRecords[Record]):
    """``rows`` whose documents are all of ``model``; to count or delete, use ``rows``."""

    rows: Collection

    async def put(self, record: Record) -> None:
        """Insert the record, or replace the one with its id."""
        await self.rows.upsert(stored(record))

    async def insert(self, *records: Record) -> None:
        """Insert all or none. Raises ``DuplicateError``."""
        await self.rows.insert_many([stored(record) for record in records])

    async def update(
        self, id: str, change: Change, *, if_version: int | None = None, where: Filter | None = None
    ) -> Record | None:
        """The updated record; ``None`` if none matches."""
        row = await self.rows.update(id, change, if_version=if_version, where=where)
        return self.model.model_validate(row) if row else None


def records_of(
    truth: Truth, user_id: str | None, name: str, model: type[Record], parsed: ParsedRows[Record] | None = None
) -> TypedCollection[Record]:
    """A user's own records; with ``None`` those of all users (administrators)."""
    return TypedCollection(rows_of(truth, user_id, name), model, parsed)


def readable_records(
    truth: Truth,
    user_id: str,
    group: str | None,
    name: str,
    model: type[Record],
    parsed: ParsedRows[Record] | None = None,
) -> TypedRecords[Record]:
    """A user's own records and those published to their ``group``, read-only."""
    return TypedRecords(readable_rows(truth, name, user_id, group), model, parsed)


async def pages(
    rows: Collection, size: int, filter: Filter | None = None, *, fields: Sequence[str] | None = None
) -> AsyncIterator[list[Json]]:
    """All documents in id order, read page by page, because each read has a time limit."""
    last: Json | None = None
    while page := await rows.find(filter, limit=size, after=last, fields=fields):
        yield page
        last = page[-1]


def stored(record: BaseModel) -> Json:
    """A record as a document."""
    return record.model_dump(by_alias=True, mode="json")
