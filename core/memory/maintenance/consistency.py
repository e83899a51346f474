"""Compares record store and index in both directions and repairs the index.

The scan does not block writers. Only items that look different are read again, and repaired, while other writes wait.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from pydantic import BaseModel

from core.clock import Clock
from core.ids import point_id, record_id
from core.memory.items.index_writer import COPY_OF, IndexWriter, fingerprint, payload_of, points_of, vector_hash
from core.memory.items.reading import ITEMS
from core.memory.items.vector_marks import VECTOR_HASH
from core.runs.scheduler import Idle
from core.store.index import Index, Point, Vector
from core.store.index_rules import present
from core.store.items import MemoryItem
from core.store.truth import Change, Collection, Json, Truth, Update
from core.store.typed_collection import pages

log = logging.getLogger(__name__)

MILLISECOND = 0.001
PAGE = 64
"""Items compared in one step: larger pages are a little faster but delay writers."""


class ConsistencyReport(BaseModel):
    """Counts of a comparison of items and points. ``missing``: items without a point. ``texts``: points made from
    another text (or with no record of their text). ``payload``: points with other fields. ``vectors``: items with a
    wrong mark for their vector. ``orphaned``: points that belong to no item; those of unknown users are
    ``quarantined`` until they are found a second time.
    """

    dry_run: bool = False
    checked: int = 0
    points: int = 0
    missing: int = 0
    texts: int = 0
    payload: int = 0
    vectors: int = 0
    orphaned: int = 0
    quarantined: int = 0
    repaired: int = 0
    milliseconds: float = 0.0
    documents: set[tuple[str, str]] = set()
    """User and document of passages that were marked as embedded but have no vector: their job must be queued again."""

    @property
    def differences(self) -> int:
        return self.missing + self.texts + self.payload + self.vectors + self.orphaned


@dataclass
class Differences:
    """Differences in one page of items."""

    missing: list[MemoryItem] = field(default_factory=list)
    texts: list[MemoryItem] = field(default_factory=list)
    payload: list[MemoryItem] = field(default_factory=list)
    unmarked: list[MemoryItem] = field(default_factory=list)
    """Items that have a vector although the record store says they have none."""
    bare: list[MemoryItem] = field(default_factory=list)
    """Items that have no vector although the record store says they have one."""
    dense: dict[str, Vector] = field(default_factory=dict)
    """For points that are written again: vectors of their current text, by item id."""

    @property
    def items(self) -> list[MemoryItem]:
        """All items, each once."""
        found = [*self.missing, *self.texts, *self.payload, *self.unmarked, *self.bare]
        return list({item.id: item for item in found}.values())


def compare(items: Sequence[MemoryItem], points: Mapping[str, Point], model: str | None) -> Differences:
    """The differences between items and ``points`` (by point id, with vectors); ``model`` is the index's model,
    ``None`` to ignore vectors."""
    found = Differences()
    for item in items:
        point = points.get(point_id(item.id))
        if point is None:
            found.missing.append(item)
            continue
        copy_of = point.payload.get(COPY_OF)
        if copy_of is not None and copy_of != fingerprint(item):
            found.texts.append(item)
            continue
        marked = model is not None and item.embedded and item.embedding.vector_hash == vector_hash(item, model)
        if copy_of is None and model is not None:
            found.texts.append(item)
            if point.dense is not None and marked:
                found.dense[item.id] = point.dense
            continue
        if _differs(point, item):
            found.payload.append(item)
        if model is not None and point.dense is None and item.embedded:
            found.bare.append(item)
        elif model is not None and point.dense is not None and not marked:
            found.unmarked.append(item)
    return found


def _differs(point: Point, item: MemoryItem) -> bool:
    there = present({key: value for key, value in point.payload.items() if key != COPY_OF})
    here = present(payload_of(item))
    return there.keys() != here.keys() or not all(_same(there[key], value) for key, value in here.items())


def _same(there: object, here: object) -> bool:
    """Whether two values are equal. Times may differ by a millisecond, because the embedded index changes the last bit
    of one number in ten.

    The difference is compared and not the rounded values, because rounding can go either way.
    """
    if isinstance(there, float) and isinstance(here, float):
        return abs(there - here) <= MILLISECOND
    return there == here


class Consistency:
    """Compares record store and index. Run it after ``MemoryItems.repair``, which finishes incomplete writes."""

    def __init__(self, truth: Truth, points: IndexWriter, clock: Clock, idle: Idle | None = None) -> None:
        """``idle`` is awaited before each page, so that questions have priority."""
        self._idle = idle
        self._items = truth.collection(ITEMS)
        self._points = points
        self._clock = clock
        self._running = asyncio.Lock()
        self._quarantine: set[str] = set()

    async def check(
        self, model: str | None, *, dry_run: bool = False, vectors: bool = True, index: Index | None = None
    ) -> ConsistencyReport:
        """Compare everything, and repair it unless ``dry_run`` is set.

        ``model``: the index's model, ``None`` when its vectors cannot be used now. ``vectors=False`` ignores vectors,
        which reads far less. ``index``: an index to compare that is not active yet; the record store has no marks for
        it.

        Raises:
            PalimpsestError: the index is not available; finished repairs are kept.
        """
        began = time.monotonic()
        async with self._running:
            run = _Run(self._items, self._points, index or self._points.index, index is None, model, dry_run, vectors)
            run.report.dry_run = dry_run
            async for rows in pages(self._items, PAGE, {"indexed": True} if index is None else {}):
                if self._idle is not None:
                    await self._idle()
                await run.compare_page(rows, self._clock())
            quarantine = await run.sweep(self._quarantine if index is None else set())
            if index is None and not dry_run:
                self._quarantine = quarantine
        run.report.milliseconds = (time.monotonic() - began) * 1000
        if run.report.differences:
            log.warning("truth and index differed: %s", run.report)
        return run.report


@dataclass
class _Run:
    """One run of the comparison."""

    rows: Collection
    points: IndexWriter
    index: Index
    serves: bool
    model: str | None
    dry_run: bool
    vectors: bool
    report: ConsistencyReport = field(default_factory=ConsistencyReport)
    users: dict[str, bool] = field(default_factory=dict)

    async def compare_page(self, rows: Sequence[Json], now: float) -> None:
        items = await asyncio.to_thread(_validated, rows, now)
        self.report.checked += len(items)
        found = await self._compare_items(items)
        if found.items and not self.dry_run:
            async with self.points.writing:
                again = await self.rows.find({"_id": {"$in": [item.id for item in found.items]}})
                wanted = [item for item in _validated(again, now) if item.indexed or not self.serves]
                found = await self._compare_items(wanted)
                await self._mend(found)
        self._count_differences(found)

    async def _compare_items(self, items: Sequence[MemoryItem]) -> Differences:
        there = await self.index.retrieve([point_id(item.id) for item in items], with_vectors=self.vectors)
        model = self.model if self.vectors and self.serves else None
        return await asyncio.to_thread(compare, items, {point.id: point for point in there}, model)

    def _count_differences(self, found: Differences) -> None:
        report = self.report
        report.missing += len(found.missing)
        report.texts += len(found.texts)
        report.payload += len(found.payload)
        report.vectors += len(found.bare) + len(found.unmarked)
        report.repaired += 0 if self.dry_run else len(found.items)

    async def _mend(self, found: Differences) -> None:
        """Repair the differences. Every step may be repeated; the marks come last."""
        again = [*found.missing, *found.texts]
        if again:
            await self.index.upsert(await points_of(again, found.dense))
        for item in found.payload:
            await self.index.set_payload([point_id(item.id)], payload_of(item))
        if self.serves:
            await self.rows.bulk(self._marks(found))
            bare = [*found.missing, *found.texts, *found.bare]
            self.report.documents |= {(item.user_id, item.document_id) for item in bare if item.document_id}

    def _marks(self, found: Differences) -> list[Update]:
        without = [item for item in (*found.missing, *found.texts, *found.bare) if item.id not in found.dense]
        marks = [Update(item.id, Change(set={"embedded": item.unembedded})) for item in without]
        for item in found.unmarked:
            fields: Json = {"embedded": True, "embedding.model": self.model}
            marks.append(Update(item.id, Change(set={**fields, VECTOR_HASH: vector_hash(item, self.model or "")})))
        return marks

    async def sweep(self, seen_before: set[str]) -> set[str]:
        """Delete points that belong to no item; returns the points now in quarantine.

        If the record store does not know a user at all, it may be the wrong store. So points of unknown users are
        deleted only when a second run finds them again.
        """
        quarantine: set[str] = set()
        after: str | None = None
        while True:
            points, after = await self.index.scroll(None, PAGE, after)
            self.report.points += len(points)
            orphans = await self._orphans(points)
            unknown = {point.id for point in orphans if not await self._knows(str(point.payload.get("user_id")))}
            quarantine |= unknown - seen_before
            await self._remove([point for point in orphans if point.id not in unknown - seen_before])
            if after is None:
                self.report.quarantined = len(quarantine)
                return quarantine

    async def _orphans(self, points: Sequence[Point]) -> list[Point]:
        ids = {record_id("mem", point.id): point for point in points}
        rows = await self.rows.find({"_id": {"$in": list(ids)}}, fields=["_id"])
        known = {str(row["_id"]) for row in rows}
        return [point for item_id, point in ids.items() if item_id not in known]

    async def _knows(self, user_id: str) -> bool:
        if user_id not in self.users:
            self.users[user_id] = bool(await self.rows.find({"user_id": user_id}, fields=["_id"], limit=1))
        return self.users[user_id]

    async def _remove(self, orphans: Sequence[Point]) -> None:
        self.report.orphaned += len(orphans)
        if not orphans or self.dry_run:
            return
        async with self.points.writing:
            still = [point.id for point in await self._orphans(orphans)]
            await self.index.delete(still)
            self.report.repaired += len(still)


def _validated(rows: Sequence[Json], now: float) -> list[MemoryItem]:
    """The items without those that are about to be deleted."""
    items = [MemoryItem.model_validate(row) for row in rows]
    return [item for item in items if not is_leaving(item, now)]


def is_leaving(item: MemoryItem, now: float) -> bool:
    return item.status == "deleted" and (item.timestamps.expires_at or now + 1) <= now
