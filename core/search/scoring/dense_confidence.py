"""Estimates how far the embedding search can be trusted for a question.

An embedding model that does not know a language, a script or a domain returns random neighbours with high cosines.
Keywords reveal this: if they find a text that clearly contains the question, a suitable model ranks that text among its
best too. If keywords find nothing, there is no evidence against the embeddings.
"""

from __future__ import annotations

from collections.abc import Sequence

from core.search.request import ScoredHit

ASKED = 3
"""Number of the best keyword results that are looked up in the embedding results."""
AGREEMENT = 0.4
"""Minimum rank that they must have there for full trust (0 the last, 1 the first): nine in ten questions of the
measured test sets pass it, and one in fifty if the embedding results are shuffled."""


def dense_confidence(candidates: Sequence[ScoredHit]) -> float:
    """Returns the trust in the embedding search, from 0 (keywords contradict it) to 1; all candidates must have their
    strengths."""
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
