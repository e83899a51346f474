"""Reads a user's items by id or by fields: the user's own, and on request also those shared with the user's group."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import AsyncIterator, Iterable, Sequence

from core.clock import Clock
from core.memory.items.known_rows import KnownRows, with_shared_names
from core.memory.items.vector_marks import WITHOUT_VECTOR
from core.records.findings import FINDINGS
from core.setting_groups import Memory
from core.store.items import ItemText, MemoryItem
from core.store.scope import GroupOf, is_readable
from core.store.truth import Filter, Json, Sort, Truth
from core.store.typed_collection import TypedCollection, TypedRecords, readable_records, records_of, stored

ITEMS = "items"
PASSAGES: Filter = {"kind": {"$nin": list(FINDINGS)}}
"""Filter for a document's text passages, without the findings that a model extracted from them."""
MOST_OF_DOCUMENT = 10_000
"""Maximum number of a document's passages read at once. No text document has more; a table of records may."""
_STEP = 500
_IN_ORDER: Sort = [("place.order", 1)]


Lasting = tuple[ItemText, float | None]
"""A text and its expiry time."""


class ItemReader:
    """Reads items; callers get items, never raw rows."""

    def __init__(self, truth: Truth, clock: Clock, settings: Memory, group_of: GroupOf) -> None:
        self._truth = truth
        self._clock = clock
        self._settings = settings
        self._group_of = group_of
        self._known_items: KnownRows[MemoryItem] = KnownRows()
        self._known_texts: KnownRows[tuple[str, Lasting | None]] = KnownRows()
        """Cached texts with their user's id; ``None`` for items that are not active memories."""

    async def get(self, user_id: str, item_id: str) -> MemoryItem | None:
        return await self._of(user_id).get(item_id)

    async def readable(self, user_id: str, item_id: str) -> MemoryItem | None:
        """The user's own item, or a passage that is published to the user's group."""
        return await self._seen(user_id).get(item_id)

    async def load(self, user_id: str, ids: Sequence[str]) -> list[MemoryItem]:
        """The visible items with these ids. Deleted, incompletely stored and expired items are left out, even if the
        status of an expired item has not been changed yet."""
        rows = self._truth.collection(ITEMS)
        version, group = rows.version, self._group_of(user_id)
        known = self._known_items.among(rows, ids)
        if unknown := [id for id in ids if id not in known]:
            seen = {"_id": {"$in": unknown}, "status": "active"}
            read = await self._seen(user_id).find({**seen, **_unexpired(self._clock(), self._settings)})
            for item in read:
                with_shared_names(item)
            self._known_items.keep(version, ((item.id, item) for item in read))
            known |= {item.id: item for item in read}
        seen_by = (each for each in known.values() if is_readable(each.user_id, each.org_id, user_id, group))
        now = self._clock()
        return sorted((each for each in seen_by if _lives(each, now, self._settings)), key=lambda each: each.id)

    async def find(
        self,
        user_id: str,
        filter: Filter,
        *,
        sort: Sort = (),
        limit: int | None = None,
        after: MemoryItem | None = None,
    ) -> list[MemoryItem]:
        """Items by their fields, whatever their status; ``after`` is the previous page's last item."""
        last = stored(after) if after else None
        return await self._of(user_id).find(filter, sort=sort, limit=limit, after=last)

    async def around(self, user_id: str, items: Sequence[MemoryItem]) -> list[ItemText]:
        """Texts of the active memories directly before and after ``items`` in their episodes, without ``items``
        themselves."""
        placed = [item for item in items if item.tier != "books" and item.place.episode]
        if not placed:
            return []
        known = {(str(item.place.episode), item.place.order) for item in placed}
        wanted = {(episode, order + step) for episode, order in known for step in (-2, -1, 1, 2)} - known
        # Only the ids are read here; the database index has them.
        there = await self._of(user_id).rows.find(_at(wanted), fields=[])
        texts = await self._texts(user_id, [str(row["_id"]) for row in there])
        now = self._clock()
        return [text for text, ends in texts if ends is None or ends > now]

    async def _texts(self, user_id: str, ids: Sequence[str]) -> list[Lasting]:
        """Texts of the user's active memories, in the order of ``ids``."""
        rows = self._truth.collection(ITEMS)
        version = rows.version
        known = self._known_texts.among(rows, ids)
        if unknown := [id for id in ids if id not in known]:
            active = {"_id": {"$in": unknown}, "status": "active", "tier": {"$ne": "books"}}
            read = {item.id: self._lasting(item) for item in await self._of(user_id).find(active)}
            fresh = {id: (user_id, read.get(id)) for id in unknown}
            self._known_texts.keep(version, fresh.items())
            known |= fresh
        own = (known[id] for id in ids)
        return [text for owner, text in own if text is not None and owner == user_id]

    def _lasting(self, item: MemoryItem) -> Lasting:
        text = ItemText.model_construct(
            id=item.id, text=item.text, source=item.source, timestamps=item.timestamps, place=item.place
        )
        with_shared_names(text)
        return text, None if _is_proven(item, self._settings) else item.timestamps.expires_at

    async def count(self, user_id: str, filter: Filter) -> int:
        return await self._of(user_id).rows.count(filter)

    async def count_by(self, user_id: str, field: str, filter: Filter) -> dict[str, int]:
        """How many items hold each value of ``field``."""
        return await self._of(user_id).rows.count_by(field, filter)

    async def of_document(
        self, user_id: str, document_id: str, most: int = MOST_OF_DOCUMENT, filter: Filter | None = None
    ) -> list[MemoryItem]:
        """The first ``most`` visible passages of a document in reading order that match ``filter``."""
        found: list[MemoryItem] = []
        async for step in self.in_steps(user_id, document_id, filter):
            found += step
            if len(found) >= most:
                break
        return found[:most]

    async def in_steps(
        self, user_id: str, document_id: str, filter: Filter | None = None
    ) -> AsyncIterator[list[MemoryItem]]:
        """All visible passages of a document in reading order, in portions of some hundreds."""
        active = {**(filter or {}), "document_id": document_id, **PASSAGES, "status": "active"}
        after: Json | None = None
        while True:
            step = await self._ordered(user_id, active, after)
            yield step
            if len(step) < _STEP:
                return
            after = {"_id": step[-1].id, "place": {"order": step[-1].place.order}}

    async def _ordered(self, user_id: str, filter: Filter, after: Json | None) -> list[MemoryItem]:
        """The next passages in reading order. Only rows that are not cached are read and parsed; for the others, their
        ids are enough."""
        own, rows = self._of(user_id), self._truth.collection(ITEMS)
        if rows.version is None:
            return await own.find(filter, sort=_IN_ORDER, limit=_STEP, after=after)
        version = rows.version
        found = await own.rows.find(filter, sort=_IN_ORDER, limit=_STEP, after=after, fields=[])
        ids = [str(row["_id"]) for row in found]
        known = self._known_items.among(rows, ids)
        if unknown := [id for id in ids if id not in known]:
            read = await own.find({"_id": {"$in": unknown}})
            for item in read:
                with_shared_names(item)
            self._known_items.keep(version, ((item.id, item) for item in read))
            known |= {item.id: item for item in read}
        return [known[id] for id in ids if id in known]

    async def at(self, user_id: str, document_id: str, orders: Sequence[int]) -> dict[int, MemoryItem]:
        """The visible passages at the given positions in a document, by position."""
        active = {"document_id": document_id, **PASSAGES, "status": "active", "place.order": {"$in": list(orders)}}
        return {item.place.order: item for item in await self._of(user_id).find(active)}

    async def count_pending_vectors(self, user_id: str, document_id: str) -> int:
        """How many of a document's passages wait for their vector."""
        return await self._of(user_id).rows.count({**WITHOUT_VECTOR, **PASSAGES, "document_id": document_id})

    def _seen(self, user_id: str) -> TypedRecords[MemoryItem]:
        return readable_records(self._truth, user_id, self._group_of(user_id), ITEMS, MemoryItem)

    def _of(self, user_id: str) -> TypedCollection[MemoryItem]:
        return records_of(self._truth, user_id, ITEMS, MemoryItem)


