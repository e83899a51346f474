"""Records outcomes: feedback on an answer by a user, the detector or a model, and its effect on memories.

The writes have this order: the event, the lessons, the scores, the answer, and last the mark that the event has been
applied. Each write is derived from the ones before and gives the same result if repeated, so ``resume`` only needs
events without the mark. The effective outcome is always computed from all events of an answer: an event that is applied
late, by another process or after a crash, never overrides newer feedback or a higher authority.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TypedDict, Unpack
from weakref import WeakValueDictionary

from core.clock import Clock
from core.ids import NewId
from core.memory.items.reading import ITEMS
from core.memory.items.reasons import FailureReason
from core.memory.items.records import (
    AUTHORITIES,
    AnswerRecord,
    Authority,
    OutcomeEffect,
    OutcomeEvent,
    OutcomeExample,
    ScoreChange,
    preview,
)
from core.memory.items.writing import MemoryItems
from core.memory.outcomes.answers import Answers
from core.memory.outcomes.examples import OutcomeExamples, outcome_example, packed
from core.memory.outcomes.scoring import replayed
from core.models.embeddings import Embeddings
from core.records.memory_meta import Tier
from core.resilience.dependencies import Dependency
from core.setting_groups import Memory
from core.store.items import SCORED, MemoryItem, Outcome, Stats
from core.store.scope import ScopedTruth
from core.store.truth import Change, Sorted, Truth, Update
from core.store.typed_collection import TypedCollection, records_of

log = logging.getLogger(__name__)

OUTCOMES = "memory_outcomes"
TAUGHT: tuple[Tier, ...] = (*SCORED, "books")
"""Tiers whose items have lessons. Passages of books have no score, but their outcomes are stored with the question."""
_UNTAUGHT = {"retrieved", "last_retrieved_at", "initial_score"}
"""Usage statistics that outcomes do not change."""
TICK = 1e-6
"""Minimum seconds between two reports on an answer, so that their order is clear even if clocks differ."""


class Said(TypedDict, total=False):
    """Optional values of a report; see :meth:`Outcomes.record`."""

    authority: Authority
    confidence: float
    used: Sequence[int | str] | None
    indicators: Sequence[str]
    reasoning: str
    why: FailureReason | None


@dataclass
class Outcomes:
    """Records outcomes. ``_embedding`` limits the time for embedding a question; without a model, lessons only have the
    question's words."""

    _truth: Truth
    _items: MemoryItems
    _answers: Answers
    _lessons: OutcomeExamples
    _clock: Clock
    _new_id: NewId
    _settings: Memory
    _embeddings: Embeddings | None = None
    _embedding: Dependency = field(default_factory=lambda: Dependency("The embedding model", 2.0))

    def __post_init__(self) -> None:
        self._turns: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    async def ensure(self) -> None:
        await self._truth.collection(OUTCOMES).ensure(
            sort=[Sorted(("applied",)), Sorted(("user_id", "timestamp")), Sorted(("user_id", "answer_id"))]
        )

    async def record(self, user_id: str, answer_id: str, outcome: Outcome, **said: Unpack[Said]) -> OutcomeEffect:
        """Report an answer's outcome; it replaces an earlier report from the same source.

        ``why`` is the reason why the answer did not help; without one, the reason given earlier for the same outcome is
        kept.

        ``used`` (ids, or positions in the answer's list counted from 1) limits which memories are scored, for this
        report and later ones. If one of them was not available to the answer, everything that was available is scored.

        Raises:
            PalimpsestError: this user has no such answer ("not_found").
        """
        async with self._turns.setdefault(answer_id, asyncio.Lock()):
            answer = await self._answers.known(user_id, answer_id)
            events = await self.of_answer(user_id, answer_id)
            before = effective_outcome(events)
            authority, why = said.get("authority", "person"), said.get("why")
            if before and _authority_rank(before.authority) < _authority_rank(authority):
                return OutcomeEffect(answer_id=answer_id, outcome=before.outcome, ignored="lower authority")
            targets = _scored_ids(answer, said.get("used"))
            if why is None and before and before.outcome == outcome:
                why = before.why
            told = (outcome, authority, targets, why)
            if before and (before.outcome, before.authority, before.used, before.why) == told:
                if before.applied:
                    return OutcomeEffect(answer_id=answer_id, outcome=outcome, ignored="same as before")
                return await self._apply_outcome(answer)
            await self._of(user_id).put(
                OutcomeEvent(
                    id=self._new_id("out"),
                    user_id=user_id,
                    answer_id=answer_id,
                    conversation_id=answer.conversation_id,
                    outcome=outcome,
                    authority=authority,
                    confidence=said.get("confidence", 1.0),
                    used=targets,
                    indicators=list(said.get("indicators", ())),
                    reasoning=said.get("reasoning", ""),
                    why=why,
                    timestamp=max([self._clock(), *(each.timestamp + TICK for each in events)]),
                )
            )
            return await self._apply_outcome(answer)

    async def resume(self) -> int:
        """Apply events that a crash left unapplied, for all users (maintenance); returns how many."""
        rows = await self._truth.collection(OUTCOMES).find({"applied": False}, fields=["user_id", "answer_id"])
        for user_id, answer_id in sorted({(str(row["user_id"]), str(row["answer_id"])) for row in rows}):
            async with self._turns.setdefault(answer_id, asyncio.Lock()):
                answer = await self._answers.get(user_id, answer_id)
                if answer is None:
                    await self._applied(user_id, await self.of_answer(user_id, answer_id))
                else:
                    await self._apply_outcome(answer)
        return len(rows)

    async def of_answer(self, user_id: str, answer_id: str) -> list[OutcomeEvent]:
        """All reports on an answer, the earliest first."""
        return await self._of(user_id).find({"answer_id": answer_id}, sort=[("timestamp", 1)])

    async def _apply_outcome(self, answer: AnswerRecord) -> OutcomeEffect:
        """Update all stored data from the effective outcome; repeat this if another process has reported one since."""
        while True:
            events = await self.of_answer(answer.user_id, answer.id)
            effect = await self._outcome_effect(effective_outcome(events) or events[-1], answer)
            await self._applied(answer.user_id, events)
            if await self._of(answer.user_id).rows.count({"answer_id": answer.id}) == len(events):
                return effect

    async def _outcome_effect(self, event: OutcomeEvent, answer: AnswerRecord) -> OutcomeEffect:
        user_id = answer.user_id
        targets = event.used if event.used is not None else answer.positions
        known = {item.id: item for item in await self._items.find(user_id, {"_id": {"$in": targets}})}
        scored = [each for each in targets if each in known and known[each].tier in SCORED]
        learning = [each for each in targets if each in known and known[each].tier in TAUGHT]
        earlier = await self._lessons.of_answer(user_id, answer.id)
        vector = await self._vector(answer.question, [each.vector for each in earlier]) if learning else None
        named = _positions_of_source(answer, targets)
        taught = [outcome_example(answer, each, event, vector, direct=each in named) for each in learning]
        kept = {each.id for each in taught}
        withdrawn = [each for each in earlier if each.id not in kept]
        await self._lessons.put(user_id, taught, [each.id for each in withdrawn])
        # All memories that the answer ever used: a lesson may have been withdrawn just before a crash.
        every = dict.fromkeys([*targets, *answer.positions, *answer.tiers, *(each.memory_id for each in earlier)])
        moved = await self._rescored(user_id, list(every))
        await self._answers.close(user_id, answer.id, event.outcome, event.authority, event.used)
        return OutcomeEffect(
            answer_id=answer.id,
            outcome=event.outcome,
            moved=[each for each in moved if each.memory_id in scored or each.before != each.after],
            unscored=[each for each in targets if each in known and known[each].tier not in SCORED],
        )

    async def _rescored(self, user_id: str, memory_ids: Sequence[str]) -> list[ScoreChange]:
        """Recompute these memories' scores from their lessons; items that outcomes never score are left out.

        Other processes may do the same at this moment. So an item is read before its lessons and written only if it is
        unchanged; otherwise it is read again, until its score is correct.
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
        """Write statistics. The index is not updated, because no filter uses them."""
        now = self._clock()
        writes = []
        for item in items:
            stats = fresh[item.id].model_dump(mode="json", exclude=_UNTAUGHT)
            fields = {f"stats.{name}": value for name, value in stats.items()}
            change = Change(set={**fields, "version": item.version + 1, "timestamps.updated_at": now, "synced": False})
            writes.append(Update(item.id, change, where={"version": item.version}))
        if writes:
            await ScopedTruth(self._truth, user_id).collection(ITEMS).bulk(writes)

    async def _applied(self, user_id: str, events: Sequence[OutcomeEvent]) -> None:
        ids = [each.id for each in events if not each.applied]
        await self._of(user_id).rows.update_where({"_id": {"$in": ids}}, Change(set={"applied": True}))

    def _of(self, user_id: str) -> TypedCollection[OutcomeEvent]:
        return records_of(self._truth, user_id, OUTCOMES, OutcomeEvent)

    async def _vector(self, question: str, known: Sequence[str | None]) -> str | None:
        embeddings = self._embeddings
        if first := next((vector for vector in known if vector), None):
            return first
        if embeddings is None:
            return None
        try:
            return packed(await self._embedding.attempt(lambda: embeddings.embed_query(question)))
        except Exception:
            log.warning("a lesson goes without its vector", exc_info=True)
            return None


def effective_outcome(events: Sequence[OutcomeEvent]) -> OutcomeEvent | None:
    """The effective outcome: the last report of the highest authority."""
    return max(events, key=lambda each: (-_authority_rank(each.authority), each.timestamp, each.id), default=None)


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


def _authority_rank(authority: Authority) -> int:
    return AUTHORITIES.index(authority)


def _scored_ids(answer: AnswerRecord, used: Sequence[int | str] | None) -> list[str] | None:
    """Ids of the memories to score, without duplicates; ``None`` for all that the answer had available, and none for an
    answer of which it is known that it used nothing."""
    if used is not None and not used:
        return []
    references: Sequence[int | str] = used or answer.used or []
    ids = list(dict.fromkeys(_referenced_memory(answer, each) for each in references))
    return [each for each in ids if each] if ids and all(ids) else None


def _positions_of_source(answer: AnswerRecord, positions: Sequence[str]) -> set[str]:
    """Passages of the source that feedback is about: the one that the feedback was limited to, or the only one
    cited."""
    numbers = {answer.cited[each] for each in positions if each in answer.cited}
    return {each for each in positions if each in answer.cited} if len(numbers) == 1 else set()


def _referenced_memory(answer: AnswerRecord, reference: int | str) -> str | None:
    if reference in answer.tiers or reference in answer.positions:
        return str(reference)
    place = int(reference) if str(reference).isdecimal() else 0
    return answer.positions[place - 1] if 1 <= place <= len(answer.positions) else None
