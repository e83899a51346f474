"""Measures the similarity of two documents' points: takes points and embeddings; returns likely pairs with scores.

Half of the score is embedding similarity, half is shared words. A word found in many points weighs little, and synonyms
count as one word. In long documents, only pairs that share rare words and the most similar ones by embeddings are
compared.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from core.review.actions.comparable_statements import ComparableStatement
from core.review.lexicon import Term, is_held, keys, terms

LOW, HIGH = 0.82, 0.97
"""The range of cosine values between sentences of two similar documents, from unrelated to identical wording. Sentences
are closer to each other than a question is to a passage, for which models are calibrated."""
MOST_MEANT = 240
"""Maximum number of points compared by embeddings for two documents: about eight seconds on a small processor."""
MOST_PAIRS = 40_000
"""Up to this number of pairs, every point is compared with every other."""
_CANDIDATES = 4
_COMMON = 40
"""A word found in more points than this does not make two points a candidate pair."""
_LEAST = 0.3
_MEANING = 0.5

Vectors = Mapping[str, NDArray[np.float32]]
"""Unit-length embedding vectors, by text."""


@dataclass(frozen=True)
class StatementSimilarity:
    """A similarity ``score`` from ``meaning`` (embeddings) and ``words`` (weighted share of common words); ``ours`` and
    ``theirs`` are how much of each point the other contains."""

    score: float
    meaning: float
    words: float
    ours: float
    theirs: float


@dataclass(frozen=True)
class CandidatePair:
    """A pair of points to compare: ``one`` and ``other`` are their indexes."""

    one: int
    other: int
    near: StatementSimilarity


class SimilarityMatrix:
    """The similarity of two documents' points. ``whole`` is true if every point is compared with every other, so that
    unmatched points can be reported."""

    def __init__(self, ones: Sequence[ComparableStatement], others: Sequence[ComparableStatement]) -> None:
        self.ones, self.others = ones, others
        self.whole = len(ones) * len(others) <= MOST_PAIRS
        self._told = [[terms(each.text) for each in side] for side in (ones, others)]
        self._keys = [[keys(each.text) for each in side] for side in (ones, others)]
        held = [(own, p) for side in (0, 1) for own, p in zip(self._keys[side], (ones, others)[side], strict=True)]
        counts = Counter(key for own, point in held if point.whole for key in own)
        total = 1 + sum(point.whole for _, point in held)
        self._weights = {key: 0.15 + math.log(total / count) / math.log(total + 1) for key, count in counts.items()}
        self.likely = [CandidatePair(a, b, self._by_words(a, b)) for a, b in self._pairs()]
        if not self.whole:
            self.likely = [each for each in self.likely if each.near.words >= _LEAST]
        self.likely.sort(key=lambda each: -each.near.words)

    def texts(self) -> list[str]:
        """Returns the texts of points worth comparing by embeddings, most likely first."""
        if self.whole and len(self.ones) + len(self.others) <= MOST_MEANT:
            return list(dict.fromkeys(point.text for point in (*self.ones, *self.others)))
        texts = (p.text for each in self.likely for p in (self.ones[each.one], self.others[each.other]))
        return list(dict.fromkeys(texts))[:MOST_MEANT]

    def pairs_by_meaning(self, vectors: Vectors | None) -> list[CandidatePair]:
        """Returns the likely pairs by word and embedding similarity, or only by word similarity without ``vectors``.
        Points without a vector are left out if others have one."""
        if vectors is None:
            return self.likely
        found = []
        for each in self.likely:
            one, other = vectors.get(self.ones[each.one].text), vectors.get(self.others[each.other].text)
            if one is not None and other is not None:
                meaning = min(1.0, max(0.0, (float(one @ other) - LOW) / (HIGH - LOW)))
                score = _MEANING * meaning + (1 - _MEANING) * each.near.words
                found.append(replace(each, near=replace(each.near, score=score, meaning=meaning)))
        return found

    def _pairs(self) -> list[tuple[int, int]]:
        if self.whole:
            return [(a, b) for a in range(len(self.ones)) for b in range(len(self.others))]
        holding: dict[str, list[int]] = defaultdict(list)
        for place, own in enumerate(self._keys[1]):
            for key in own:
                holding[key].append(place)
        found = []
        for place, own in enumerate(self._keys[0]):
            shared: dict[int, float] = defaultdict(float)
            for key in own:
                if len(holding.get(key, ())) <= _COMMON:
                    for other in holding.get(key, ()):
                        shared[other] += self._weights.get(key, 1.0)
            best = sorted(shared, key=lambda other: -shared[other])[:_CANDIDATES]
            found += [(place, other) for other in best]
        return found

    def _by_words(self, one: int, other: int) -> StatementSimilarity:
        ours = self._weighted_share(self._told[0][one], self._keys[1][other])
        theirs = self._weighted_share(self._told[1][other], self._keys[0][one])
        words = 2 * ours * theirs / (ours + theirs) if ours + theirs else 0.0
        return StatementSimilarity(words, words, words, ours, theirs)

    def _weighted_share(self, terms_of_claim: Sequence[Term], held: frozenset[str]) -> float:
        if not terms_of_claim:
            return 0.0
        weights = [self._weights.get(term.key, 1.0) for term in terms_of_claim]
        met = sum(weight for term, weight in zip(terms_of_claim, weights, strict=True) if is_held(term, held))
        return met / sum(weights)
