"""Whether two questions ask the same: two questions → 0 (no) .. 1 (yes).

What a memory did for a question says something about that question, however it is worded, and nothing about the one
beside it. Meaning alone does not part the two: "how do I end a lease early" and "how do I end a licence early" are
nearer to each other than most rewordings are, because they share a frame. So the cosine counts for the less, the more
of the wording is shared while each question has a word of its own; a logistic regression over these says how sure it
is (``python -m benchmarks.sameness`` fits it). Questions that name other numbers are never the same.
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
from core.search.query.analysis import analyse
from core.store.index import Vector

MISTYPED = 84.0
"""Likeness of two words, 0..100, from which one is the other, mistyped or in another form."""

_WORD = re.compile(r"[^\W_]+")
_NUMBER = re.compile(r"(?<!\w)\d+(?:[.,]\d+)*(?!\w)")


@dataclass(frozen=True)
class SimilarityGate:
    """Weights of the features in their order, then the constant; log-odds ``unlike`` and beneath are 0, ``alike`` 1."""

    weights: tuple[float, ...]
    unlike: float
    alike: float

    def open(self, features: tuple[float, ...]) -> float:
        return min(1.0, max(0.0, (self.odds(features) - self.unlike) / (self.alike - self.unlike)))

    def odds(self, features: tuple[float, ...]) -> float:
        """The logarithm of the odds that the two ask the same."""
        return float(np.dot(self.weights, (*features, 1.0)))


BY_MEANING = SimilarityGate((11.0, 3.9, -18.8, -10.3), unlike=0.8, alike=2.0)
"""Cosine on the calibrated span of the embedding model, shared terms, shared frame. Of pairs of neighbours in one topic
one in two thousand passes where it was fitted, and one in two hundred of the others."""
BY_WORDS = SimilarityGate((13.7, -11.3, -3.6), unlike=0.4, alike=3.0)
"""Where a vector is missing: the same without the cosine. It knows a question again, and few rewordings."""


class Question:
    """A question in the ways in which it can be compared; ``vector`` of unit length, where there is one."""

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
    """By meaning and words where both have a vector of one model and it has a ``calibration``, else by words."""
    if one.key == other.key:
        return 1.0
    if one.numbers and other.numbers and one.numbers != other.numbers:
        return 0.0
    cosine = _cosine(one, other)
    if calibration is None or cosine is None:
        return BY_WORDS.open(by_words(one, other))
    return BY_MEANING.open(by_meaning(one, other, cosine, calibration))


def by_meaning(one: Question, other: Question, cosine: float, calibration: Calibration) -> tuple[float, float, float]:
    """The features of a pair; the cosine may lie beyond 1 on the span, which ends at a question and its answer."""
    return (cosine - calibration.low) / (calibration.high - calibration.low), *by_words(one, other)


def by_words(one: Question, other: Question) -> tuple[float, float]:
    """The share of terms in common; the square of that of the wording in its order, if each has a word of its own."""
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
