"""Ranks memories by their outcomes for the same question: what a memory did for one question applies to similar ones.

The formulas are those of docs/specification.md, "Ranking".

For each question that gave a memory outcomes, a verdict is calculated, from -1 (failed) to 1 (worked). It is the mean
of the question's outcomes and of those of similar questions weighted by similarity
(``core.memory.outcomes.question_similarity``), shrunk towards 0 by `n⁴ / (n⁴ + 2.8⁴)`: one outcome may be chance, three
that agree are not. A verdict counts by the square of the similarity between its question and the new one. Relevance is
then multiplied by `exp(2 × verdict)`: two memories with opposite verdicts after three rounds swap ranks even if one is
five times as near. In addition, the success rate for that question changes relevance by at most 15 %, from the first
outcome on. Outcomes have no effect on other questions: a memory that failed for a question about mileage is as good as
before for one about hotels.

A settled verdict overrides relevance: a memory that worked for this very question ranks first, and one that failed for
it ranks last, because an actual trial is better evidence than wording.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from core.language.normalisation import fold
from core.memory.items.records import OutcomeExample
from core.memory.outcomes.examples import unpacked
from core.memory.outcomes.question_similarity import Question, similarity
from core.memory.outcomes.scoring import PARTIAL, shrunk_mean
from core.memory.ranking.boosts import BOUND, Boosts, authority
from core.models.embeddings import Calibration
from core.search.request import OutcomeScore, Precedence, ScoredHit
from core.store.index import Vector
from core.store.items import Outcome

DIRECT = 3
"""Feedback about one source only counts as this many outcomes of whole answers, because it is clear which source it
means."""
SETTLED = 0.5
"""Minimum verdict (positive or negative) for treating it as settled that a memory answers this very question or does
not. It is reached by one report about this memory only, or by three about answers that used it, for a question that
asks the same, without any report to the contrary."""
SAME = 0.5
"""Minimum similarity of the two questions, 0..1, for a settled verdict."""
RECENT = 64
"""How many of a memory's latest lessons are used."""

_WORTH: dict[Outcome, float] = {"worked": 1.0, "partial": 2 * PARTIAL - 1, "failed": -1.0}


class QuestionSimilarities:
    """Similarities of stored questions to the new question and to each other, 0..1; each pair is compared once."""

    def __init__(self, asked: str, vector: Vector | None, calibration: Calibration | None) -> None:
        self._calibration = calibration
        self._asked = Question(asked, vector)
        self._questions: dict[str, Question] = {}
        self._pairs: dict[tuple[str, str], float] = {}

    def to(self, lesson: OutcomeExample) -> float:
        """Similarity of a lesson's question to the new question."""
        return self._like(self._asked, self._question(lesson))

    def between(self, one: OutcomeExample, other: OutcomeExample) -> float:
        return self._like(self._question(one), self._question(other))

    def _question(self, lesson: OutcomeExample) -> Question:
        key = lesson.question
        if key not in self._questions:
            self._questions[key] = Question(key, unpacked(lesson.vector) if lesson.vector else None)
        return self._questions[key]

    def _like(self, one: Question, other: Question) -> float:
        pair = (one.key, other.key)
        if pair not in self._pairs:
            self._pairs[pair] = similarity(one, other, self._calibration)
        return self._pairs[pair]


