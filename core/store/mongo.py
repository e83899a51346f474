"""Implements the record store on MongoDB: a replica set, a sharded cluster or a single node.

Writes are acknowledged by a majority of members after journaling, and reads see only data that a majority has. So
nothing that was read or acknowledged is lost when another member becomes primary. The driver repeats a write that is
interrupted by such a change while there is time; the server recognises its number and applies it once.

Queries give the same results as with SQLite. Where MongoDB's own query language has another meaning, the query is
written differently.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any, TypeVar, cast

import pymongo
from pymongo import AsyncMongoClient, DeleteOne, ReplaceOne, ReturnDocument, UpdateOne
from pymongo.asynchronous.client_session import AsyncClientSession
from pymongo.asynchronous.collection import AsyncCollection
from pymongo.asynchronous.database import AsyncDatabase
from pymongo.errors import (
    BulkWriteError,
    ConnectionFailure,
    DuplicateKeyError,
    NetworkTimeout,
    OperationFailure,
    PyMongoError,
)

from core.errors import fail
from core.resilience.dependencies import too_slow
from core.store import changes
from core.store.clusters.sharding import SHARD_KEYS, shard
from core.store.filters import (
    check_document,
    check_field,
    check_fields,
    check_limit,
    check_name,
    check_sort,
    free,
    number_text,
    parse,
)
from core.store.migrations.stored import FORMAT_NOTED
from core.store.mongo_query import Query, all_of, beyond, translate
from core.store.silence import Silence
from core.store.truth import (
    UNCHANGED,
    Change,
    Delete,
    DuplicateError,
    Filter,
    Json,
    Sort,
    Sorted,
    Unique,
    Upsert,
    Write,
)

T = TypeVar("T")

CONCERNS: Mapping[str, Any] = {"w": "majority", "journal": True, "readConcernLevel": "majority"}
"""Write and read concerns, set on the client, so that transactions and the file store of the same database use them
too."""
WRITE_FACTOR = 6.0
"""A write may take this many times the seconds of a read, because a whole book is one transaction."""
DUPLICATE = 11000
NOT_APPLICABLE = frozenset({2, 14, 28})
"""BadValue, TypeMismatch, PathNotViable: an update that the document does not allow."""


class MongoTruth:
    """``Truth`` in the database called ``database``. ``seconds`` limit a read, including the choice of a server; a
    write gets ``WRITE_FACTOR`` times as much."""

    def __init__(self, uri: str, database: str, seconds: float = 5.0, silence: Silence | None = None) -> None:
        self._silence = silence or Silence()
        self._uri = uri
        self._name = database
        self._seconds = seconds
        self._client: AsyncMongoClient[Json] | None = None
        self._transactions = False
        self._sharded = False

    async def start(self) -> None:
        """Connect on the running event loop, to which the client belongs.

        Raises:
            PalimpsestError: no server answers ("connection"), or it rejects the name or password ("auth").
        """
        self._client = AsyncMongoClient(
            self._uri,
            serverSelectionTimeoutMS=int(self._seconds * 1000),
            appname="palimpsest",
            tz_aware=True,
            readPreference="primary",
            **CONCERNS,
        )
        try:
            async with self.bounded():
                hello = await self._client.admin.command("hello")
        except BaseException:
            await self.stop()
            raise
        sharded = hello.get("msg") == "isdbgrid"
        self._transactions = sharded or "setName" in hello
        if sharded:
            async with self.bounded(None):
                await shard(self.database)
        self._sharded = sharded

    async def stop(self) -> None:
        if self._client is not None:
            await self._client.close()
            self._client = None

    @property
    def database(self) -> AsyncDatabase[Json]:
        if self._client is None:
            raise RuntimeError("the truth has not been started")
        return self._client.get_database(self._name)

    def shard_key(self, name: str) -> Sequence[str]:
        """The shard key fields of a collection, if it is sharded."""
        return SHARD_KEYS.get(name, ()) if self._sharded else ()

    def collection(self, name: str) -> MongoCollection:
        return MongoCollection(self, check_name(name))

    async def names(self) -> list[str]:
        """The names of the collections, without those of other software: files and checkpoints, whose names have a dot
        or are not ours."""
        async with self.bounded():
            found = await self.database.list_collection_names()
        return sorted(name for name in found if "." not in name and not name.startswith("checkpoint"))

    async def statistics(self) -> Mapping[str, float | None]:
        """In bytes: ``dataSize``, and ``fsTotalSize`` and ``fsUsedSize`` if the server knows its disk."""
        async with self.bounded():
            return await self.database.command("dbStats")

    async def scrub(self) -> None:
        """Does nothing, because the server manages its files."""

    @asynccontextmanager
    async def bounded(self, factor: float | None = 1.0) -> AsyncIterator[None]:
        """Limit the code inside to ``seconds`` × ``factor`` (or not at all), passed to the server as ``maxTimeMS``, and
        translate its errors. After a long silence, the data's format is checked first."""
        seconds = None if factor is None else self._seconds * factor
        answered = self._silence.ask()
        try:
            with pymongo.timeout(seconds):
                if self._silence.is_long:
                    self._silence.end_if_overtaken(await self.database[FORMAT_NOTED].find_one({"_id": "format"}))
                yield
                answered()
        except PyMongoError as error:
            raise translated_error(error, seconds or 0.0) from error

    async def all_or_none(
        self, writes: int, work: Callable[[AsyncClientSession | None], Awaitable[T]], *, whole: bool = True
    ) -> T:
        """Run ``work`` of this many writes in a transaction if the server supports transactions; a single write is
        atomic anyway. Writes of a process that died stay locked until its transaction times out, so none is used if
        a partial write does no harm (``whole``)."""
        if self._client is None or not self._transactions or writes < 2 or not whole:
            return await work(None)
        async with self._client.start_session() as session:
            return await session.with_transaction(work)


