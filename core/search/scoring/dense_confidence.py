"""Estimates how reliable the embedding search is for a question.

An embedding model that does not know a language, a script or a domain returns random neighbours with high cosines. The
keyword search can reveal this: if it finds a text that clearly contains the question, a suitable model ranks that text
among its best too. If the keyword search finds nothing, there is no evidence against the embeddings.
"""

from __future__ import annotations

from collections.abc import Sequence

from core.search.request import ScoredHit

ASKED = 3
"""Number of the best keyword results that are looked up in the embedding results."""
AGREEMENT = 0.4
"""Minimum rank that the best keyword results must have in the embedding results for full trust (0 is the last, 1 the
first). Nine in ten questions of the measured test sets reach it; if the embedding results are shuffled, one in fifty
does."""


def dense_confidence(candidates: Sequence[ScoredHit]) -> float:
    """Returns how reliable the embedding search is, from 0 (keyword results contradict it) to 1; all candidates must
    already have their strengths."""
    cosines = [each.cosine for each in candidates if each.cosine is not None]
    best = sorted((each for each in candidates if each.lexical > 0 and each.dense is not None), key=_by_words)[:ASKED]
    if not cosines or not best:
        return 1.0
    last, span = min(cosines), max(cosines) - min(cosines)
    lexical = sum(each.lexical for each in best)
    stands = sum(each.lexical * _relative_position(each.cosine, last, span) for each in best) / lexical
    doubt = 1 - min(1.0, stands / AGREEMENT)
    return 1 - doubt * min(1.0, best[0].lexical)


def _by_words(each: ScoredHit) -> tuple[float, str]:
    return -each.lexical, each.item.id


def _relative_position(cosine: float | None, last: float, span: float) -> float:
    if cosine is None:
        return 0.0
    return (cosine - last) / span if span > 0 else 1.0
