"""How near points of two documents are: *points and their meanings* → for each pair, 0..1.

Half of it is meaning, half are the words that both hold; a word that many points hold weighs little, and words of one
concept are one.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.graph.actions.centrality import Floats
from core.graph.actions.points import Point
from core.grounding.wording import Term, is_held, keys, terms
from core.models.embeddings import Matrix

LOW, HIGH = 0.82, 0.97
"""The span of cosines between sentences of two documents of one kind, from unrelated to worded alike. Sentences are
nearer each other than a question and a passage are, for which models are calibrated."""
_MEANING = 0.5


@dataclass(frozen=True)
class Near:
    """``score`` joins ``meaning`` and ``words``, the weighed share of words that both hold; ``ours`` and ``theirs``:
    how much of each the other holds."""

    score: float
    meaning: float
    words: float
    ours: float
    theirs: float


class Nearness:
    """Of two documents' points; ``vectors`` of the ones, then of the others, where there are any."""

    def __init__(self, ones: Sequence[Point], others: Sequence[Point], vectors: Matrix | None) -> None:
        self._ones, self._others = ones, others
        self._told = [[terms(each.text) for each in side] for side in (ones, others)]
        self._keys = [[keys(each.text) for each in side] for side in (ones, others)]
        whole = [n for side in (0, 1) for n in zip(self._keys[side], (ones, others)[side], strict=True)]
        counts = Counter(key for held, point in whole if point.whole for key in held)
        total = 1 + sum(point.whole for _, point in whole)
        self._weights = {key: 0.15 + math.log(total / count) / math.log(total + 1) for key, count in counts.items()}
        self.cosines: Floats | None = None
        if vectors is not None:
            cosines = vectors[: len(ones)] @ vectors[len(ones) :].T
            self.cosines = np.asarray(cosines, dtype=np.float64)

    def of(self, one: int, other: int) -> Near:
        ours = self._share(self._told[0][one], self._keys[1][other])
        theirs = self._share(self._told[1][other], self._keys[0][one])
        words = 2 * ours * theirs / (ours + theirs) if ours + theirs else 0.0
        if self.cosines is None:
            return Near(words, words, words, ours, theirs)
        meaning = min(1.0, max(0.0, (float(self.cosines[one, other]) - LOW) / (HIGH - LOW)))
        return Near(_MEANING * meaning + (1 - _MEANING) * words, meaning, words, ours, theirs)

    def _share(self, told: Sequence[Term], held: frozenset[str]) -> float:
        if not told:
            return 0.0
        weights = [self._weights.get(term.key, 1.0) for term in told]
        met = sum(weight for term, weight in zip(told, weights, strict=True) if is_held(term, held))
        return met / sum(weights)