class MongoCollection:
    """``Collection`` in a MongoDB collection of the same name."""

    def __init__(self, truth: MongoTruth, name: str) -> None:
        self._truth = truth
        self._name = name

    @property
    def version(self) -> None:
        return None

    def unchanged(self, id: str, version: int) -> bool:
        return False

    @property
    def _documents(self) -> AsyncCollection[Json]:
        return self._truth.database[self._name]

    async def ensure(self, unique: Sequence[Unique] = (), sort: Sequence[Sorted] = ()) -> None:
        """Create what is missing, however long building an index over old documents takes."""
        async with self._truth.bounded(None):
            for constraint in unique:
                await self._documents.create_index([(check_field(name), 1) for name in constraint.fields], unique=True)
            for index in sort:
                fields = index.fields if "_id" in index.fields else (*index.fields, "_id")
                if fields != ("_id",):
                    await self._documents.create_index([(check_field(name), 1) for name in fields])

    async def get(self, id: str) -> Json | None:
        async with self._truth.bounded():
            return await self._documents.find_one({"_id": id})

    async def find(
        self,
        filter: Filter | None = None,
        *,
        sort: Sort = (),
        limit: int | None = None,
        after: Json | None = None,
        fields: Sequence[str] | None = None,
    ) -> list[Json]:
        order, kept = check_sort(sort), check_fields(fields)
        query = translate(parse(filter))
        if after is not None:
            query = all_of([query, beyond(order, after)])
        if check_limit(limit) == 0:
            return []
        projection = None if kept is None else dict.fromkeys(["_id", *kept], 1)
        async with self._truth.bounded():
            return await self._documents.find(
                query, projection, sort=order, limit=limit or 0, allow_disk_use=True
            ).to_list()

    async def insert_many(self, documents: Sequence[Json], *, whole: bool = True) -> None:
        for document in documents:
            check_document(document)
        if not documents:
            return

        async def insert(session: AsyncClientSession | None) -> None:
            try:
                await self._documents.insert_many(documents, session=session)
            except BulkWriteError as error:
                if session is None and whole:
                    inserted = documents[: error.details["nInserted"]]
                    await self._documents.delete_many({"_id": {"$in": [document["_id"] for document in inserted]}})
                raise

        async with self._truth.bounded(WRITE_FACTOR):
            await self._truth.all_or_none(len(documents), insert, whole=whole)

    async def upsert(self, document: Json, *, where: Filter | None = None) -> None:
        query = _own_or_new(document, where, self._truth.shard_key(self._name))
        async with self._truth.bounded(WRITE_FACTOR):
            try:
                await self._documents.replace_one(query, document, upsert=True)
            except DuplicateKeyError:
                # Another process inserted it in between: now it can be replaced, or it still conflicts.
                await self._documents.replace_one(query, document, upsert=True)

    async def upsert_many(self, documents: Sequence[Json]) -> None:
        key = self._truth.shard_key(self._name)
        requests = [ReplaceOne(_own_or_new(each, None, key), each, upsert=True) for each in documents]
        if not requests:
            return
        async with self._truth.bounded(WRITE_FACTOR):
            try:
                await self._documents.bulk_write(requests, ordered=False)
            except BulkWriteError:
                # As in upsert: another process inserted some in between. Unordered, so all others are written by now.
                await self._documents.bulk_write(requests, ordered=False)

    async def update(
        self, id: str, change: Change, *, if_version: int | None = None, where: Filter | None = None
    ) -> Json | None:
        condition, change = changes.checked_update(id, change, if_version, where)
        query = translate(parse(condition))
        async with self._truth.bounded(WRITE_FACTOR):
            if changes.is_empty(change):
                return await self._documents.find_one(query)
            return await self._documents.find_one_and_update(
                query, _operators(change), return_document=ReturnDocument.AFTER
            )

    async def update_where(self, filter: Filter, change: Change) -> int:
        changes.check_change(change)
        if changes.is_empty(change):
            return await self.count(filter)
        query = translate(parse(filter))
        async with self._truth.bounded(WRITE_FACTOR):
            return (await self._documents.update_many(query, _operators(change))).matched_count

    async def bulk(self, writes: Sequence[Write], *, whole: bool = True) -> None:
        key = self._truth.shard_key(self._name)
        requests = [request for write in writes if (request := _request(write, key)) is not None]

        async def write_all(session: AsyncClientSession | None) -> None:
            await self._documents.bulk_write(requests, ordered=True, session=session)

        if requests:
            async with self._truth.bounded(WRITE_FACTOR):
                await self._truth.all_or_none(len(requests), write_all, whole=whole)

    async def delete(self, filter: Filter) -> int:
        query = translate(parse(filter))
        async with self._truth.bounded(WRITE_FACTOR):
            return (await self._documents.delete_many(query)).deleted_count

    async def count(self, filter: Filter | None = None) -> int:
        query = translate(parse(filter))
        async with self._truth.bounded():
            return await self._documents.count_documents(query)

    async def count_by(self, field: str, filter: Filter | None = None) -> dict[str, int]:
        value = f"${check_field(field)}"
        elements = {"$cond": [{"$isArray": value}, {"$setUnion": [value, []]}, [value]]}
        stages: list[Mapping[str, Any]] = [
            {"$match": translate(parse(filter))},
            {"$project": {"value": elements}},
            {"$unwind": {"path": "$value", "preserveNullAndEmptyArrays": True}},
            {"$group": {"_id": "$value", "number": {"$sum": 1}}},
        ]
        counts: Counter[str] = Counter()
        async with self._truth.bounded():
            for group in await (await self._documents.aggregate(stages, allowDiskUse=True)).to_list():
                counts[_as_text(group.get("_id"))] += cast(int, group["number"])
        return dict(counts)

    async def claim(
        self, filter: Filter, *, owner: str, seconds: float, now: float, sort: Sort = (), change: Change = UNCHANGED
    ) -> Json | None:
        query = translate(parse(free(filter, now)))
        leased = change.also(lease_owner=owner, lease_until=now + seconds)
        async with self._truth.bounded(WRITE_FACTOR):
            return await self._documents.find_one_and_update(
                query, _operators(leased), sort=check_sort(sort), return_document=ReturnDocument.AFTER
            )


