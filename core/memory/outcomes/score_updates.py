"""Keeps the score of every memory what its lessons make of it (docs/specification.md, "Outcomes")."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.clock import Clock
from core.memory.items.reading import ITEMS
from core.memory.items.records import OutcomeExample, ScoreChange, preview
from core.memory.items.writing import MemoryItems
from core.memory.outcomes.examples import OutcomeExamples
from core.memory.outcomes.scoring import replayed
from core.setting_groups import Memory
from core.store.items import SCORED, MemoryItem, Stats
from core.store.scope import ScopedTruth
from core.store.truth import Change, Truth, Update

_FIELDS = {
    "uses",
    "worked_count",
    "failed_count",
    "partial_count",
    "unknown_count",
    "success_rate",
    "wilson_score",
    "score",
    "last_outcome",
    "last_used_at",
}


@dataclass
class Scores:
    """Scores are nothing that the index filters by, so it is not told."""

    _truth: Truth
    _items: MemoryItems
    _lessons: OutcomeExamples
    _clock: Clock
    _settings: Memory

    async def follow(self, user_id: str, memory_ids: Sequence[str]) -> list[ScoreChange]:
        """Make the scores of these memories anew from their lessons; those that outcomes never score are left out.

        Others may be doing the same at this moment. An item is read before its lessons and written only as it was
        read, so whoever comes second reads again; everyone is done when a score is found to be right.
        """
        first: dict[str, MemoryItem] = {}
        moved: dict[str, ScoreChange] = {}
        waiting = list(memory_ids)
        while waiting:
            found = await self._items.find(user_id, {"_id": {"$in": waiting}})
            items = [item for item in found if item.tier in SCORED]
            lessons = await self._lessons.of_memories(user_id, [item.id for item in items])
            fresh = {item.id: self._stats(item, lessons.get(item.id, [])) for item in items}
            first = {**{item.id: item for item in items}, **first}
            moved |= {item.id: _score_change(first[item.id], item) for item in items if item.stats == fresh[item.id]}
            wrong = [item for item in items if item.id not in moved]
            await self._write_stats(user_id, wrong, fresh)
            waiting = [item.id for item in wrong]
        return [moved[each] for each in memory_ids if each in moved]

    def _stats(self, item: MemoryItem, lessons: Sequence[OutcomeExample]) -> Stats:
        stats = replayed(item.stats, [each.outcome for each in lessons], self._settings)
        return stats.model_copy(update={"last_used_at": lessons[-1].at if lessons else None})

    async def _write_stats(self, user_id: str, items: Sequence[MemoryItem], fresh: dict[str, Stats]) -> None:
        now = self._clock()
        writes = []
        for item in items:
            stats = fresh[item.id].model_dump(mode="json", include=_FIELDS)
            fields = {f"stats.{name}": value for name, value in stats.items()}
            change = Change(set={**fields, "version": item.version + 1, "timestamps.updated_at": now, "synced": False})
            writes.append(Update(item.id, change, where={"version": item.version}))
        if writes:
            await ScopedTruth(self._truth, user_id).collection(ITEMS).bulk(writes)


def _score_change(before: MemoryItem, after: MemoryItem) -> ScoreChange:
    return ScoreChange(
        memory_id=before.id,
        preview=preview(before),
        tier=before.tier,
        to_tier=after.tier,
        status=after.status,
        before=before.stats.score,
        after=after.stats.score,
        uses=after.stats.uses,
    )