def _at(places: Iterable[tuple[str, int]]) -> Filter:
    """A filter for exactly these pairs of episode and order. Many episodes with the same order become one condition.
    The database index is then asked for each pair; otherwise all orders of all episodes would be read."""
    episodes: dict[int, list[str]] = defaultdict(list)
    for episode, order in sorted(places):
        episodes[order].append(episode)
    return {"$or": [{"place.episode": {"$in": named}, "place.order": order} for order, named in episodes.items()]}


def _unexpired(now: float, settings: Memory) -> Filter:
    """A filter for memories that are not expired at ``now``; proven memories in the history tier are kept beyond their
    time."""
    proven = {
        "tier": "history",
        "stats.score": {"$gte": settings.history_score},
        "stats.uses": {"$gte": settings.history_uses},
    }
    return {"$or": [{"timestamps.expires_at": None}, {"timestamps.expires_at": {"$gt": now}}, proven]}


def _lives(item: MemoryItem, now: float, settings: Memory) -> bool:
    """The same test for an item that is already loaded."""
    expires = item.timestamps.expires_at
    return expires is None or expires > now or _is_proven(item, settings)


def _is_proven(item: MemoryItem, settings: Memory) -> bool:
    enough = item.stats.score >= settings.history_score and item.stats.uses >= settings.history_uses
    return item.tier == "history" and enough
