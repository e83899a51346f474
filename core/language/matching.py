"""Scores how much of a query a text contains, as a number in 0..1 that is comparable between queries.

A BM25 score has no fixed scale. So it is divided by the maximum score, that of a text that repeats every query term
endlessly. Document frequencies are counted over the candidates: a term in all candidates does not distinguish them, so
it counts little; a term in none of them counts fully and lowers the score of all. On the Hebrew and code test sets of
``benchmarks/retrieval.py``, this ranks at least as well as the raw score.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

K1 = 1.2
B = 0.75


def lexical_strengths(
    terms: Sequence[str], texts: Sequence[Counter[str]], lengths: Sequence[float] | None = None
) -> list[float]:
    """Returns for each text a score in 0..1 for how much of the query it contains; all are zero for a query without
    terms. ``lengths`` (in terms) are needed if ``texts`` contain only the query's terms."""
    wanted = list(dict.fromkeys(terms))
    if not wanted or not texts:
        return [0.0] * len(texts)
    lengths = lengths or [text.total() for text in texts]
    shares: list[float] = strengths(terms, frequencies(wanted, texts), lengths).tolist()
    return shares


def frequencies(wanted: Sequence[str], texts: Sequence[Mapping[str, int]]) -> Floats:
    """Returns how often each of the ``wanted`` terms is in each text, shape (texts, terms)."""
    none = [0] * len(wanted)
    return np.array([list(map(text.get, wanted, none)) for text in texts], np.float64).reshape(-1, len(wanted))


def strengths(terms: Sequence[str], found: Floats, lengths: Sequence[float] | Floats) -> Floats:
    """Returns the same scores as ``lexical_strengths``, from the ``frequencies`` of the terms in the texts."""
    weights = Counter(terms)
    total = len(found)
    held = (found > 0).sum(axis=0).tolist()
    idf = [math.log(1 + (total - frequency + 0.5) / (frequency + 0.5)) for frequency in held]
    most = sum(weight * rarity for weight, rarity in zip(weights.values(), idf, strict=True)) * (K1 + 1)
    if most == 0:
        return np.zeros(total)
    relative = np.asarray(lengths, np.float64) / (sum(lengths) / total or 1.0)
    scores = np.zeros(total)
    for column, (weight, rarity) in enumerate(zip(weights.values(), idf, strict=True)):
        scores += weight * rarity * _saturated(found[:, column], relative)
    shares: Floats = scores / most
    return shares


def _saturated(frequency: Floats, relative_length: Floats) -> Floats:
    saturated: Floats = frequency * (K1 + 1) / (frequency + K1 * (1 - B + B * relative_length))
    return saturated
