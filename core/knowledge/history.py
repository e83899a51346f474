"""Computes the history of memories and answers by day, for charts."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Sequence
from datetime import UTC, datetime

from core.clock import DAY
from core.knowledge.outcome_edges import OutcomeEdgeStore, outcome_counts, outcomes_of_answers, success_by_tier
from core.knowledge.views import DayOutcomes, DayTiers, History, TierSuccess
from core.memory.items.reading import ITEMS
from core.memory.items.records import TRANSITIONS, OutcomeEvent, Transition
from core.memory.outcomes.recording import OUTCOMES as EVENTS
from core.records.memory_meta import Tier
from core.store.filters import number_at
from core.store.items import TIERS, Outcome
from core.store.scope import ScopedTruth
from core.store.truth import Truth
from core.store.typed_collection import records_of


class HistoryReader:
    def __init__(self, truth: Truth, learned: OutcomeEdgeStore) -> None:
        self._truth = truth
        self._learned = learned

    async def of(self, user_id: str, days: int, now: float) -> History:
        """The history of the last ``days`` days, today last."""
        today = now - now % DAY
        ends = [today + DAY - DAY * back for back in range(days - 1, -1, -1)]
        return History(
            outcomes=await self._outcomes(user_id, ends),
            tiers=await self._tiers(user_id, ends),
            routing=await self._routing(user_id),
        )

    async def _outcomes(self, user_id: str, ends: Sequence[float]) -> list[DayOutcomes]:
        """The latest outcome of each answer, on the day it was recorded."""
        said = records_of(self._truth, user_id, EVENTS, OutcomeEvent)
        events = await said.find({"timestamp": {"$gte": ends[0] - DAY}}, sort=[("timestamp", 1)])
        last = {event.answer_id: event for event in events}
        by_day: dict[str, list[Outcome]] = defaultdict(list)
        for event in last.values():
            by_day[_iso_day(event.timestamp)].append(event.outcome)
        return [
            DayOutcomes(day=_iso_day(end - 1), **outcome_counts(by_day[_iso_day(end - 1)]).model_dump()) for end in ends
        ]

    async def _tiers(self, user_id: str, ends: Sequence[float]) -> list[DayTiers]:
        """The tier of each existing memory at the end of each day, from the recorded moves."""
        items = ScopedTruth(self._truth, user_id).collection(ITEMS)
        rows = await items.find({"status": "active"}, fields=["tier", "timestamps.created_at"])
        moves: dict[str, list[Transition]] = defaultdict(list)
        recorded = records_of(self._truth, user_id, TRANSITIONS, Transition)
        for transition in await recorded.find({"done": True}, sort=[("at", 1)]):
            moves[transition.memory_id].append(transition)
        counts = [Counter[Tier]() for _ in ends]
        for row in rows:
            first = bisect_right(ends, number_at(row, "timestamps.created_at"))
            moved = moves.get(str(row["_id"]), ())
            for end, count in zip(ends[first:], counts[first:], strict=True):
                later = next((each for each in moved if each.at >= end), None)
                count[later.from_tier if later else next(tier for tier in TIERS if tier == row["tier"])] += 1
        return [
            DayTiers(day=_iso_day(end - 1), tiers={tier: count[tier] for tier in TIERS})
            for end, count in zip(ends, counts, strict=True)
        ]

    async def _routing(self, user_id: str) -> list[TierSuccess]:
        """Success by tier over all subjects; an answer about several subjects counts once."""
        subjects = list((await self._learned.of(user_id)).subjects.values())
        answers = {answer for subject in subjects for answer in subject.answers}
        return success_by_tier(outcomes_of_answers(subjects, answers))


def _iso_day(at: float) -> str:
    return datetime.fromtimestamp(at, UTC).date().isoformat()
