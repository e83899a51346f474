"""Learns which actions work for which kind of question."""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import BaseModel

from core.ids import id_of
from core.memory.items.records import AnswerRecord
from core.memory.outcomes.success_counts import Example, SuccessCount, SuccessCountStore
from core.records.memory_meta import Tier
from core.store.items import Outcome
from core.store.truth import Sorted, Truth

ACTIONS = "memory_actions"

LEAST_USES = 3


class ActionCount(SuccessCount):
    """Outcome counts for one action on one tier, for one kind of question."""

    context_type: str
    action: str
    tier: Tier | None = None


class ActionAdvice(BaseModel):
    """An action's success statistics; ``success_rate`` counts *partial* as one half."""

    action: str
    tier: Tier | None
    success_rate: float
    wilson_score: float
    uses: int


class ActionEffectiveness:
    def __init__(self, truth: Truth) -> None:
        self._truth = truth
        self._tallies = SuccessCountStore(truth, ACTIONS, ActionCount)

    async def ensure(self) -> None:
        await self._truth.collection(ACTIONS).ensure(
            sort=[Sorted(("user_id", "context_type")), Sorted(("user_id", "action"))]
        )

    async def learn(self, answer: AnswerRecord, outcome: Outcome, at: float) -> None:
        """Count an answer's outcome for each action it took; a failed tool counts as failed."""
        done = [(each.name, each.tier, each.document_ids, True) for each in answer.actions]
        done += [(run.name, None, [], run.result == "ok") for run in answer.tool_runs]
        for name, tier, documents, ran in done:
            fresh = ActionCount(
                id=id_of("acts", answer.user_id, answer.context_type, name, tier),
                user_id=answer.user_id,
                context_type=answer.context_type,
                action=name,
                tier=tier,
            )
            example = Example(
                answer_id=answer.id,
                outcome=outcome if ran else "failed",
                at=at,
                question=answer.question,
                conversation_id=answer.conversation_id,
                document_ids=documents,
            )
            learned: Outcome | None = "failed" if answer.learned and not ran else answer.learned
            await self._tallies.tell(answer.user_id, fresh, example, learned)

    async def of(self, user_id: str, context_type: str) -> list[ActionAdvice]:
        """Advice on actions for this kind of question, the best first; only those with three or more uses."""
        tallies = await self._tallies.of(user_id).find({"context_type": context_type})
        advice = [_advice(tally) for tally in tallies if tally.uses >= LEAST_USES]
        return sorted(advice, key=lambda each: (-each.success_rate, -each.uses, each.action))

    async def document_effect(self, user_id: str, document_ids: Sequence[str]) -> dict[str, float]:
        """Success rate of the answers that used each document, for documents with at least three such answers."""
        wanted = set(document_ids)
        of_answers: dict[str, dict[str, Outcome]] = {}
        for tally in await self._tallies.of(user_id).find({}):
            for example in tally.examples:
                for document in wanted.intersection(example.document_ids):
                    of_answers.setdefault(document, {})[example.answer_id] = example.outcome
        worth: dict[Outcome, float] = {"worked": 1.0, "partial": 0.5, "failed": 0.0}
        rates = {
            document: [worth[outcome] for outcome in outcomes.values() if outcome in worth]
            for document, outcomes in of_answers.items()
        }
        return {document: sum(each) / len(each) for document, each in rates.items() if len(each) >= LEAST_USES}

    async def forget_documents(self, user_id: str, document_ids: Sequence[str]) -> None:
        """Remove deleted documents from the examples."""
        gone = set(document_ids)
        for tally in await self._tallies.of(user_id).find({}):
            if any(gone.intersection(example.document_ids) for example in tally.examples):
                await self._tallies.change(user_id, tally, lambda each: _without_documents(each, gone))


def _without_documents(tally: ActionCount, gone: set[str]) -> ActionCount:
    examples = [
        example.model_copy(update={"document_ids": [each for each in example.document_ids if each not in gone]})
        for example in tally.examples
    ]
    return tally.model_copy(update={"examples": examples})


def _advice(tally: ActionCount) -> ActionAdvice:
    return ActionAdvice(
        action=tally.action,
        tier=tally.tier,
        success_rate=tally.effectiveness,
        wilson_score=tally.wilson_score,
        uses=tally.uses,
    )
