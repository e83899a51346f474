"""Runs the index inside this process: Qdrant's engine on a folder.

``<folder>/served.json`` names the collection that is served and is replaced atomically. Every collection is a folder
``collections/<name>`` with ``schema.json`` (the model it was made for) next to the engine's ``shard``.

Search is always exact: without ``optimize()`` the engine builds no graph, and scanning is fast enough.
"""

from __future__ import annotations

import asyncio
import contextlib
import shutil
from collections.abc import Awaitable, Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from core.errors import PalimpsestError
from core.resilience.read_only import ReadOnly
from core.store import index_rules as rules
from core.store.edge_collection import Collection, RequireRoom, any_room, read_json, safely, write_json
from core.store.index import Hit, Payload, Point, Schema, SchemaMismatchError, SparseVector, Vector, Where

T = TypeVar("T")

FIRST_COLLECTION = "memories_v1"
_READERS = 4


@dataclass
class _SharedFolder:
    """Shared by the served index and those being rebuilt: the folder and the open collections."""

    folder: Path
    readers: ThreadPoolExecutor
    read_only: ReadOnly
    require_room: RequireRoom
    wanted: Schema | None = None
    served: str = FIRST_COLLECTION
    open: dict[str, Collection] = field(default_factory=dict)

    @property
    def pointer(self) -> Path:
        return self.folder / "served.json"

    def let_go_of_lost(self) -> None:
        """Close collections that were removed from the disk; the engine would continue in deleted files."""
        for name in [name for name, collection in self.open.items() if not collection.exists]:
            with contextlib.suppress(Exception):  # there is no place left for its writes
                self.open.pop(name).close()

    def collection(self, name: str, schema: Schema) -> Collection:
        collection = self.open.get(name) or Collection(
            self.folder / "collections" / rules.checked_name(name), self.read_only, self.require_room
        )
        collection.open(schema)
        self.open[name] = collection
        return collection


def _readers() -> ThreadPoolExecutor:
    """The threads for reads. They start with the first read, so a stopped index has none."""
    return ThreadPoolExecutor(_READERS, thread_name_prefix="index-read")


