"""A collection of records of one kind: *model* → written as JSON, read as it was written."""

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
"""Rows that are made records on the event loop; more of them are made in a thread."""

Record = TypeVar("Record", bound=BaseModel)


@dataclass(frozen=True)
class TypedRecords(Generic[Record]):
    """``rows`` whose documents are all of ``model``, to be read; ``parsed`` keeps what is read over and over."""

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
    """``rows`` whose documents are all of ``model``; what is counted or deleted is asked of ``rows``."""

    rows: Collection

    async def put(self, record: Record) -> None:
        """Insert it, or replace the one with its id."""
        await self.rows.upsert(stored(record))

    async def insert(self, *records: Record) -> None:
        """All or none. Raises ``DuplicateError``."""
        await self.rows.insert_many([stored(record) for record in records])

    async def update(
        self, id: str, change: Change, *, if_version: int | None = None, where: Filter | None = None
    ) -> Record | None:
        """The record as it is then; ``None`` when there is none like that."""
        row = await self.rows.update(id, change, if_version=if_version, where=where)
        return self.model.model_validate(row) if row else None


def records_of(
    truth: Truth, user_id: str | None, name: str, model: type[Record], parsed: ParsedRows[Record] | None = None
) -> TypedCollection[Record]:
    """A user's own records; everyone's with ``None`` (administrators)."""
    return TypedCollection(rows_of(truth, user_id, name), model, parsed)


def readable_records(
    truth: Truth,
    user_id: str,
    group: str | None,
    name: str,
    model: type[Record],
    parsed: ParsedRows[Record] | None = None,
) -> TypedRecords[Record]:
    """A user's own records and those published to their ``group``, to be read alone."""
    return TypedRecords(readable_rows(truth, name, user_id, group), model, parsed)


async def pages(
    rows: Collection, size: int, filter: Filter | None = None, *, fields: Sequence[str] | None = None
) -> AsyncIterator[list[Json]]:
    """All documents in the order of their ids, however many there are: one read has a deadline."""
    last: Json | None = None
    while page := await rows.find(filter, limit=size, after=last, fields=fields):
        yield page
        last = page[-1]


def stored(record: BaseModel) -> Json:
    """A record as a document."""
    return record.model_dump(by_alias=True, mode="json")
