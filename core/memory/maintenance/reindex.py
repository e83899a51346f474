"""Rebuilds the index as a second collection next to the active one, then switches to it.

Writes during the rebuild go to both. Writes made while the rebuild is paused are found by a comparison with the record
store before the new index becomes active. Each batch saves a checkpoint in the record store.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager, nullcontext
from dataclasses import dataclass
from typing import Literal

from pydantic import BaseModel, Field

from core.clock import DAY, Clock
from core.errors import Problem, explain, fail
from core.ids import NewId
from core.memory.items.embedding import embed
from core.memory.items.index_writer import IndexWriter, points_of, vector_hash
from core.memory.items.reading import ITEMS
from core.memory.items.vector_marks import served_vectors
from core.memory.maintenance.consistency import Consistency, is_leaving
from core.models.embeddings import Embeddings
from core.resilience.dependencies import Dependency
from core.setting_groups import Memory
from core.store.holding import Holder
from core.store.index import Index, Schema, Vector
from core.store.items import MemoryItem
from core.store.lease import refuse_late_write
from core.store.truth import Change, Json, Truth
from core.store.typed_collection import TypedCollection

log = logging.getLogger(__name__)

REINDEX = "memory_reindex"
RECORD = "reindex"
LOCK = "lock"
ROUNDS = 3
"""Maximum number of comparisons before the switch: the second finds writes made during the first."""


class ReindexState(BaseModel, populate_by_name=True):
    """The checkpoint. ``cursor`` is the last copied item; ``previous`` is the old collection, kept for a rollback.

    Of the ``copied`` items, ``reused`` kept a valid vector and ``embedded`` got a new one; the others have none.
    """

    id: str = Field(RECORD, alias="_id")
    state: Literal["running", "paused", "completed", "rolled_back"] = "running"
    collection: str
    previous: str | None
    model: str
    dimension: int
    cursor: str | None = None
    total: int = 0
    copied: int = 0
    reused: int = 0
    embedded: int = 0
    problem: Problem | None = None
    started_at: float
    updated_at: float
    keep_until: float | None = None


Progress = Callable[[ReindexState], None]


@dataclass
class Reindex:
    """Runs the rebuild. ``same_model``: whether the active vectors belong to the configured model; ``swapped`` is
    called after a switch. ``_holder`` identifies this process if several share the record store."""

    _truth: Truth
    _points: IndexWriter
    _consistency: Consistency
    _embeddings: Embeddings | None
    _dependency: Dependency
    _schema: Schema
    _same_model: Callable[[], bool]
    _swapped: Callable[[], Awaitable[None]]
    _clock: Clock
    _new_id: NewId
    _settings: Memory
    _holder: Holder | None = None

    def __post_init__(self) -> None:
        self._items = TypedCollection(self._truth.collection(ITEMS), MemoryItem)
        self._records = TypedCollection(self._truth.collection(REINDEX), ReindexState)
        self._running = asyncio.Lock()

    async def status(self) -> ReindexState | None:
        """The last rebuild. If it is still ``running`` after a restart, it was interrupted, and ``run`` continues
        it."""
        return await self._records.get(RECORD)

    async def run(self, progress: Progress = lambda state: None) -> ReindexState:
        """Start a rebuild, or continue one after a pause or a crash, until the new collection is active or it is
        paused.

        Raises:
            PalimpsestError: the index is not available (call it again to continue), or another process is already
                running it ("validation").
        """
        async with self._running, self._hold() as held:
            if not held:
                raise fail("validation", "memory.reindex.elsewhere")
            state = await self._begin_or_go_on()
            if await self._points.index.serving() != state.collection:
                state = await self._build(state, progress)
            if state.state != "paused":
                state = await self._complete(state)
            progress(state)
            return state
        raise fail("validation", "memory.reindex.elsewhere")

    async def is_left(self) -> bool:
        """Whether an unfinished rebuild exists that no process runs, because its process was stopped or crashed."""
        state = await self.status()
        if state is None or state.state != "running":
            return False
        lock = await self._records.rows.get(LOCK)
        return lock is None or not lock["lease_owner"] or float(str(lock["lease_until"])) <= self._clock()

    def _hold(self) -> AbstractAsyncContextManager[bool]:
        return self._holder.holding(self._records.rows, LOCK) if self._holder else nullcontext(True)

    async def pause(self) -> None:
        """Pause the rebuild after the current batch, even if another process runs it."""
        await self._records.update(
            RECORD, Change(set={"state": "paused", "updated_at": self._clock()}), where={"state": "running"}
        )

    async def roll_back(self) -> ReindexState:
        """Bring the previous collection up to date and switch back to it; a second call switches forward again.

        Raises:
            PalimpsestError: no previous collection is kept ("not_found").
        """
        async with self._running:
            state = await self.status()
            if state is None or state.previous is None or state.state not in ("completed", "rolled_back"):
                raise fail("not_found", "memory.reindex.nothing_kept")
            async with self._points.writing:
                await self._points.index.swap(state.previous)
            swapped = {"collection": state.previous, "previous": state.collection}
            state = await self._save(state, state="rolled_back", **swapped)
            await self._switch_collection()
            return state

    async def discard_old(self, *, now: bool = False) -> bool:
        """Delete the collection kept for a rollback if it is old enough (or, with ``now``, immediately); returns
        whether there was one."""
        state = await self.status()
        if state is None or state.previous is None or state.state not in ("completed", "rolled_back"):
            return False
        if not now and self._clock() < (state.keep_until or 0.0):
            return False
        if await self._points.index.serving() != state.previous:
            await self._points.index.drop(state.previous)
        await self._save(state, previous=None)
        return True

    # -- steps of a rebuild ----------------------------------------------------------------

    async def _begin_or_go_on(self) -> ReindexState:
        state = await self.status()
        if state and state.state in ("running", "paused"):
            if (state.model, state.dimension) == (self._schema.model, self._schema.dimension):
                return await self._save(state, state="running", problem=None)
            await self._points.index.drop(state.collection)
        await self.discard_old(now=True)
        now = self._clock()
        state = ReindexState(
            collection=self._new_id("reindex"),
            previous=await self._points.index.serving(),
            model=self._schema.model,
            dimension=self._schema.dimension,
            total=await self._items.rows.count(),
            started_at=now,
            updated_at=now,
        )
        await self._records.put(state)
        return state

    async def _build(self, state: ReindexState, progress: Progress) -> ReindexState:
        target = await self._points.index.rebuild(state.collection, self._schema)
        self._points.mirror(target)
        try:
            while items := await self._next(state):
                state = await self._copy(state, items, target)
                progress(state)
                if state.state == "paused":
                    return state
                await asyncio.sleep(0)
            await self._catch_up(target)
            async with self._points.writing:
                await self._points.index.swap(state.collection)
                self._points.mirror(None)
        finally:
            self._points.mirror(None)
        return state

    async def _next(self, state: ReindexState) -> list[MemoryItem]:
        after: Json | None = {"_id": state.cursor} if state.cursor else None
        return await self._items.find(after=after, limit=self._settings.reindex_batch)

    async def _copy(self, state: ReindexState, items: Sequence[MemoryItem], target: Index) -> ReindexState:
        """Copy one batch and save its checkpoint; repeating it gives the same result."""
        known = await self._reusable(items)
        try:
            made = await self._embedded([item for item in items if item.id not in known])
        except Exception as error:
            log.warning("the reindex is paused: %s", error)
            return await self._save(state, state="paused", problem=explain(error))
        made_of = {item.id: vector_hash(item, "") for item in items if item.id in made}
        async with self._points.writing:
            again = await self._items.find({"_id": {"$in": [item.id for item in items]}})
            now = self._clock()
            present = [item for item in again if not is_leaving(item, now)]
            fitting = {item.id: made[item.id] for item in present if made_of.get(item.id) == vector_hash(item, "")}
            reused = await self._reusable(present)
            await target.upsert(await points_of(present, {**fitting, **reused}))
        return await self._save(
            state,
            cursor=items[-1].id,
            copied=state.copied + len(items),
            reused=state.reused + len(reused),
            embedded=state.embedded + len(fitting.keys() - reused.keys()),
        )

    async def _reusable(self, items: Sequence[MemoryItem]) -> dict[str, Vector]:
        """Active vectors that match these texts and this model."""
        if not self._same_model():
            return {}
        return await served_vectors(self._points.index, items, self._schema.model)

    async def _embedded(self, items: Sequence[MemoryItem]) -> dict[str, Vector]:
        """New vectors: for all items if the model has changed, else only for items that lost theirs. Items that still
        wait for their first vector are embedded by their usual job."""
        changed = not self._same_model()
        alive = [item for item in items if item.status != "deleted"]
        wanted = [item for item in alive if item.embedded or (changed and item.wants_vector)]
        if self._embeddings is None or not wanted:
            return {}
        return await embed(self._embeddings, wanted, self._dependency)

    async def _catch_up(self, target: Index) -> None:
        for _ in range(ROUNDS):
            self._points.take_missed()
            report = await self._consistency.check(None, index=target)
            if not report.differences and not self._points.take_missed():
                return

    async def _complete(self, state: ReindexState) -> ReindexState:
        kept = self._clock() + self._settings.rollback_days * DAY
        state = await self._save(state, state="completed", keep_until=kept)
        await self._switch_collection()
        return state

    async def _switch_collection(self) -> None:
        """Notify searchers of the new collection, and update the record store's marks."""
        await self._swapped()
        await self._consistency.check(self._schema.model if self._same_model() else None)

    async def _save(self, known: ReindexState, /, **fields: object) -> ReindexState:
        """Save the checkpoint; a pause requested in between is kept. A process that no longer holds the rebuild's lease
        saves nothing."""
        refuse_late_write()
        changed = known.model_copy(update={**fields, "updated_at": self._clock()})
        row = changed.model_dump(mode="json", exclude={"id"} if "state" in fields else {"id", "state"})
        return await self._records.update(RECORD, Change(set=row)) or changed
