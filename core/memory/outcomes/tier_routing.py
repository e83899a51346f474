"""Learns from outcomes which tier best answers questions on a subject."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import islice

from pydantic import BaseModel

from core.ids import id_of
from core.language.terms import content_terms, stem
from core.memory.items.records import AnswerRecord
from core.memory.outcomes.scoring import wilson
from core.memory.outcomes.success_counts import Example, SuccessCount, SuccessCountStore
from core.records.memory_meta import Tier
from core.store.items import TIERS, Outcome
from core.store.truth import Sorted, Truth

ROUTING = "memory_routing"

MOST_CONCEPTS = 12
LEAST_USES = 3
"""Number of *worked* or *failed* outcomes that a subject needs before it influences where to search."""
DEEP = 96
SHALLOW = 32
COLD = 64
"""Number of candidates that each retriever takes from a tier: from a recommended tier, from another tier, and from any
tier while nothing has been learned. Each is at least three times the longest result."""
BEST = 2
"""Number of tiers from which the most candidates are taken."""


class TierCount(SuccessCount):
    """Outcome counts for one subject in one tier."""

    concept: str
    tier: Tier


class TierAdvice(BaseModel):
    tier: Tier
    success_rate: float
    wilson_score: float
    uses: int


def concepts_of(text: str) -> list[str]:
    """A text's subjects: the stems of its first twelve content words."""
    return list(spoken_concepts(text))


def spoken_concepts(text: str) -> dict[str, str]:
    """The text's subjects as ``concepts_of`` gives them, each with a word of the text that has this stem, because stems
    are not words."""
    words: dict[str, str] = {}
    for term in content_terms(text):
        words.setdefault(stem(term), term)
    return dict(islice(words.items(), MOST_CONCEPTS))


class Routing:
    def __init__(self, truth: Truth) -> None:
        self._truth = truth
        self._tallies = SuccessCountStore(truth, ROUTING, TierCount)

    async def ensure(self) -> None:
        await self._truth.collection(ROUTING).ensure(sort=[Sorted(("user_id", "concept"))])

    async def learn(self, answer: AnswerRecord, outcome: Outcome, at: float) -> None:
        """Count an answer's outcome for each of its subjects and each tier that contributed to the answer."""
        used = answer.used or answer.positions
        tiers = sorted({answer.tiers[each] for each in used if each in answer.tiers})
        example = Example(answer_id=answer.id, outcome=outcome, at=at, question=answer.question)
        for concept in answer.concepts:
            for tier in tiers:
                fresh = TierCount(
                    id=id_of("rout", answer.user_id, concept, tier), user_id=answer.user_id, concept=concept, tier=tier
                )
                await self._tallies.tell(answer.user_id, fresh, example, answer.learned)

    async def recommend(self, user_id: str, concepts: Sequence[str]) -> list[TierAdvice]:
        """Tiers by how well they recently answered questions on these subjects, the best first; tiers without a
        *worked* or *failed* outcome are left out. An answer about several of the subjects counts once."""
        return _advice(await self._tallies.of(user_id).find({"concept": {"$in": list(concepts)}}))

    async def plan(self, user_id: str, concepts: Sequence[str], tiers: Sequence[Tier] = TIERS) -> dict[Tier, int]:
        """How many candidates each tier contributes. ``working`` always contributes the larger number, and so do the
        best tiers once enough is known; before that, all tiers contribute equally."""
        advice = [each for each in await self.recommend(user_id, concepts) if each.tier in tiers]
        if sum(each.uses for each in advice) < LEAST_USES:
            return dict.fromkeys(tiers, COLD)
        best = {each.tier for each in advice[:BEST] if each.success_rate >= 0.5} | {"working"}
        return {tier: DEEP if tier in best else SHALLOW for tier in tiers}


def _advice(tallies: Iterable[TierCount]) -> list[TierAdvice]:
    outcomes: dict[Tier, dict[str, Outcome]] = defaultdict(dict)
    for tally in tallies:
        outcomes[tally.tier] |= {each.answer_id: each.outcome for each in tally.examples}
    advice = []
    for tier in TIERS:
        of_tier = list(outcomes[tier].values())
        worked = of_tier.count("worked")
        decided = worked + of_tier.count("failed")
        if decided:
            rate, bound = worked / decided, wilson(worked, decided)
            advice.append(TierAdvice(tier=tier, success_rate=rate, wilson_score=bound, uses=decided))
    return sorted(advice, key=lambda each: -each.wilson_score)