@dataclass(frozen=True)
class Conditional:
    """The ranking profile's constants. ``gated`` and ``shrunk`` can be switched off by the benchmark that measures
    their benefit; ``quality`` weights memory bank facts by their quality."""

    reach: float = 2.0
    doubt: float = 2.8
    steepness: float = 4.0
    gated: bool = True
    shrunk: bool = True
    quality: bool = True

    def weigh(
        self,
        candidates: Sequence[ScoredHit],
        taught: Mapping[str, Sequence[OutcomeExample]],
        likeness: QuestionSimilarities,
        boosts: Boosts,
    ) -> None:
        """Set ``weighed``, ``authority`` and ``learned`` of each candidate in place."""
        untaught = self._judged((), likeness)
        for each in candidates:
            relevance = each.fused + each.company
            factors = boosts.of(each.item, relevance)
            similarity = boosts.boosted(relevance, factors)
            lessons = taught.get(each.item.id)
            verdict, nearest, factors["outcomes"], each.precedence = (
                self._judged(lessons, likeness) if lessons else untaught
            )
            each.weighed = similarity * factors["outcomes"]
            each.authority = authority(each.item) if self.quality else 1.0
            each.learned = OutcomeScore(similarity, (1 + verdict) / 2, 1.0, nearest, factors)

    def _judged(
        self, lessons: Sequence[OutcomeExample], likeness: QuestionSimilarities
    ) -> tuple[float, float, float, Precedence]:
        """Returns ``verdict``, ``factor`` and ``precedence`` for a memory."""
        verdict, nearest = self.verdict(lessons, likeness)
        return verdict, nearest, self.factor(lessons, likeness), self.precedence(lessons, likeness)

    def precedence(self, lessons: Sequence[OutcomeExample], likeness: QuestionSimilarities) -> Precedence:
        """Whether the memory ranks before or after all others, because its outcomes for this very question settle
        it."""
        groups = _by_question(lessons)
        same = [group for group in groups if not self.gated or likeness.to(group[0]) >= SAME]
        if not same:
            return 0
        verdict = sum(self._question_verdict(group, groups, likeness) for group in same) / len(same)
        return 1 if verdict >= SETTLED else -1 if verdict <= -SETTLED else 0

    def factor(self, lessons: Sequence[OutcomeExample], likeness: QuestionSimilarities) -> float:
        """The factor that a verdict has on relevance."""
        return math.exp(self.reach * self.verdict(lessons, likeness)[0]) * self._leaning(lessons, likeness)

    def _leaning(self, lessons: Sequence[OutcomeExample], likeness: QuestionSimilarities) -> float:
        """A factor of 1 ± 15 % from the success rate for the same question. The rate is shrunk towards one half, so a
        first outcome already has a small effect."""
        successes = trials = 0.0
        for lesson in lessons[-RECENT:]:
            if lesson.outcome in _WORTH:
                share = likeness.to(lesson) if self.gated else 1.0
                trials += share
                successes += share * (1 + _WORTH[lesson.outcome]) / 2
        return 1 + BOUND * (2 * shrunk_mean(successes, trials) - 1)

    def verdict(self, lessons: Sequence[OutcomeExample], likeness: QuestionSimilarities) -> tuple[float, float]:
        """A memory's verdict for the new question, -1..1, and the similarity of the most similar earlier question,
        0..1."""
        groups = _by_question(lessons)
        near = [likeness.to(group[0]) ** 2 if self.gated else 1.0 for group in groups]
        weight = sum(near)
        if weight == 0:
            return 0.0, 0.0
        counting = ((like, group) for like, group in zip(near, groups, strict=True) if like > 0)
        verdict = sum(like * self._question_verdict(group, groups, likeness) for like, group in counting)
        return verdict / max(1.0, weight), max(near)

    def _question_verdict(
        self,
        group: Sequence[OutcomeExample],
        groups: Sequence[Sequence[OutcomeExample]],
        likeness: QuestionSimilarities,
    ) -> float:
        """One question's verdict, from its own outcomes and those of similar questions, weighted by the square of the
        similarity."""
        worth = trials = 0.0
        for other in groups:
            share = likeness.between(group[0], other[0]) ** 2 if self.gated else float(other is group)
            worth += share * sum(_WORTH[lesson.outcome] * _times(lesson) for lesson in other)
            trials += share * sum(_times(lesson) for lesson in other)
        certain = trials**self.steepness
        return worth / trials * (certain / (certain + self.doubt**self.steepness) if self.shrunk else 1.0)


def _by_question(lessons: Sequence[OutcomeExample]) -> list[list[OutcomeExample]]:
    """The latest lessons with an outcome, grouped by question."""
    by_question: dict[str, list[OutcomeExample]] = {}
    for lesson in lessons[-RECENT:]:
        if lesson.outcome in _WORTH:
            by_question.setdefault(fold(lesson.question), []).append(lesson)
    return list(by_question.values())


def _times(lesson: OutcomeExample) -> int:
    return DIRECT if lesson.direct else 1


CONDITIONAL = Conditional()
