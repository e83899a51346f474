"""Caches the companies and periods in a user's document records, up to date with the records."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from core.knowledge.extraction.known_entities import DocumentRecord, Known, known_from
from core.lru_cache import LruCache
from core.store.filters import number_at
from core.store.scope import ScopedTruth
from core.store.truth import Collection, Json, Sorted, Truth

DOCUMENTS = "documents"
CLOCKS_APART = 10.0
"""Maximum seconds by which the clocks of two processes may differ."""
MOST_USERS = 16
"""Maximum number of users in the cache."""

_FIELDS = ("metadata.title", "metadata.kind", "metadata.organisations", "metadata.periods", "updated_at")


@dataclass(frozen=True)
class _Kept:
    records: Mapping[str, DocumentRecord] = field(default_factory=dict)
    known: Known = field(default_factory=Known)
    newest: float = 0.0

    def taking_in(self, rows: list[Json]) -> _Kept:
        told = {str(row["_id"]): DocumentRecord.model_validate(row) for row in rows}
        newest = max([self.newest, *(number_at(row, "updated_at") for row in rows)])
        if all(self.records.get(id) == record for id, record in told.items()):
            return _Kept(self.records, self.known, newest)
        records = {**self.records, **told}
        return _Kept(records, known_from(list(records.values())), newest)


class KnownDocuments:
    """The cache; when documents change, only these are read again."""

    def __init__(self, truth: Truth) -> None:
        self._truth = truth
        self._kept: LruCache[str, _Kept] = LruCache(MOST_USERS)

    async def ensure(self) -> None:
        await self._truth.collection(DOCUMENTS).ensure(sort=[Sorted(("user_id", "updated_at"))])

    async def of(self, user_id: str) -> Known:
        rows = ScopedTruth(self._truth, user_id).collection(DOCUMENTS)
        kept = await self._in_step(rows, self._kept.get(user_id))
        self._kept[user_id] = kept
        return kept.known

    async def _in_step(self, rows: Collection, kept: _Kept | None) -> _Kept:
        if kept is not None:
            changed = {"updated_at": {"$gte": kept.newest - CLOCKS_APART}}
            kept = kept.taking_in(await rows.find(changed, fields=_FIELDS))
            if await rows.count() == len(kept.records):
                return kept
        return _Kept().taking_in(await rows.find(fields=_FIELDS))
