"""Reads the memory bank: lists, counts, and the entry that a user describes in a few words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pydantic import BaseModel

from core.errors import fail
from core.memory.bank import errors as errors
from core.memory.bank.deduplication import Deduplication
from core.memory.bank.matching import MatchedEntries, match_entries
from core.memory.bank.versions import Versions
from core.memory.bank.write_guard import normalised_entry
from core.memory.items.reading import ITEMS
from core.memory.items.records import BankSort, VersionRecord
from core.memory.items.writing import MemoryItems
from core.setting_groups import Memory
from core.store.items import Kind, MemoryItem, Quality, Status
from core.store.scope import ScopedTruth
from core.store.truth import Collection, Filter, Sort, Truth

CANDIDATES = 20
"""Maximum number of entries examined for a query."""
PAGE = 200

_SORTS: dict[BankSort, Sort] = {
    "updated": [("timestamps.updated_at", -1)],
    "created": [("timestamps.created_at", -1)],
    "quality": [("quality.quality_score", -1)],
    "mentions": [("quality.mentioned_count", -1)],
}


ACTIVE: Filter = {"tier": "memory_bank", "status": "active"}


class BankStats(BaseModel):
    """Counts of the bank; ``tags`` and ``mean_quality`` (0..1) cover active items only."""

    statuses: dict[str, int]
    tags: dict[str, int]
    mean_quality: float
    capacity: int


@dataclass
class BankReading:
    """Methods raise ``PalimpsestError`` if an item does not exist ("not_found") or is invalid ("validation")."""

    _truth: Truth
    _items: MemoryItems
    _versions: Versions
    _dedup: Deduplication
    _settings: Memory

    async def get(self, user_id: str, memory_id: str) -> MemoryItem:
        """The item with this id, if it is active or archived."""
        item = await self._entry_of_any_status(user_id, memory_id)
        if item.status == "deleted":
            raise errors.not_found()
        return item

    async def versions(self, user_id: str, memory_id: str) -> list[VersionRecord]:
        """Earlier texts of an item that is not deleted, newest first."""
        return await self._versions.of(user_id, (await self.get(user_id, memory_id)).id)

    async def resolve(self, user_id: str, memory_id: str | None = None, match_query: str | None = None) -> MemoryItem:
        """The item with this id, or else the active item that matches the query best.

        Raises:
            PalimpsestError: none matches ("not_found") or several match equally ("validation"); the message lists them.
        """
        if memory_id:
            return await self.get(user_id, memory_id)
        if not match_query or not match_query.strip():
            raise fail("validation", "memory.errors.no_reference")
        near = await self._dedup.similar(user_id, match_query, CANDIDATES)
        return _only(match_entries(match_query, near, self._dedup.calibration))

    async def resolve_among(self, items: Sequence[MemoryItem], reference: str) -> MemoryItem:
        """The item in ``items`` that ``reference`` matches by keyword. Raises the same errors as ``resolve``."""
        return _only(match_entries(reference, [(item, None) for item in items], None))

    async def of_kind(self, user_id: str, kind: Kind) -> list[MemoryItem]:
        """Active items of one kind, the oldest first."""
        return await self._items.find(user_id, {**ACTIVE, "kind": kind}, sort=[("timestamps.created_at", 1)])

    async def always_injected(self, user_id: str) -> list[MemoryItem]:
        """Active items that are added to every context, the oldest first."""
        return await self._items.find(user_id, {**ACTIVE, "always_inject": True}, sort=[("timestamps.created_at", 1)])

    async def tags(self, user_id: str) -> dict[str, int]:
        """How many active items have each tag."""
        return await self._items.count_by(user_id, "tags", ACTIVE)

    async def stats(self, user_id: str) -> BankStats:
        statuses = await self._items.count_by(user_id, "status", {"tier": "memory_bank"})
        rows = await self._collection(user_id).find(ACTIVE, fields=["quality"])
        scores = [Quality.model_validate(row["quality"]).quality_score for row in rows if row.get("quality")]
        return BankStats(
            statuses=statuses,
            tags=await self.tags(user_id),
            mean_quality=sum(scores) / len(scores) if scores else 0.0,
            capacity=self._settings.bank_capacity,
        )

    async def _entry_of_any_status(self, user_id: str, memory_id: str) -> MemoryItem:
        item = await self._items.get(user_id, memory_id)
        if item is None or item.tier != "memory_bank":
            raise errors.not_found()
        return item

    def _collection(self, user_id: str) -> Collection:
        return ScopedTruth(self._truth, user_id).collection(ITEMS)

    async def list(
        self,
        user_id: str,
        *,
        status: Status = "active",
        tags: Sequence[str] = (),
        text: str = "",
        sort: BankSort = "updated",
        after: MemoryItem | None = None,
        limit: int = 50,
    ) -> list[MemoryItem]:
        """A page of items that contain every word of ``text`` and have at least one of ``tags``; deleted items are
        never listed.

        Args:
            after: the last item of the previous page, under the same sort.
        """
        if status == "deleted":
            return []
        wanted: dict[str, object] = {"tier": "memory_bank", "status": status}
        if tags:
            wanted["tags"] = {"$in": list(tags)}
        words = normalised_entry(text).split()
        found: list[MemoryItem] = []
        while len(found) < limit:
            most = PAGE if words else limit
            page = await self._items.find(user_id, wanted, sort=_SORTS[sort], limit=most, after=after)
            found += [item for item in page if all(word in normalised_entry(item.text) for word in words)]
            if not words or len(page) < PAGE:
                break
            after = page[-1]
        return found[:limit]


def _only(found: MatchedEntries) -> MemoryItem:
    if len(found.fitting) == 1:
        return found.fitting[0]
    if found.fitting:
        raise errors.several(found.fitting)
    raise errors.only_near(found.near) if found.near else fail("not_found", "memory.errors.no_match")
