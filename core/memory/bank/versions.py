"""The texts that items of the bank had before, and those that were merged into them."""

from __future__ import annotations

from typing import Literal
from uuid import NAMESPACE_OID, uuid5

from core.clock import Clock
from core.memory.items.records import VersionRecord
from core.store.items import MemoryItem
from core.store.scope import ScopedTruth
from core.store.truth import Collection, Sorted, Truth

VERSIONS = "memory_versions"

Reason = Literal["edited", "updated", "merged", "rewritten"]


class Versions:
    """Every text is kept before it is replaced, so a crash in between loses nothing."""

    def __init__(self, truth: Truth, clock: Clock) -> None:
        self._truth = truth
        self._clock = clock

    async def ensure(self) -> None:
        await self._truth.collection(VERSIONS).ensure(
            sort=[Sorted(("user_id", "memory_id", "number")), Sorted(("user_id", "merged_id"))]
        )

    async def keep(self, item: MemoryItem, reason: Reason, merged_id: str | None = None) -> VersionRecord:
        """Keep the text that ``item`` has now; keeping it again changes nothing.

        ``merged_id`` is the item into which this one was merged.
        """
        identifier = version_id(item.id, item.versioning.current_version, merged_id)
        collection = self._collection(item.user_id)
        known = await collection.get(identifier)
        if known is not None:
            return VersionRecord.model_validate(known)
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
        await collection.upsert(record.model_dump(by_alias=True, mode="json"))
        return record

    async def of(self, user_id: str, memory_id: str) -> list[VersionRecord]:
        """The earlier texts of an item and those merged into it, newest first."""
        rows = await self._collection(user_id).find(
            {"$or": [{"memory_id": memory_id}, {"merged_id": memory_id}]}, sort=[("archived_at", -1), ("number", -1)]
        )
        return [VersionRecord.model_validate(row) for row in rows]

    async def get(self, user_id: str, version_id: str) -> VersionRecord | None:
        row = await self._collection(user_id).get(version_id)
        return VersionRecord.model_validate(row) if row else None

    def _collection(self, user_id: str) -> Collection:
        return ScopedTruth(self._truth, user_id).collection(VERSIONS)


def version_id(memory_id: str, number: int, merged_id: str | None = None) -> str:
    """The same for the same text of the same item, so that keeping it twice is keeping it once."""
    return f"ver_{uuid5(NAMESPACE_OID, f'{memory_id}:{number}:{merged_id or str()}').hex}"
