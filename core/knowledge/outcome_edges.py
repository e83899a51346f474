"""Reads the outcomes of answers by subject and by action, in the form that the graphs need."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from core.ids import id_of
from core.knowledge.views import OutcomeCounts, TierSuccess
from core.language import hebrew
from core.language.normalisation import fold
from core.language.terms import stem
from core.language.vocabulary import phrase_of
from core.lru_cache import LruCache
from core.memory.outcomes.action_effectiveness import ACTIONS, ActionCount
from core.memory.outcomes.scoring import wilson
from core.memory.outcomes.success_counts import Example
from core.memory.outcomes.tier_routing import ROUTING, TierCount, spoken_concepts
from core.records.memory_meta import Tier
from core.store.filters import number_at
from core.store.items import TIERS, Outcome
from core.store.scope import ScopedTruth
from core.store.truth import Sorted, Truth
from core.store.typed_collection import records_of

_PREFIXES = phrase_of("knowledge/patterns.outcome_edges.prefixes")
MOST_USERS = 16

OutcomesByTier = dict[Tier, dict[str, Example]]
"""For each tier, the outcome of each answer that used it."""


@dataclass
class Subject:
    """A word that answered questions were about, as the questions write it."""

    id: str
    stem: str
    label: str
    answer_outcomes: OutcomesByTier

    @property
    def answers(self) -> set[str]:
        return {answer for each in self.answer_outcomes.values() for answer in each}


@dataclass
class Action:
    """An action on a tier, over all kinds of questions; ``contexts`` are the counts by kind."""

    id: str
    name: str
    tier: Tier | None
    contexts: dict[str, ActionCount] = field(default_factory=dict)

    @property
    def label(self) -> str:
        return f"{self.name} · {self.tier}" if self.tier else self.name

    @property
    def examples(self) -> dict[str, Example]:
        return {example.answer_id: example for tally in self.contexts.values() for example in tally.examples}

    def counts(self) -> OutcomeCounts:
        tallies = self.contexts.values()
        return OutcomeCounts(
            **{name: sum(getattr(each, name) for each in tallies) for name in OutcomeCounts.model_fields}
        )


@dataclass
class OutcomeEdges:
    """The routing and action graphs: ``subjects`` by stem, ``actions`` by id."""

    stamp: tuple[tuple[int, float], ...]
    subjects: dict[str, Subject]
    actions: dict[str, Action]

    def of_words(self, words: Sequence[str]) -> list[Subject]:
        """The subjects of ``words``; empty if one of them was never asked about."""
        found = [self.subject_of(word) for word in words]
        return [each for each in found if each] if all(found) else []

    def subject_of(self, word: str) -> Subject | None:
        """The subject of a word: by stem in English, by any form with or without prefix letters in Hebrew."""
        word = fold(word)
        if not hebrew.is_hebrew(word):
            return self.subjects.get(stem(word))
        forms = [word, *(f"{prefix}{word}" for prefix in _PREFIXES)]
        return next((self.subjects[form] for form in forms if form in self.subjects), None)


class OutcomeEdgeStore:
    """Reads the outcome counts, and reads them again whenever one of them has changed."""

    def __init__(self, truth: Truth) -> None:
        self._truth = truth
        self._known: LruCache[str, OutcomeEdges] = LruCache(MOST_USERS)

    async def ensure(self) -> None:
        for name in (ROUTING, ACTIONS):
            await self._truth.collection(name).ensure(sort=[Sorted(("user_id", "last_used_at"))])

    async def of(self, user_id: str) -> OutcomeEdges:
        stamp = tuple([await self._stamp(user_id, name) for name in (ROUTING, ACTIONS)])
        known = self._known.get(user_id)
        if known is None or known.stamp != stamp:
            known = OutcomeEdges(stamp, await self._subjects(user_id), await self._actions(user_id))
        self._known[user_id] = known
        return known

    async def _stamp(self, user_id: str, name: str) -> tuple[int, float]:
        rows = ScopedTruth(self._truth, user_id).collection(name)
        newest = await rows.find(sort=[("last_used_at", -1)], limit=1, fields=["last_used_at"])
        return await rows.count(), number_at(newest[0], "last_used_at") if newest else 0.0

    async def _subjects(self, user_id: str) -> dict[str, Subject]:
        examples: dict[str, OutcomesByTier] = defaultdict(dict)
        for tally in await records_of(self._truth, user_id, ROUTING, TierCount).find():
            examples[tally.concept][tally.tier] = {each.answer_id: each for each in tally.examples}
        return {
            concept: Subject(subject_id(user_id, concept), concept, _label(concept, each), each)
            for concept, each in examples.items()
        }

    async def _actions(self, user_id: str) -> dict[str, Action]:
        found: dict[str, Action] = {}
        for tally in await records_of(self._truth, user_id, ACTIONS, ActionCount).find():
            identifier = action_id(user_id, tally.action, tally.tier)
            action = found.setdefault(identifier, Action(identifier, tally.action, tally.tier))
            action.contexts[tally.context_type] = tally
        return found


def success_by_tier(examples: OutcomesByTier) -> list[TierSuccess]:
    """Success rate by tier, the best first."""
    found = []
    for tier in TIERS:
        if outcomes := list(examples.get(tier, {}).values()):
            counts = outcome_counts(each.outcome for each in outcomes)
            decided = counts.worked + counts.failed
            found.append(
                TierSuccess(
                    **counts.model_dump(),
                    tier=tier,
                    success_rate=counts.worked / decided if decided else 0.5,
                    wilson_score=wilson(counts.worked, decided),
                    uses=decided + counts.partial,
                    last_used_at=max(each.at for each in outcomes),
                )
            )
    return sorted(found, key=lambda each: (-each.wilson_score, -each.uses))


def outcome_counts(outcomes: Iterable[Outcome]) -> OutcomeCounts:
    return OutcomeCounts.model_validate(Counter(outcomes))


def outcomes_of_answers(subjects: Sequence[Subject], answers: set[str]) -> OutcomesByTier:
    """The outcomes of ``answers`` in all of these subjects."""
    merged: OutcomesByTier = {}
    for subject in subjects:
        for tier, examples in subject.answer_outcomes.items():
            kept = {answer: each for answer, each in examples.items() if answer in answers}
            if kept:
                merged.setdefault(tier, {}).update(kept)
    return merged


def subject_id(user_id: str, concept: str) -> str:
    return id_of("subj", user_id, concept)


def action_id(user_id: str, name: str, tier: Tier | None) -> str:
    return id_of("actn", user_id, name, tier)


def context_id(user_id: str, context_type: str) -> str:
    return id_of("ctxt", user_id, context_type)


def _label(concept: str, outcomes: OutcomesByTier) -> str:
    """A word from a question that has this stem, for display, because a stem itself is not a word."""
    for examples in outcomes.values():
        for example in examples.values():
            word = spoken_concepts(example.question).get(concept)
            if word:
                return word
    return concept
