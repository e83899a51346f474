"""The agent's memory of conversations as a shelf: *checkpoints* → one row a thread, with its bytes as they are."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from dataclasses import asdict

from core.operations.moving.carrying import Row
from core.operations.moving.documents import digest
from core.store.threads.stored import StoredThread, ThreadStore


class Threads:
    """``Shelf`` of all threads."""

    name = "checkpoints"

    def __init__(self, store: ThreadStore) -> None:
        self._store = store

    async def rows(self) -> AsyncIterator[Row[StoredThread]]:
        thread = await self._store.following("")
        while thread is not None:
            yield Row(thread.id, thread, digest(asdict(thread)))
            thread = await self._store.following(thread.id)

    async def put(self, rows: Sequence[Row[StoredThread]]) -> None:
        for each in rows:
            await self._store.replace(each.content)

    async def remove(self, keys: Sequence[str]) -> None:
        for each in keys:
            await self._store.delete(each)

    async def proof(self, row: Row[StoredThread]) -> Row[StoredThread]:
        return row
