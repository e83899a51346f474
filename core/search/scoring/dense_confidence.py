"""How far a question's meaning lane may be trusted.

An embedding model that does not know a language, a script or a trade returns neighbours at random, with cosines as
high as ever. Words betray it: where they find a text that plainly holds the question, a model that knows what it
says has that text among its own best too. Where words find nothing, nothing speaks against meaning.
"""

from __future__ import annotations

from collections.abc import Sequence

from core.search.request import ScoredHit

ASKED = 3
"""How many of the best texts by words are looked up in the meaning lane."""
AGREEMENT = 0.4
"""How near to that lane's best they must stand to dispel all doubt (0 its last, 1 its first): nine in ten questions
of the measured sets pass it, and one in fifty when the lane is shuffled."""


def dense_confidence(candidates: Sequence[ScoredHit]) -> float:
    """0 (words contradict it) to 1; every candidate has its strengths by now."""
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