class EdgeIndex:
    """Implements ``Index`` on a folder that no other process has open. Any number of tasks may call it concurrently."""

    def __init__(
        self,
        folder: Path | _SharedFolder,
        name: str | None = None,
        read_only: ReadOnly | None = None,
        require_room: RequireRoom = any_room,
    ) -> None:
        """``name``: the collection being rebuilt, in a folder shared with the served index."""
        if isinstance(folder, Path):
            folder = _SharedFolder(folder, _readers(), read_only or ReadOnly(), require_room)
        self._shared = folder
        self._name = name

    async def start(self, schema: Schema) -> None:
        collection = await self._read_safely(lambda: self._open(schema))
        if collection.format.mismatch is not None:
            raise SchemaMismatchError(str(collection.format.mismatch))

    def _open(self, schema: Schema) -> Collection:
        shared = self._shared
        if self._name is None:
            shared.wanted = schema
            shared.let_go_of_lost()
            shared.served = read_json(shared.pointer).get("collection", FIRST_COLLECTION)
        return shared.collection(self._name or shared.served, schema)

    async def stop(self) -> None:
        """Close the index. An index being rebuilt closes only itself, and not if it is the served one by now."""
        shared = self._shared
        if self._name is None:
            names = list(shared.open)
        else:
            names = [self._name] if self._name != shared.served and self._name in shared.open else []
        for name in names:
            await asyncio.to_thread(shared.open.pop(name).close)
        if self._name is None:
            shared.readers.shutdown(wait=False)
            shared.readers = _readers()

    @property
    def _open_collection(self) -> Collection:
        collection = self._shared.open.get(self._name or self._shared.served)
        if collection is None:
            raise rules.unreachable("the index is not open")
        return collection

    async def _read_safely(self, call: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._shared.readers, safely, call)

    async def _read(self, call: Callable[[Collection], T]) -> T:
        collection = self._open_collection
        return await self._read_safely(lambda: collection.read(lambda: call(collection)))

    async def _write(self, call: Callable[[Collection], None]) -> None:
        collection = self._open_collection
        await collection.write(lambda: call(collection))

    async def upsert(self, points: Sequence[Point]) -> None:
        await self._write(lambda collection: collection.upsert(points))

    async def set_dense(self, vectors: Mapping[str, Vector]) -> None:
        await self._write(lambda collection: collection.set_dense(vectors))

    async def set_payload(self, ids: Sequence[str], payload: Payload) -> None:
        await self._write(lambda collection: collection.set_payload(ids, payload))

    async def delete(self, ids: Sequence[str]) -> None:
        await self._write(lambda collection: collection.delete(ids))

    async def delete_where(self, where: Where) -> None:
        await self._write(lambda collection: collection.delete_where(where))

    async def query_dense(self, vector: Vector, where: Where, limit: int) -> list[Hit]:
        def fetch(wanted: int) -> Awaitable[list[Hit]]:
            return self._read(lambda collection: collection.query_dense(vector, where, wanted))

        return await rules.best(fetch, limit)

    async def query_lexical(
        self, vector: SparseVector, where: Where, limit: int, corpus: Where | None = None
    ) -> list[Hit]:
        counted = corpus or rules.idf_corpus(where)
        if not vector.indices:
            return []

        def fetch(wanted: int) -> Awaitable[list[Hit]]:
            return self._read(lambda collection: collection.query_lexical(vector, where, wanted, counted))

        return await rules.best(fetch, limit)

    async def count(self, where: Where) -> int:
        return await self._read(lambda collection: collection.count(where))

    async def scroll(
        self, where: Where | None, limit: int, after: str | None = None, with_vectors: bool = False
    ) -> tuple[list[Point], str | None]:
        return await self._read(lambda collection: collection.scroll(where, limit, after, with_vectors))

    async def retrieve(self, ids: Sequence[str], with_vectors: bool = False) -> list[Point]:
        return await self._read(lambda collection: collection.retrieve(ids, with_vectors)) if ids else []

    async def rebuild(self, name: str, schema: Schema) -> EdgeIndex:
        """Also continues an unfinished collection with this name and schema; one with another schema is emptied."""
        shared = self._shared
        if name == shared.served:
            raise ValueError(f"{name} is being served")

        def make() -> None:
            collection = shared.collection(name, schema)
            if collection.format.mismatch is not None:
                shared.open.pop(name).close()
                shutil.rmtree(collection.folder)
                shared.collection(name, schema)

        await self._read_safely(make)
        return EdgeIndex(shared, name)

    async def serving(self) -> str:
        return self._shared.served

    async def swap(self, name: str) -> str:
        """The replaced collection stays open, so that running queries finish and swapping back is instant."""
        return await self._read_safely(lambda: self._serve(name))

    def _serve(self, name: str) -> str:
        shared = self._shared
        if name not in shared.open:
            if shared.wanted is None or not Collection(shared.folder / "collections" / rules.checked_name(name)).exists:
                raise rules.no_collection(name)
            shared.collection(name, shared.wanted)
        shared.open[name].read(shared.open[name].flush)
        write_json(shared.pointer, {"collection": name})
        before, shared.served = shared.served, name
        return before

    async def drop(self, name: str) -> None:
        shared = self._shared
        if name == shared.served:
            raise ValueError(f"{name} is being served")
        collection = shared.open.pop(name, None)
        if collection is not None:
            await asyncio.to_thread(collection.close)
        await asyncio.to_thread(shutil.rmtree, shared.folder / "collections" / rules.checked_name(name), True)

    async def settle(self) -> None:
        """All started writes are in the folder when this returns."""
        for collection in list(self._shared.open.values()):
            await collection.settle()

    async def healthy(self) -> bool:
        try:
            collection = self._open_collection
            await self._read(lambda each: each.shard.info())
            return await asyncio.to_thread(lambda: collection.exists)
        except PalimpsestError:
            return False
