"""Stores LangGraph's checkpoints next to the record store: in SQLite in the home folder, or in MongoDB."""

from __future__ import annotations

import asyncio
import random
import sqlite3
from collections.abc import AsyncIterator, Iterable, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import TYPE_CHECKING, Any

import aiosqlite
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.checkpoint.serde.base import SerializerProtocol
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver
from pydantic import BaseModel

from core import errors, events, words
from core.errors import no_room
from core.resilience.read_only import ReadOnly
from core.settings import Settings
from core.store.migrations.stored import FORMAT_NOTED
from core.store.silence import Silence
from core.store.sqlite.threads import FULL

if TYPE_CHECKING:
    from langgraph.checkpoint.mongodb import MongoDBSaver

Checkpointer = BaseCheckpointSaver[str] | BaseCheckpointSaver[int]

MONGODB_MISSING = (
    "MONGODB_URI is set, but LangGraph's MongoDB checkpointer is not installed. "
    'Install it with: pip install "palimpsest[mongodb]"'
)


def serializer(types: Iterable[type[BaseModel]] = ()) -> JsonPlusSerializer:
    """Deserializes only the models of ``core.events``, ``core.errors`` and ``core.words``, the ``types``, and what
    LangGraph itself considers safe. So a checkpoint cannot name code to run."""
    own = [
        model
        for module in (events, errors, words)
        for model in vars(module).values()
        if isinstance(model, type) and issubclass(model, BaseModel) and model.__module__ == module.__name__
    ]
    return JsonPlusSerializer(allowed_msgpack_modules=[*own, *types])


class EmbeddedCheckpointer(AsyncSqliteSaver):
    """LangGraph's checkpointer for SQLite, which refuses writes while the stores are ``read_only``."""

    def __init__(self, connection: aiosqlite.Connection, serde: SerializerProtocol, read_only: ReadOnly) -> None:
        super().__init__(connection, serde=serde)
        self._read_only = read_only

    async def aput(self, *given: Any, **named: Any) -> RunnableConfig:
        self._read_only.refuse()
        async with self._full_disk_in_words():
            return await super().aput(*given, **named)

    async def aput_writes(self, *given: Any, **named: Any) -> None:
        self._read_only.refuse()
        async with self._full_disk_in_words():
            await super().aput_writes(*given, **named)

    async def adelete_thread(self, thread_id: str) -> None:
        self._read_only.refuse()
        async with self._full_disk_in_words():
            await super().adelete_thread(thread_id)

    @asynccontextmanager
    async def _full_disk_in_words(self) -> AsyncIterator[None]:
        """Raises ``NoRoomError`` if SQLite found no disk space, and rolls back the unfinished write."""
        try:
            yield
        except sqlite3.OperationalError as error:
            if error.sqlite_errorname not in FULL:
                raise
            await self.conn.rollback()
            raise no_room("store.sqlite_lane.nothing_more_saved", detail=str(error)) from error

    def get_next_version(self, current: Any, channel: None) -> Any:
        return super().get_next_version(current, channel) if current is None else version_after(current)


def version_after(current: str | int) -> str | int:
    """The next version of a channel, of the same type as the current one. SQLite checkpointers use text versions and
    MongoDB's use numbers. A thread that was copied from one to the other keeps its type, because the two types
    cannot be compared."""
    if isinstance(current, int):
        return current + 1
    return f"{int(current.partition('.')[0]) + 1:032}.{random.random():016}"


@asynccontextmanager
async def open_checkpointer(
    settings: Settings, types: Iterable[type[BaseModel]] = (), read_only: ReadOnly | None = None
) -> AsyncIterator[Checkpointer]:
    """The checkpointer that the settings select, open inside the context; ``types`` are further models in a state.

    Raises:
        ImportError: MongoDB is selected and its optional package is missing; the message has the install command.
    """
    serde = serializer(types)
    if settings.mongodb_uri:
        saver = await asyncio.to_thread(_open_mongodb, settings, serde)
        try:
            yield saver
        finally:
            await asyncio.to_thread(saver.close)
        return
    settings.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    async with aiosqlite.connect(settings.folder / "checkpoints.sqlite") as connection:
        await _execute(connection, "PRAGMA synchronous = FULL")
        embedded = EmbeddedCheckpointer(connection, serde, read_only or ReadOnly())
        await embedded.setup()
        yield embedded


