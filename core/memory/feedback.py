"""Records feedback on answers and applies it: to scores, to tiers, and to later ranking."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass
from typing import Unpack

from core.errors import fail
from core.memory.corrections.correcting import Correcting
from core.memory.corrections.records import Correction, CorrectionEffect
from core.memory.items.reasons import FailureReason
from core.memory.items.records import AnswerRecord, OutcomeEffect, OutcomeExample, ScoreChange, preview
from core.memory.items.writing import MemoryItems
from core.memory.lifecycle.promotion_triggers import PromotionTriggers
from core.memory.maintenance.metrics import Metrics
from core.memory.outcomes.answers import Answers
from core.memory.outcomes.examples import OutcomeExamples
from core.memory.outcomes.explanation import score_changes
from core.memory.outcomes.learning import Learning
from core.memory.outcomes.recording import Outcomes, Said, effective_outcome
from core.memory.ranking.conditional import CONDITIONAL, QuestionSimilarities
from core.memory.records import FeedbackEffect, RankingPreview
from core.models.embeddings import Calibration
from core.setting_groups import Memory as Constants
from core.store.items import MemoryItem, Outcome

log = logging.getLogger(__name__)

PROMOTION_SECONDS = 0.2
"""Seconds that the page waits for the list of changed tiers; later changes appear on the Memory page."""


CORRECTED: tuple[Outcome, ...] = ("partial", "failed")
"""Outcomes of answers that may have a correction."""

Promote = Callable[[str], Coroutine[None, None, None]]
"""Promotes, expires and archives what is due for a user, unless promotion is switched off."""


@dataclass
class Feedback:
    """Records how useful answers were, for all sources of feedback."""

    _items: MemoryItems
    _answers: Answers
    _outcomes: Outcomes
    _lessons: OutcomeExamples
    _learning: Learning
    _promote_due: Promote
    _occasions: PromotionTriggers
    _metrics: Metrics
    _calibration: Calibration | None
    _settings: Constants
    _corrections: Correcting

    def __post_init__(self) -> None:
        self._promoting: set[asyncio.Task[None]] = set()

    async def record(self, user_id: str, answer_id: str, outcome: Outcome, **said: Unpack[Said]) -> OutcomeEffect:
        """Score the memories that an answer used immediately, and update statistics soon after; returns what changed.

        Raises:
            PalimpsestError: this user has no such answer ("not_found").
        """
        effect = await self._record(user_id, answer_id, outcome, **said)
        if effect.ignored is None:
            self._occasions.due(user_id)
        return effect

    async def say(
        self,
        user_id: str,
        answer_id: str,
        outcome: Outcome,
        related: Sequence[int] | None = None,
        why: FailureReason | None = None,
        right: str = "",
    ) -> FeedbackEffect:
        """Apply the user's feedback on an answer; new feedback replaces the earlier one.

        ``related`` are the citations ([N]) that the feedback is about; by default, all citations in the answer.
        ``right`` is the right answer as the user typed it: the passage that holds it becomes the source of this
        question, and is never lowered. Feedback that the answer worked withdraws it.

        Raises:
            PalimpsestError: this user has no such answer ("not_found"), or the right answer is too long ("validation").
        """
        answer = await self._answers.known(user_id, answer_id)
        rated = await self._items.load(user_id, answer.used or answer.positions)
        before = {item.id: item.stats.score for item in rated}
        correction = await self._correction(answer, outcome, right)
        targets = _related_ids(answer, related)
        if correction and targets:
            holding = await self._corrections.holding(correction, targets)
            targets = [each for each in targets if each not in holding]
        effect = await self._record(user_id, answer_id, outcome, used=targets, why=why)
        await self._promote(user_id)
        now = {item.id: item for item in await self._items.load(user_id, [each.memory_id for each in effect.moved])}
        moved = [_since(each, before, now) for each in effect.moved]
        answer = await self._answers.get(user_id, answer_id) or answer
        cited, about = answer.cited, answer.used or answer.rests_on
        preview = await self._ranking_previews(answer)
        recorded = effective_outcome(await self._outcomes.of_answer(user_id, answer_id))
        return FeedbackEffect(
            answer_id=answer_id,
            outcome=effect.outcome,
            citations=sorted(set(cited.values())),
            rated_citations=sorted({cited[each] for each in about if each in cited}),
            effect=effect.model_copy(update={"moved": moved}),
            ranking_previews=preview,
            summary=score_changes([(each.tier, each.factor / each.before) for each in preview], answer.question),
            why=recorded.why if recorded else None,
            correction=await self._correction_effect(answer, correction),
        )

    async def undo_correction(self, user_id: str, answer_id: str) -> FeedbackEffect:
        """Remove the right answer that the user typed for an answer; the rating stays.

        Raises:
            PalimpsestError: this user has no such answer, or it has no rating ("not_found").
        """
        await self._answers.known(user_id, answer_id)
        recorded = effective_outcome(await self._outcomes.of_answer(user_id, answer_id))
        if recorded is None or not await self._corrections.undo(user_id, answer_id):
            raise fail("not_found", "memory.corrections.none")
        return await self.say(user_id, answer_id, recorded.outcome)

    async def _correction(self, answer: AnswerRecord, outcome: Outcome, right: str) -> Correction | None:
        if outcome not in CORRECTED:
            await self._corrections.undo(answer.user_id, answer.id)
            return None
        if right.strip():
            return await self._corrections.give(answer, right)
        return await self._corrections.of_answer(answer.user_id, answer.id)

    async def _correction_effect(self, answer: AnswerRecord, correction: Correction | None) -> CorrectionEffect | None:
        if correction is None:
            return None
        items = {item.id: item for item in await self._items.load(answer.user_id, answer.rests_on)}
        own = next((items[each].exchange for each in answer.rests_on if each in items), None)
        before = own.answer.strip().partition("\n")[0] if own else ""
        return CorrectionEffect(value=correction.value, before=before, pin=correction.pin, at=correction.created_at)

    async def stop(self) -> None:
        """Wait for running promotions to finish."""
        await asyncio.gather(*self._promoting, return_exceptions=True)

    async def _record(self, user_id: str, answer_id: str, outcome: Outcome, **said: Unpack[Said]) -> OutcomeEffect:
        effect = await self._outcomes.record(user_id, answer_id, outcome, **said)
        if effect.ignored is None:
            self._metrics.outcome(outcome)
            self._learning.later(user_id, answer_id)
        return effect

    async def _promote(self, user_id: str) -> None:
        task = asyncio.create_task(self._promote_due(user_id))
        self._promoting.add(task)
        task.add_done_callback(self._promoting.discard)
        try:
            await asyncio.wait_for(asyncio.shield(task), PROMOTION_SECONDS)
        except Exception:
            log.info("what rises or falls is decided a little later", exc_info=True)

    async def _ranking_previews(self, answer: AnswerRecord) -> list[RankingPreview]:
        if self._settings.profile != "conditional":
            return []
        user_id, ids = answer.user_id, answer.used or answer.positions
        items, lessons = await asyncio.gather(self._items.load(user_id, ids), self._lessons.of_memories(user_id, ids))
        likeness = QuestionSimilarities(answer.question, None, self._calibration)
        found = [self._ranking_preview(item, lessons.get(item.id, []), answer.id, likeness) for item in items]
        return [each for each in found if each.factor != each.before]

    def _ranking_preview(
        self, item: MemoryItem, lessons: Sequence[OutcomeExample], answer_id: str, likeness: QuestionSimilarities
    ) -> RankingPreview:
        book = item.source.book
        return RankingPreview(
            memory_id=item.id,
            tier=item.tier,
            preview=item.exchange.question if item.exchange else preview(item),
            document_id=item.document_id,
            title=book.title if book else "",
            before=CONDITIONAL.factor([each for each in lessons if each.answer_id != answer_id], likeness),
            factor=CONDITIONAL.factor(lessons, likeness),
        )


def _since(change: ScoreChange, before: Mapping[str, float], now: Mapping[str, MemoryItem]) -> ScoreChange:
    """The change from the score before the feedback to the tier after it."""
    tier = now[change.memory_id].tier if change.memory_id in now else change.to_tier
    return change.model_copy(update={"before": before.get(change.memory_id, change.before), "to_tier": tier})


def _related_ids(answer: AnswerRecord, related: Sequence[int] | None) -> list[str] | None:
    """Ids of the items that the feedback applies to: everything the answer used except citations that the user did not
    select, and selected passages that were shown but not used. ``None`` only if it is not known what was used."""
    wanted = set(related or ()) & set(answer.cited.values())
    targets = [each for each in answer.rests_on if not wanted or answer.cited.get(each) in (None, *wanted)]
    shown = [each for each, number in answer.cited.items() if number in wanted and each not in targets]
    return [*targets, *shown] or ([] if answer.used == [] else None)
