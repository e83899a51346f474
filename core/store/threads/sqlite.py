"""Reads and writes threads in the file of the embedded checkpointer."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any, TypeVar

from core.store.threads.stored import StoredCheckpoint, StoredThread, StoredWrite

T = TypeVar("T")
SECONDS = 30.0
"""Seconds to wait for another process to release the file."""


class SqliteThreads:
    """``ThreadStore`` in the file of the embedded checkpointer, which has created its tables."""

    def __init__(self, path: Path) -> None:
        self._path = path

    async def following(self, id: str) -> StoredThread | None:
        return await self._with(lambda connection: _following(connection, id))

    async def replace(self, thread: StoredThread) -> None:
        def write(connection: sqlite3.Connection) -> None:
            _delete(connection, thread.id)
            connection.executemany(
                "INSERT INTO checkpoints (thread_id, checkpoint_ns, checkpoint_id, parent_checkpoint_id, type, "
                "checkpoint, metadata) VALUES (?, ?, ?, ?, ?, ?, ?)",
                [
                    (thread.id, each.namespace, each.id, each.parent, each.kind, each.value, _packed(each.metadata))
                    for each in thread.checkpoints
                ],
            )
            connection.executemany(
                "INSERT INTO writes (thread_id, checkpoint_ns, checkpoint_id, task_id, idx, task_path, channel, type, "
                "value) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                [
                    (
                        thread.id, each.namespace, each.checkpoint, each.task, each.number, each.path, each.channel,
                        each.kind, each.value,
                    )
                    for each in thread.writes
                ],
            )  # fmt: skip

        await self._with(write)

    async def delete(self, id: str) -> None:
        await self._with(lambda connection: _delete(connection, id))

    async def _with(self, work: Callable[[sqlite3.Connection], T]) -> T:
        def run() -> T:
            with closing(sqlite3.connect(self._path, timeout=SECONDS)) as connection, connection:
                return work(connection)

        return await asyncio.to_thread(run)


def _following(connection: sqlite3.Connection, id: str) -> StoredThread | None:
    found = connection.execute("SELECT min(thread_id) FROM checkpoints WHERE thread_id > ?", (id,)).fetchone()[0]
    if found is None:
        return None
    checkpoints = connection.execute(
        "SELECT checkpoint_ns, checkpoint_id, parent_checkpoint_id, type, checkpoint, metadata FROM checkpoints "
        "WHERE thread_id = ? ORDER BY checkpoint_ns, checkpoint_id",
        (found,),
    )
    writes = connection.execute(
        "SELECT checkpoint_ns, checkpoint_id, task_id, idx, task_path, channel, type, value FROM writes "
        "WHERE thread_id = ? ORDER BY checkpoint_ns, checkpoint_id, task_id, idx",
        (found,),
    )
    return StoredThread(
        found,
        tuple(
            StoredCheckpoint(namespace, id, parent, kind, value, json.loads(metadata))
            for namespace, id, parent, kind, value, metadata in checkpoints
        ),
        tuple(StoredWrite(*row) for row in writes),
    )


def _delete(connection: sqlite3.Connection, id: str) -> None:
    connection.execute("DELETE FROM writes WHERE thread_id = ?", (id,))
    connection.execute("DELETE FROM checkpoints WHERE thread_id = ?", (id,))


def _packed(metadata: dict[str, Any]) -> bytes:
    return json.dumps(metadata, ensure_ascii=False).encode("utf-8", "ignore")
