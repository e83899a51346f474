"""Stores earlier texts of memory bank items, and the texts that were merged into them."""

from __future__ import annotations

from core.clock import Clock
from core.ids import id_of
from core.memory.items.records import VersionReason, VersionRecord
from core.store.items import MemoryItem
from core.store.truth import Sorted, Truth
from core.store.typed_collection import TypedCollection, records_of

VERSIONS = "memory_versions"


class Versions:
    """Stores versions; each text is stored before it is replaced, so a crash in between loses nothing."""

    def __init__(self, truth: Truth, clock: Clock) -> None:
        self._truth = truth
        self._clock = clock

    async def ensure(self) -> None:
        await self._truth.collection(VERSIONS).ensure(
            sort=[Sorted(("user_id", "memory_id", "number")), Sorted(("user_id", "merged_id"))]
        )

    async def keep(self, item: MemoryItem, reason: VersionReason, merged_id: str | None = None) -> VersionRecord:
        """Store the current text of ``item`` as a version; doing it again changes nothing.

        ``merged_id`` is the item into which this one was merged.
        """
        identifier = version_id(item.id, item.versioning.current_version, merged_id)
        known = await self.get(item.user_id, identifier)
        if known is not None:
            return known
        record = VersionRecord(
            id=identifier,
            user_id=item.user_id,
            memory_id=item.id,
            number=item.versioning.current_version,
            archived_text=item.text,
            archived_at=self._clock(),
            archived_quality=item.quality,
            archived_tags=item.tags,
            reason=reason,
            merged_id=merged_id,
        )
        await self._records(item.user_id).put(record)
        return record

    async def of(self, user_id: str, memory_id: str) -> list[VersionRecord]:
        """An item's earlier texts and those merged into it, newest first."""
        either = {"$or": [{"memory_id": memory_id}, {"merged_id": memory_id}]}
        return await self._records(user_id).find(either, sort=[("archived_at", -1), ("number", -1)])

    async def get(self, user_id: str, version_id: str) -> VersionRecord | None:
        return await self._records(user_id).get(version_id)

    def _records(self, user_id: str) -> TypedCollection[VersionRecord]:
        return records_of(self._truth, user_id, VERSIONS, VersionRecord)


def version_id(memory_id: str, number: int, merged_id: str | None = None) -> str:
    """The version's id; the same text of the same item has the same id, so it is stored once."""
    return id_of("ver", f"{memory_id}:{number}:{merged_id or ''}")