def _operators(change: Change) -> Query:
    parts = {"$set": change.set, "$inc": change.inc, "$push": change.push, "$unset": dict.fromkeys(change.unset, "")}
    return {operator: dict(values) for operator, values in parts.items() if values}


def _request(write: Write, key: Sequence[str]) -> ReplaceOne[Json] | UpdateOne | DeleteOne | None:
    if isinstance(write, Upsert):
        return ReplaceOne(_own_or_new(write.document, write.where, key), write.document, upsert=True)
    query = all_of([{"_id": write.id}, translate(parse(write.where))])
    if isinstance(write, Delete):
        return DeleteOne(query)
    changes.check_change(write.change)
    return None if changes.is_empty(write.change) else UpdateOne(query, _operators(write.change))


def _own_or_new(document: Json, where: Filter | None, key: Sequence[str]) -> Query:
    """The query of an upsert. A document that does not match ``where`` is not found, and the insert then conflicts with
    its _id. ``where`` is negated twice, which keeps its meaning but prevents MongoDB from taking values for a new
    document from it. ``key``: the shard key; the server must know where a new document goes."""
    query: Query = {**{field: {"$eq": document.get(field)} for field in key}, "_id": check_document(document)}
    return {**query, "$nor": [{"$nor": [translate(parse(where))]}]} if where else query


def _as_text(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return number_text(value)
    if isinstance(value, list | dict):
        return "[]" if isinstance(value, list) else "{}"
    return str(value)


def translated_error(error: PyMongoError, seconds: float) -> Exception:
    codes = {getattr(error, "code", None)}
    if isinstance(error, BulkWriteError):
        codes |= {one.get("code") for one in error.details.get("writeErrors", [])}
    if DUPLICATE in codes:
        return DuplicateError(str(error))
    if codes & NOT_APPLICABLE:
        return ValueError(str(error))
    if isinstance(error, NetworkTimeout) or (error.timeout and not isinstance(error, ConnectionFailure)):
        return too_slow("MongoDB", seconds)
    if isinstance(error, ConnectionFailure):
        return fail("connection", "store.mongo.mongodb_reached", detail=str(error))
    refused = isinstance(error, OperationFailure) and error.code in (13, 18)
    if refused:
        return fail("auth", "store.mongo.refused", detail=str(error))
    return fail("server", "store.mongo.failed", detail=str(error))