def _open_mongodb(settings: Settings, serde: JsonPlusSerializer) -> MongoDBSaver:
    try:
        from langgraph.checkpoint.mongodb import MongoDBSaver
    except ImportError as error:
        raise ImportError(MONGODB_MISSING) from error
    from pymongo import MongoClient

    from core.store.mongo import CONCERNS

    silence = Silence()

    class SharedCheckpointer(MongoDBSaver):
        """LangGraph's checkpointer for MongoDB, which continues threads that began in SQLite, and never overwrites a
        newer version with an older one."""

        def put(self, *given: Any, **named: Any) -> Any:
            with self._in_our_format():
                return super().put(*given, **named)

        def put_writes(self, *given: Any, **named: Any) -> None:
            with self._in_our_format():
                super().put_writes(*given, **named)

        @contextmanager
        def _in_our_format(self) -> Iterator[None]:
            answered = silence.ask()
            if silence.is_long:
                silence.end_if_overtaken(self.db[FORMAT_NOTED].find_one({"_id": "format"}))
            yield
            answered()

        def get_next_version(self, current: Any, channel: None) -> Any:
            return super().get_next_version(current, channel) if current is None else version_after(current)

    uri = settings.mongodb_uri.get_secret_value() if settings.mongodb_uri else ""
    milliseconds = int(settings.deadlines.truth * 1000)
    client: MongoClient[dict[str, object]] = MongoClient(
        uri, **CONCERNS, timeoutMS=milliseconds, serverSelectionTimeoutMS=milliseconds
    )
    return SharedCheckpointer(client, settings.mongodb_database, serde=serde)


async def scrub(checkpointer: Checkpointer) -> None:
    """Remove all traces of deleted threads from our own file; a server manages its own files."""
    if isinstance(checkpointer, AsyncSqliteSaver):
        async with checkpointer.lock:
            await checkpointer.conn.commit()
            await _execute(checkpointer.conn, "VACUUM")
            await _execute(checkpointer.conn, "PRAGMA wal_checkpoint(TRUNCATE)")


async def prune(checkpointer: Checkpointer, thread_id: str, keep: int = 1) -> int:
    """Delete all but the newest ``keep`` checkpoints of a thread, between runs; returns how many were deleted.

    Checkpoint ids increase with time, so one id separates old from new in subgraphs too. Not for graphs with a
    ``DeltaChannel``, whose state is spread over old checkpoints.
    """
    if keep < 1:
        raise ValueError("a thread without its newest checkpoint is deleted, not pruned")
    if isinstance(checkpointer, AsyncSqliteSaver):
        return await _prune_sqlite(checkpointer, thread_id, keep)
    from langgraph.checkpoint.mongodb import MongoDBSaver

    if not isinstance(checkpointer, MongoDBSaver):
        raise TypeError(f"cannot prune a {type(checkpointer).__name__}")
    return await asyncio.to_thread(_prune_mongodb, checkpointer, thread_id, keep)


async def _prune_sqlite(saver: AsyncSqliteSaver, thread_id: str, keep: int) -> int:
    oldest_kept = (
        "SELECT checkpoint_id FROM checkpoints WHERE thread_id = ?1 AND checkpoint_ns = '' "
        "ORDER BY checkpoint_id DESC LIMIT 1 OFFSET ?2"
    )
    older = f"WHERE thread_id = ?1 AND checkpoint_id < ({oldest_kept})"
    async with saver.lock:
        await _execute(saver.conn, f"DELETE FROM writes {older}", (thread_id, keep - 1))
        deleted = await _execute(saver.conn, f"DELETE FROM checkpoints {older}", (thread_id, keep - 1))
        await saver.conn.commit()
        return deleted


async def _execute(connection: aiosqlite.Connection, query: str, values: tuple[object, ...] = ()) -> int:
    """The number of changed rows. The cursor is closed in the connection's own thread, and never released in
    another."""
    async with connection.execute(query, values) as cursor:
        return cursor.rowcount


def _prune_mongodb(saver: MongoDBSaver, thread_id: str, keep: int) -> int:
    roots = saver.checkpoint_collection.find({"thread_id": thread_id, "checkpoint_ns": ""}, {"checkpoint_id": 1})
    oldest_kept = next(iter(roots.sort("checkpoint_id", -1).skip(keep - 1).limit(1)), None)
    if oldest_kept is None:
        return 0
    older = {"thread_id": thread_id, "checkpoint_id": {"$lt": oldest_kept["checkpoint_id"]}}
    saver.writes_collection.delete_many(older)
    return saver.checkpoint_collection.delete_many(older).deleted_count
