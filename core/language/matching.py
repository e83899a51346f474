"""How much of a query a text holds, as a number in 0..1 that can be compared between queries.

A BM25 score has no scale of its own. Here it is divided by what a text would score that held every term of the
query without end, with document frequencies counted over the candidates themselves: terms that all candidates share
tell them apart no more, and a term that none of them holds weighs fully against them all. On the Hebrew and the code
sets of ``benchmarks/retrieval.py`` this ranks at least as well as the raw score does.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

K1 = 1.2
B = 0.75


def lexical_strengths(
    terms: Sequence[str], texts: Sequence[Counter[str]], lengths: Sequence[float] | None = None
) -> list[float]:
    """One share in 0..1 per text; all zero for a query without terms. ``lengths``, in terms, are given where ``texts``
    hold the terms of the query alone."""
    wanted = Counter(terms)
    total = len(texts)
    frequency = Counter(term for text in texts for term in wanted if term in text)
    idf = {term: math.log(1 + (total - frequency[term] + 0.5) / (frequency[term] + 0.5)) for term in wanted}
    most = sum(wanted[term] * idf[term] for term in wanted) * (K1 + 1)
    if most == 0 or total == 0:
        return [0.0] * total
    lengths = lengths or [text.total() for text in texts]
    average = sum(lengths) / total or 1.0
    return [
        sum(wanted[term] * idf[term] * _saturated(text[term], length / average) for term in wanted if term in text)
        / most
        for text, length in zip(texts, lengths, strict=True)
    ]


def _saturated(frequency: int, relative_length: float) -> float:
    return frequency * (K1 + 1) / (frequency + K1 * (1 - B + B * relative_length))
