"""Measures whether two questions ask the same: 0 (no) .. 1 (yes).

What a memory did for a question also applies to its rewordings, but not to a merely similar question. Embeddings cannot
separate the two: "how do I end a lease early" and "how do I end a licence early" are nearer to each other than most
rewordings are, because they share most of their wording. So the cosine counts less, the more wording the questions
share while each has a word that the other lacks. A logistic regression over these features gives the certainty
(``python -m benchmarks.sameness`` fits it). Questions with different numbers are never the same.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from rapidfuzz import fuzz
from rapidfuzz.distance import Indel

from core.language.normalisation import fold
from core.language.terms import content_terms, stem
from core.models.embeddings import Calibration
from core.question.analysis import analyse
from core.store.index import Vector

MISTYPED = 84.0
"""Minimum similarity of two words, 0..100, for one to count as a typo or another form of the other."""

_WORD = re.compile(r"[^\W_]+")
_NUMBER = re.compile(r"(?<!\w)\d+(?:[.,]\d+)*(?!\w)")


@dataclass(frozen=True)
class SimilarityGate:
    """The logistic regression: the features' weights in order, then the constant. Log-odds of at most ``unlike`` give
    0, of at least ``alike`` give 1."""

    weights: tuple[float, ...]
    unlike: float
    alike: float

    def open(self, features: tuple[float, ...]) -> float:
        return min(1.0, max(0.0, (self.odds(features) - self.unlike) / (self.alike - self.unlike)))

    def odds(self, features: tuple[float, ...]) -> float:
        """The log-odds that the two questions ask the same."""
        return float(np.dot(self.weights, (*features, 1.0)))


BY_MEANING = SimilarityGate((11.0, 3.9, -18.8, -10.3), unlike=0.8, alike=2.0)
"""Features: the cosine on the embedding model's calibrated range, shared terms, shared wording. Of pairs of different
questions on one topic, one in two thousand is wrongly accepted on the data it was fitted on, and one in two hundred
on other data."""
BY_WORDS = SimilarityGate((13.7, -11.3, -3.6), unlike=0.4, alike=3.0)
"""The same regression without the cosine, for questions without a vector. It recognises repeated questions, but few
rewordings."""


class Question:
    """A question's features for comparison; ``vector``, if there is one, has unit length."""

    def __init__(self, text: str, vector: Vector | None = None) -> None:
        self.key = fold(text).strip()
        self.vector = vector
        self._text = text

    @cached_property
    def terms(self) -> frozenset[str]:
        return frozenset(analyse(self._text).terms)

    @cached_property
    def words(self) -> list[str]:
        return _WORD.findall(self.key)

    @cached_property
    def content(self) -> list[str]:
        return list(dict.fromkeys(stem(word) for word in content_terms(self._text)))

    @cached_property
    def numbers(self) -> frozenset[str]:
        return frozenset(_NUMBER.findall(self.key))


def similarity(one: Question, other: Question, calibration: Calibration | None) -> float:
    """Compares by embeddings and words if both questions have a vector of one model and it has a ``calibration``, else
    by words."""
    if one.key == other.key:
        return 1.0
    if one.numbers and other.numbers and one.numbers != other.numbers:
        return 0.0
    cosine = _cosine(one, other)
    if calibration is None or cosine is None:
        return BY_WORDS.open(by_words(one, other))
    return BY_MEANING.open(by_meaning(one, other, cosine, calibration))


def by_meaning(one: Question, other: Question, cosine: float, calibration: Calibration) -> tuple[float, float, float]:
    """A pair's features. The cosine may exceed 1 on the calibrated range, whose upper end is the cosine of a question
    and its answer."""
    return (cosine - calibration.low) / (calibration.high - calibration.low), *by_words(one, other)


def by_words(one: Question, other: Question) -> tuple[float, float]:
    """Two features: the share of common terms, and the squared share of common wording, which counts only if each
    question has a word that the other lacks."""
    both = len(one.terms) + len(other.terms)
    shared = 2 * len(one.terms & other.terms) / both if both else 0.0
    return shared, Indel.normalized_similarity(one.words, other.words) ** 2 if _each_its_own(one, other) else 0.0


def _each_its_own(one: Question, other: Question) -> bool:
    return _beyond(one.content, other.content) and _beyond(other.content, one.content)


def _beyond(words: list[str], others: list[str]) -> bool:
    return any(all(fuzz.ratio(word, each) < MISTYPED for each in others) for word in words)


def _cosine(one: Question, other: Question) -> float | None:
    if one.vector is None or other.vector is None or one.vector.shape != other.vector.shape:
        return None
    return float(np.dot(one.vector, other.vector))
