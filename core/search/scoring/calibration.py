"""Calibrates scores: brings keyword and embedding scores to one scale of 0..1 that is comparable between questions.

The constants are explained in docs/specification.md, "Strength".

*Words*: the share of the question that a text contains (``core.language.matching``), divided by ``FULL``, the share
that texts with the answer usually contain. This is computed for the question with and without synonyms, and the higher
value counts.

*Meaning*: the cosine similarity, on the range for which the embedding model was calibrated. Even in a library of
unrelated texts, the best one reaches ``NOISE`` of that range, so only the part above it is evidence.

*Both*: combined as ``1 - (1 - meaning) · (1 - words)``: either is enough by itself, and together they are more. A text
without an embedding has only words, which therefore count more (``ALONE``).

``python -m benchmarks.calibrate`` prints the distributions that these numbers were read from.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Literal

from core.language.matching import lexical_strengths
from core.language.terms import index_terms
from core.setting_groups import Search
from core.store.items import ItemText

FULL = 0.6
ALONE = 0.4
NOISE = 0.3
ANCHOR = 0.4
"""Minimum strength of a passage to be quoted as an answer; a weaker one that a research mode accepts is only loosely
related (near). If the library has no answer, one in fifty questions still finds a passage of this strength (one in
six if one of them is English prose and the other English code). If it has an answer, about one question in thirty finds
no such passage.
"""

_FOREIGN = "@"
"""The prefix by which ``core.language.terms`` marks a Latin word in Hebrew text; calibration treats it as the same word
without the prefix."""

Confidence = Literal["high", "medium", "low", "none"]


class Terms(Counter[str]):
    """Term frequencies of a text, immutable, so that their sum is computed only once."""

    @cached_property
    def _total(self) -> int:
        return sum(self.values())

    def total(self) -> int:
        return self._total


def term_frequencies(terms: Iterable[str]) -> Counter[str]:
    """Returns a text's term frequencies as needed for strengths."""
    return Counter(term.removeprefix(_FOREIGN) for term in terms)


def item_terms(item: ItemText) -> Terms:
    """Returns an item's term frequencies in the form used for search; in Hebrew items, Latin words lose their
    prefix."""
    terms = index_terms(item.searched_text, item.language)
    return Terms(term_frequencies(terms) if item.language == "he" else terms)


def lexical(terms: Sequence[str], expanded: Sequence[str], texts: Sequence[Counter[str]]) -> list[float]:
    """Returns each text's keyword strength, at least 0; 1 is a very good match, and higher values are possible."""
    own = [term for term in terms if not term.startswith(_FOREIGN)]
    more = [term for term in expanded if not term.startswith(_FOREIGN)]
    shares = lexical_strengths(own, texts)
    if more:
        shares = list(map(max, shares, lexical_strengths([*own, *more], texts)))
    return [share / FULL for share in shares]


def joint_confidence(meaning: float | None, words: float, figures: float = 0.0) -> float:
    """Combines all evidence, 0..1; ``meaning`` is ``None`` without an embedding, ``figures`` is the share of the
    requested rows in a passage."""
    if meaning is None:
        sure = min(1.0, words * FULL / ALONE)
    else:
        evidence = max(0.0, (meaning - NOISE) / (1 - NOISE))
        sure = 1 - (1 - min(1.0, evidence)) * (1 - min(1.0, words))
    return 1 - (1 - sure) * (1 - figures)


def confidence(best: float | None, settings: Search) -> Confidence:
    """Returns the best hit's confidence as a level; "none" if ``best`` is ``None``."""
    if best is None:
        return "none"
    if best >= settings.confidence_high:
        return "high"
    return "medium" if best >= settings.confidence_medium else "low"
