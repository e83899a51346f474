"""How like two questions are, 0..1: whether what one of them taught holds for the other."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from core.language.terms import content_terms, stem
from core.memory.lessons import unpacked
from core.memory.records import Lesson
from core.models.embeddings import Calibration

LEAST, MOST = 0.75, 1.15
"""Where likeness begins and is full, on the calibrated span of the embedding model: questions are short and alike in
form, so that unrelated ones lie higher than unrelated passages do."""
LEAST_WORDS, MOST_WORDS = 0.4, 0.9
"""The same for the share of content words that two questions have in common (Jaccard)."""


class Likeness:
    """Of one question to others; by words alone where either has no vector."""

    def __init__(self, question: str, vector: NDArray[np.float32] | None, calibration: Calibration) -> None:
        self._words = words_of(question)
        self._vector = vector
        self._calibration = calibration

    def to(self, lesson: Lesson) -> float:
        words = _ramp(jaccard(self._words, words_of(lesson.question)), LEAST_WORDS, MOST_WORDS)
        if self._vector is None or lesson.vector is None:
            return words
        cosine = float(self._vector @ unpacked(lesson.vector))
        span = (cosine - self._calibration.low) / (self._calibration.high - self._calibration.low)
        return max(words, _ramp(span, LEAST, MOST))


def words_of(question: str) -> frozenset[str]:
    return frozenset(stem(term) for term in content_terms(question))


def jaccard(one: frozenset[str], other: frozenset[str]) -> float:
    return len(one & other) / len(one | other) if one and other else 0.0


def _ramp(value: float, low: float, high: float) -> float:
    return min(1.0, max(0.0, (value - low) / (high - low)))
