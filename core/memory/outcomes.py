"""Outcomes: what a person, the detector or a model says of an answer, and what that makes of memories [spec O1, O2].

Order of writes: the event, the lessons, the scores, the answer, the mark that the event has been applied. Each is
derived from the ones before and says the same when it is done twice, so ``resume`` needs nothing but events that
lack the mark.
"""

from __future__ import annotations

import asyncio
import logging
from collections import defaultdict
from collections.abc import Sequence

from core.clock import Clock
from core.errors import PalimpsestError, fail
from core.ids import NewId
from core.memory.answers import ANSWERS, Answers
from core.memory.items import MemoryItems
from core.memory.lessons import Lessons, lesson, packed
from core.memory.records import AUTHORITIES, AnswerRecord, Authority, Moved, OutcomeEffect, OutcomeEvent, preview
from core.memory.scoring import replayed
from core.models.embeddings import Embeddings
from core.resilience import Dependency
from core.settings import Memory
from core.store.items import SCORED, MemoryItem, Outcome
from core.store.scope import ScopedTruth
from core.store.truth import Change, Sorted, Truth

log = logging.getLogger(__name__)

OUTCOMES = "memory_outcomes"
ATTEMPTS = 8
"""At a score that others are changing too."""


class Outcomes:
    """``embedding`` bounds the embedding of a question; without a model its words alone carry the lesson."""

    def __init__(
        self,
        truth: Truth,
        items: MemoryItems,
        answers: Answers,
        lessons: Lessons,
        clock: Clock,
        identifiers: NewId,
        settings: Memory,
        embeddings: Embeddings | None = None,
        embedding: Dependency | None = None,
    ) -> None:
        self._truth = truth
        self._items = items
        self._answers = answers
        self._lessons = lessons
        self._clock = clock
        self._new_id = identifiers
        self._settings = settings
        self._embeddings = embeddings
        self._embedding = embedding or Dependency("The embedding model", 2.0)
        self._turns: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)

    async def ensure(self) -> None:
        await self._truth.collection(OUTCOMES).ensure(sort=[Sorted(("applied",)), Sorted(("user_id", "timestamp"))])

    async def record(
        self,
        user_id: str,
        answer_id: str,
        outcome: Outcome,
        *,
        authority: Authority = "person",
        confidence: float = 1.0,
        used: Sequence[str] | None = None,
        indicators: Sequence[str] = (),
        reasoning: str = "",
    ) -> OutcomeEffect:
        """Say how an answer did; a change takes the earlier word back first.

        ``used`` narrows what is scored; ids that the answer did not have before it count as no reference at all.

        Raises:
            PalimpsestError: there is no such answer of this user ("not_found").
        """
        async with self._turns[answer_id]:
            answer = await self._answers.get(user_id, answer_id)
            if answer is None:
                raise _no_answer()
            if answer.authority and AUTHORITIES.index(answer.authority) < AUTHORITIES.index(authority):
                return OutcomeEffect(
                    answer_id=answer_id, outcome=answer.outcome or "unknown", ignored="lower authority"
                )
            if used is not None and set(used) <= set(answer.positions):
                answer = answer.model_copy(update={"used": list(used)})
            elif answer.outcome == outcome and answer.authority == authority:
                return OutcomeEffect(answer_id=answer_id, outcome=outcome, ignored="same as before")
            event = OutcomeEvent(
                id=self._new_id("out"),
                user_id=user_id,
                answer_id=answer_id,
                conversation_id=answer.conversation_id,
                outcome=outcome,
                authority=authority,
                confidence=confidence,
                indicators=list(indicators),
                reasoning=reasoning,
                timestamp=self._clock(),
            )
            events = ScopedTruth(self._truth, user_id).collection(OUTCOMES)
            await events.upsert(event.model_dump(by_alias=True, mode="json"))
            return await self._apply(event, answer)

    async def resume(self) -> int:
        """Finish what a crash left between an event and its scores, for everyone (maintenance); how many events."""
        rows = await self._truth.collection(OUTCOMES).find({"applied": False}, sort=[("timestamp", 1)])
        for event in map(OutcomeEvent.model_validate, rows):
            answer = await self._answers.get(event.user_id, event.answer_id)
            if answer is None:
                await self._applied(event)
            else:
                await self._apply(event, answer)
        return len(rows)

    async def of_answer(self, user_id: str, answer_id: str) -> list[OutcomeEvent]:
        """All that was said of an answer, the earliest first."""
        events = ScopedTruth(self._truth, user_id).collection(OUTCOMES)
        rows = await events.find({"answer_id": answer_id}, sort=[("timestamp", 1)])
        return [OutcomeEvent.model_validate(row) for row in rows]

    async def _apply(self, event: OutcomeEvent, answer: AnswerRecord) -> OutcomeEffect:
        known = {item.id: item for item in await self._items.find(answer.user_id, {"_id": {"$in": answer.positions}})}
        meant = answer.used if answer.used and set(answer.used) <= set(answer.positions) else answer.positions
        scored = [each for each in meant if each in known and known[each].tier in SCORED]
        earlier = await self._lessons.of_answer(answer.user_id, answer.id)
        vector = await self._vector(answer.question, [each.vector for each in earlier]) if scored else None
        taught = [lesson(answer, each, event.outcome, event.authority, event.timestamp, vector) for each in scored]
        kept = {each.id for each in taught}
        withdrawn = [each for each in earlier if each.id not in kept]
        await self._lessons.put(answer.user_id, taught, [each.id for each in withdrawn])
        touched = list(dict.fromkeys([*scored, *(each.memory_id for each in withdrawn)]))
        moved = [moved for each in touched if (moved := await self._score(answer.user_id, each))]
        saying: dict[str, object] = {"outcome": event.outcome, "authority": event.authority, "used": answer.used}
        answers = ScopedTruth(self._truth, answer.user_id).collection(ANSWERS)
        await answers.update(answer.id, Change(set=saying))  # type: ignore[arg-type]
        await self._applied(event)
        return OutcomeEffect(
            answer_id=answer.id,
            outcome=event.outcome,
            moved=moved,
            unscored=[each for each in meant if each in known and known[each].tier not in SCORED],
        )

    async def _applied(self, event: OutcomeEvent) -> None:
        events = ScopedTruth(self._truth, event.user_id).collection(OUTCOMES)
        await events.update(event.id, Change(set={"applied": True}))

    async def _score(self, user_id: str, memory_id: str) -> Moved | None:
        """Make the score of a memory anew from its lessons; others may be doing the same at this moment."""
        for _ in range(ATTEMPTS):
            found = await self._items.find(user_id, {"_id": memory_id})
            if not found or found[0].tier not in SCORED:
                return None
            item = found[0]
            lessons = (await self._lessons.of_memories(user_id, [memory_id])).get(memory_id, [])
            stats = replayed(item.stats, [each.outcome for each in lessons], self._settings)
            stats.last_used_at = lessons[-1].at if lessons else None
            fields = stats.model_dump(mode="json", include=_SCORES)
            change = Change(set={f"stats.{name}": value for name, value in fields.items()})
            changed = await self._items.change(user_id, memory_id, change, if_version=item.version)
            if changed:
                return _moved(item, changed)
        raise _busy()

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


_SCORES = {
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


def _moved(before: MemoryItem, after: MemoryItem) -> Moved:
    return Moved(
        memory_id=before.id,
        preview=preview(before),
        tier=before.tier,
        to_tier=after.tier,
        status=after.status,
        before=before.stats.score,
        after=after.stats.score,
        uses=after.stats.uses,
    )


def _no_answer() -> PalimpsestError:
    return fail(
        "not_found",
        ("This answer is not known.", "התשובה הזו אינה מוכרת."),
        ("It was deleted, or it was never completed.", "היא נמחקה, או שלא הושלמה."),
        ("Ask again, and say how the new answer did.", "שאלו שוב, וציינו איך הייתה התשובה החדשה."),
    )


def _busy() -> PalimpsestError:
    return fail(
        "server",
        ("The score could not be written.", "לא ניתן היה לרשום את הציון."),
        ("Too many changes to the same memory came at once.", "יותר מדי שינויים לאותו זיכרון הגיעו בבת אחת."),
        (
            "It is written by itself at the next start; you can also press again.",
            "הוא יירשם בהפעלה הבאה; אפשר גם ללחוץ שוב.",
        ),
    )
