"""Provides original files as a shelf: one row per user and file content, compared by content."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, replace

from core.operations.moving.carrying import Row, Shelf
from core.operations.moving.shelves import digest
from core.store.files import FileStore, KeptFile, copy_and_hash


@dataclass(frozen=True)
class HeldFile:
    """A file, and the file store that contains it."""

    file: KeptFile
    store: FileStore


class OriginalFiles(Shelf[HeldFile]):
    """All files with a known owner. A folder's name does not show its user, so ``owners`` maps folders to users."""

    name = "files"

    def __init__(self, store: FileStore, owners: Mapping[str, str]) -> None:
        self._store = store
        self._owners = owners
        self.unowned = 0

    async def rows(self) -> AsyncIterator[Row[HeldFile]]:
        self.unowned = 0
        async for file in self._store.kept():
            user_id = file.user_id or self._owners.get(file.folder)
            if user_id is None:
                self.unowned += 1
                continue
            known = replace(file, user_id=user_id)
            told = [known.folder, known.user_id, known.sha256, list(known.references)]
            yield Row(known.key, HeldFile(known, self._store), digest(told))

    async def put(self, rows: Sequence[Row[HeldFile]]) -> None:
        for each in rows:
            held = each.content
            async with held.store.open(held.file.sha256, held.file.user_id or "") as path:
                await self._store.adopt(path, held.file)

    async def remove(self, keys: Sequence[str]) -> None:
        for each in keys:
            await self._store.discard(each)

    async def proof(self, row: Row[HeldFile]) -> Row[HeldFile]:
        """The row with the digest and the length of its content; the whole file is read for this."""
        held = row.content
        async with held.store.open(held.file.sha256, held.file.user_id or "") as path:

            def read() -> tuple[str, int]:
                with path.open("rb") as file:
                    found = copy_and_hash(file)
                return found.sha256, found.size

            sha256, size = await asyncio.to_thread(read)
        return replace(row, digest=digest([row.digest, sha256, size]))
