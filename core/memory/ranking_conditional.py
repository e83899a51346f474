"""Outcomes that belong to a pair: what a memory did for a question says something about questions like it [spec M5].

For every question that earned a memory its outcomes, those outcomes are one verdict in -1 (failed) .. 1 (worked),
shrunk towards 0 by `n³ / (n³ + 2.3³)`: one outcome may be chance, three that agree are not. A verdict counts as far as
the new question is like the old one. Relevance is then multiplied by `exp(2 × verdict)`, so that two memories that
three rounds have told apart change places even when one is twice as near, and others stay where they are.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from core.language.normalisation import fold
from core.memory.lessons import unpacked
from core.memory.ranking_boosts import Boosts, authority
from core.memory.records import Lesson
from core.memory.scoring import PARTIAL
from core.models.embeddings import Calibration
from core.search.analyse import Analysis, analyse
from core.search.request import Explained, Learned
from core.store.index import Vector
from core.store.items import Outcome

UNLIKE, ALIKE = 0.64, 1.36
"""On the calibrated span of an embedding model's cosines, which ends at 1 for a question and its answer: from where
two questions begin to be alike, and where they are one. Three in four pairs of different questions about the same
people lie below .64; 28 rewordings in two languages, written for this, all lie above it, half of them above 1.13."""
DIFFERENT_WORDS, SAME_WORDS = 0.35, 0.85
"""The same for the share of words in common, where there is no vector to compare."""
RECENT = 200
"""Lessons of one memory that are looked at: the latest."""

_WORTH: dict[Outcome, float] = {"worked": 1.0, "partial": 2 * PARTIAL - 1, "failed": -1.0}


class Likeness:
    """How like a question is to earlier ones, 0..1; each of them is looked at once."""

    def __init__(self, asked: Analysis, vector: Vector | None, calibration: Calibration | None) -> None:
        self._asked = fold(asked.text)
        self._terms = frozenset(asked.terms)
        self._vector = vector if calibration else None
        span = calibration.high - calibration.low if calibration else 0.0
        low = calibration.low if calibration else 0.0
        self._unlike, self._alike = low + UNLIKE * span, min(0.98, low + ALIKE * span)
        self._known: dict[str, float] = {}

    def to(self, lesson: Lesson) -> float:
        """1 for the same question, by meaning where both have a vector, else by words."""
        key = fold(lesson.question)
        if key not in self._known:
            self._known[key] = 1.0 if key == self._asked else self._compared(lesson)
        return self._known[key]

    def _compared(self, lesson: Lesson) -> float:
        earlier = unpacked(lesson.vector) if lesson.vector else None
        if self._vector is not None and earlier is not None and earlier.shape == self._vector.shape:
            return _between(self._unlike, self._alike, float(np.dot(self._vector, earlier)))
        terms = frozenset(analyse(lesson.question).terms)
        both = len(terms) + len(self._terms)
        return _between(DIFFERENT_WORDS, SAME_WORDS, 2 * len(terms & self._terms) / both if both else 0.0)


@dataclass(frozen=True)
class Conditional:
    """The profile's numbers. ``gated`` and ``shrunk`` exist to be switched off by the benchmark that shows what they
    are good for; ``quality`` weighs facts of the bank by their quality."""

    reach: float = 2.0
    doubt: float = 2.3
    steepness: float = 3.0
    gated: bool = True
    shrunk: bool = True
    quality: bool = True

    def weigh(
        self,
        candidates: Sequence[Explained],
        taught: Mapping[str, Sequence[Lesson]],
        likeness: Likeness,
        boosts: Boosts,
    ) -> None:
        """Set ``weighed``, ``authority`` and ``learned`` of every candidate in place."""
        for each in candidates:
            relevance = each.fused + each.company
            factors = boosts.of(each.item, relevance)
            similarity = boosts.boosted(relevance, factors)
            verdict, nearest = self.verdict(taught.get(each.item.id, ()), likeness)
            factors["outcomes"] = math.exp(self.reach * verdict)
            each.weighed = similarity * factors["outcomes"]
            each.authority = authority(each.item) if self.quality else 1.0
            each.learned = Learned(similarity, (1 + verdict) / 2, 1.0, nearest, factors)

    def verdict(self, lessons: Sequence[Lesson], likeness: Likeness) -> tuple[float, float]:
        """What outcomes say of a memory for the new question, -1..1, and how like the likest question is, 0..1."""
        heard: dict[str, list[Lesson]] = {}
        for lesson in lessons[-RECENT:]:
            if lesson.outcome in _WORTH:
                heard.setdefault(fold(lesson.question), []).append(lesson)
        pairs = [(likeness.to(group[0]) if self.gated else 1.0, self._of(group)) for group in heard.values()]
        weight = sum(like for like, _ in pairs)
        if weight == 0:
            return 0.0, 0.0
        return sum(like * each for like, each in pairs) / max(1.0, weight), max(like for like, _ in pairs)

    def _of(self, lessons: Sequence[Lesson]) -> float:
        """The verdict of one question's outcomes."""
        mean = sum(_WORTH[lesson.outcome] for lesson in lessons) / len(lessons)
        trials = len(lessons) ** self.steepness
        return mean * trials / (trials + self.doubt**self.steepness) if self.shrunk else mean


CONDITIONAL = Conditional()


def _between(low: float, high: float, value: float) -> float:
    return min(1.0, max(0.0, (value - low) / (high - low)))
