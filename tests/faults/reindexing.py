"""A process with memories that dies, as in a power cut, while it writes to its index or rebuilds it."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from core.ids import new_id
from core.memory.items.embedding import Embedder
from core.memory.items.writing import MemoryItems
from core.memory.maintenance.consistency import Consistency
from core.memory.maintenance.reindex import Reindex
from core.models.embeddings import Calibration, EmbeddingIdentity, Matrix
from core.resilience.dependencies import Dependency
from core.setting_groups import Memory
from core.store.edge import EdgeIndex
from core.store.index import Schema, Vector
from core.store.items import ItemSource, MemoryItem, Timestamps
from core.store.sqlite.collection import SqliteCollection
from core.store.sqlite.truth import SqliteTruth
from core.store.truth import Change
from tests.faults.runner import NOT_KILLED, SECONDS, USER, Moment, arm

COUNT = 12
BATCH = 4
DIMENSION = 8

WRITING: dict[str, Moment] = {
    "add: truth to be written": Moment(SqliteCollection, "bulk", "before"),
    "add: truth is ahead of the index": Moment(EdgeIndex, "upsert", "before"),
    "add: the index is ahead of its mark": Moment(EdgeIndex, "upsert"),
    "add: done": Moment(SqliteCollection, "bulk", "after", 2),
    "vector: computed and not stored": Moment(EdgeIndex, "set_dense", "before"),
    "vector: stored and not marked": Moment(EdgeIndex, "set_dense"),
    "revise: truth is ahead of the index": Moment(EdgeIndex, "upsert", "before", 2),
    "revise: the index is ahead of its mark": Moment(EdgeIndex, "upsert", "after", 2),
    "change: the index is to be told": Moment(EdgeIndex, "set_payload", "before"),
    "change: told and not marked": Moment(EdgeIndex, "set_payload"),
    "delete: the point is to go": Moment(EdgeIndex, "delete", "before"),
    "delete: the point went before its item": Moment(EdgeIndex, "delete"),
}
REBUILDING: dict[str, Moment] = {
    "the checkpoint stands and nothing is built": Moment(EdgeIndex, "rebuild", "before"),
    "the new collection is empty": Moment(EdgeIndex, "rebuild"),
    "a batch is copied and not noted": Moment(Reindex, "_save", "before"),
    "a batch is copied and noted": Moment(Reindex, "_save"),
    "the last batch is noted": Moment(Reindex, "_save", "after", COUNT // BATCH),
    "nothing is compared yet": Moment(Reindex, "_catch_up", "before"),
    "everything is compared": Moment(Reindex, "_catch_up"),
    "it is to serve": Moment(EdgeIndex, "swap", "before"),
    "it serves and nobody knows": Moment(EdgeIndex, "swap"),
    "the end is noted": Moment(Reindex, "_switch_collection", "before"),
    "all is done": Moment(Reindex, "_switch_collection"),
}


class Letters:
    """Embeds a text by the letters in it."""

    identity = EmbeddingIdentity("letters", DIMENSION, Calibration(0.0, 1.0))

    async def embed_query(self, text: str) -> Vector:
        counts = np.zeros(DIMENSION, dtype=np.float32)
        for letter in text:
            counts[ord(letter) % DIMENSION] += 1
        unit: Vector = counts / np.linalg.norm(counts)
        return unit

    async def embed_passages(self, texts: Sequence[str]) -> Matrix:
        return np.stack([await self.embed_query(text) for text in texts])


class Life:
    """The memory in one data directory, for as long as its process lives."""

    def __init__(self, home: Path) -> None:
        home.mkdir(parents=True, exist_ok=True)
        self.truth = SqliteTruth(home / "truth.sqlite", seconds=10.0)
        self.index = EdgeIndex(home / "index")
        self.model = Letters()
        self.items = MemoryItems(self.truth, self.index, self.model, lambda: 100.0)
        self.consistency = Consistency(self.truth, self.items.points, lambda: 100.0)
        self.embedder = Embedder(self.items, self.model, Dependency("vectors", 10.0))
        self.reindex = Reindex(
            self.truth,
            self.items.points,
            self.consistency,
            self.model,
            Dependency("vectors", 10.0),
            Schema("letters", DIMENSION),
            lambda: True,
            self._renewed,
            lambda: 100.0,
            new_id,
            Memory(reindex_batch=BATCH),
        )

    async def _renewed(self) -> None:
        return None

    async def start(self) -> None:
        await self.truth.start()
        await self.index.start(Schema("letters", DIMENSION))
        await self.items.ensure()

    async def stop(self) -> None:
        await self.index.stop()
        await self.truth.stop()


def memory(number: int, text: str) -> MemoryItem:
    return MemoryItem(
        id=f"mem_{number:032x}",
        user_id=USER,
        tier="working",
        kind="fact",
        text=text,
        scope="memory",
        source=ItemSource(type="user"),
        timestamps=Timestamps(created_at=1.0, updated_at=1.0),
    )


async def _furnished(home: Path) -> Life:
    life = Life(home)
    await life.start()
    await life.items.add(USER, [memory(number, f"zebra {number}") for number in range(1, COUNT + 1)])
    await life.embedder.drain()
    return life


def write(home: Path, name: str) -> None:
    """Adds, embeds, revises, changes and deletes memories until the process dies at the given moment."""
    asyncio.run(asyncio.wait_for(_write(home, WRITING[name]), SECONDS))
    os._exit(NOT_KILLED)


async def _write(home: Path, moment: Moment) -> None:
    life = await _furnished(home)
    arm(moment)
    await life.items.add(USER, [memory(50, "walrus")])
    await life.embedder.drain()
    first = await life.items.get(USER, memory(1, "").id)
    if first is not None:
        await life.items.revise(first.model_copy(update={"text": "walrus"}))
    await life.items.change(USER, memory(2, "").id, Change(set={"tier": "patterns"}))
    await life.items.change(USER, memory(3, "").id, Change(set={"status": "deleted", "timestamps.expires_at": 1.0}))
    await life.items.repair()


def rebuild(home: Path, name: str) -> None:
    """Rebuilds the index until the process dies at the given moment."""
    asyncio.run(asyncio.wait_for(_rebuild(home, REBUILDING[name]), SECONDS))
    os._exit(NOT_KILLED)


async def _rebuild(home: Path, moment: Moment) -> None:
    life = await _furnished(home)
    arm(moment)
    await life.reindex.run()
