"""Shows users their memory: tiers, a memory's history, what was remembered from a conversation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from core.clock import Clock
from core.errors import PalimpsestError, general_problem
from core.memory.bank.versions import Versions
from core.memory.items.making import lifetime, rise_of
from core.memory.items.records import PromotionReport
from core.memory.items.writing import MemoryItems
from core.memory.lifecycle.promotion import Promotion
from core.memory.outcomes.answers import Answers
from core.memory.outcomes.examples import OutcomeExamples
from core.memory.records import ConversationMemories, History, TierSort, TierView
from core.records.memory_meta import Tier
from core.setting_groups import Memory
from core.store.items import SCORED, TIERS, MemoryItem
from core.store.truth import Filter, Sort

BINS = 10
"""Bars of the score distribution, each a tenth wide."""
SOON = 1 / 8
"""The final share of a tier's lifetime in which a memory counts as expiring soon."""

MOST_LEFT = 200
"""Maximum number of memories shown for one conversation."""
_SCORE: dict[bool, str] = {True: "stats.score", False: "quality.quality_score"}


@dataclass
class Inspection:
    """Read-only views of the memory."""

    _items: MemoryItems
    _promotion: Promotion
    _versions: Versions
    _lessons: OutcomeExamples
    _answers: Answers
    _clock: Clock
    _settings: Memory

    async def tiers(self, user_id: str) -> list[TierView]:
        return [await self._tier(user_id, tier) for tier in TIERS]

    async def of_source(self, user_id: str, source: str) -> int:
        """How many statements from an external source are stored."""
        return await self._items.count(user_id, {"tags": source})

    async def _tier(self, user_id: str, tier: Tier) -> TierView:
        active = _active(tier)
        seconds = lifetime(tier, self._settings)
        view = TierView(tier=tier, count=await self._items.count(user_id, active), scores=[0] * BINS)
        if rise := rise_of(tier, self._settings):
            view.rises_to, view.rises_score, view.rises_uses = rise
        if tier != "books":
            for score, count in (await self._items.count_by(user_id, _SCORE[tier in SCORED], active)).items():
                view.scores[min(BINS - 1, int(float(score or 0.5) * BINS + 1e-9))] += count
        view.oldest = await self._created(user_id, active, 1)
        view.newest = await self._created(user_id, active, -1)
        if seconds:
            view.lifetime, view.soon = seconds, seconds * SOON
            ends = {"timestamps.expires_at": {"$lte": self._clock() + view.soon}}
            view.expiring = await self._items.count(user_id, {**active, **ends})
        return view

    async def _created(self, user_id: str, active: Filter, direction: Literal[1, -1]) -> float | None:
        found = await self._items.find(user_id, active, sort=[("timestamps.created_at", direction)], limit=1)
        return found[0].timestamps.created_at if found else None

    async def page(
        self, user_id: str, tier: Tier, sort: TierSort = "newest", after: str | None = None, limit: int = 50
    ) -> list[MemoryItem]:
        """A page of a tier's active memories; ``after`` is the id of the previous page's last memory, under the same
        sort."""
        orders: dict[TierSort, Sort] = {
            "newest": [("timestamps.created_at", -1)],
            "score": [(_SCORE[tier in SCORED], -1)],
            "uses": [("stats.uses", -1)],
            "expires": [("timestamps.expires_at", 1)],
        }
        last = await self._items.get(user_id, after) if after else None
        return await self._items.find(user_id, _active(tier), sort=orders[sort], limit=limit, after=last)

    async def due(self, user_id: str) -> PromotionReport:
        """What promotion would change now."""
        return await self._promotion.due(user_id)

    async def items(self, user_id: str, memory_ids: Sequence[str]) -> list[MemoryItem]:
        """The memories with these ids, including expired ones."""
        return await self._items.find(user_id, {"_id": {"$in": list(memory_ids)}, "status": {"$ne": "deleted"}})

    async def history(self, user_id: str, memory_id: str) -> History:
        """A memory's history. Raises ``PalimpsestError`` ("not_found") if this user has no such memory."""
        item = await self._items.get(user_id, memory_id)
        if item is None or item.status == "deleted":
            raise PalimpsestError(general_problem("not_found"))
        taught = await self._lessons.of_memories(user_id, [memory_id])
        return History(
            item=item,
            versions=await self._versions.of(user_id, memory_id),
            outcomes=taught.get(memory_id, []),
            transitions=await self._promotion.transitions(user_id, memory_id=memory_id),
        )

    async def left_by(self, user_id: str, conversation_id: str) -> ConversationMemories:
        """What was remembered from one conversation."""
        said: Filter = {"source.conversation_id": conversation_id, "status": "active", "tier": {"$ne": "books"}}
        newest: Sort = [("timestamps.created_at", -1)]
        found = await self._items.find(user_id, said, sort=newest, limit=MOST_LEFT)
        return ConversationMemories(
            facts=[item for item in found if item.tier == "memory_bank"],
            exchanges=[item for item in found if item.tier != "memory_bank"],
            asked=await self._answers.of_conversation(user_id, conversation_id, MOST_LEFT),
        )


def _active(tier: Tier) -> Filter:
    return {"tier": tier, "status": "active"}
