"""What a score is worth: both lanes on one scale of 0..1 that can be compared between questions.

The constants are those of docs/specification.md, "Strength".

*Words*: the share of the question that a text holds (``core.language.matching``), where ``FULL`` of it is as much as
texts that answer usually hold. The question counts without and with its synonyms, whichever suits the text better.

*Meaning*: a cosine on the embedding model's calibrated span. The best of a whole library of unrelated texts reaches
``NOISE`` of that span, so only what lies above it is evidence.

*Both*: two witnesses, ``1 - (1 - meaning) · (1 - words)``: either is enough by itself, and together they are more.
A text without a vector has one witness only, who is therefore believed sooner (``ALONE``).

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
"""What a passage must reach to be quoted as an answer; what a mode lets in below it is near and no more. Of questions
put to a library of something else one in fifty finds a passage of this strength (one in six where English code meets
English prose); of questions that can be answered, about one in thirty does not."""

_FOREIGN = "@"
"""How ``core.language.terms`` marks a Latin word of Hebrew text; to a reader it is the same word."""

Confidence = Literal["high", "medium", "low", "none"]


class Terms(Counter[str]):
    """Term frequencies that stay as they are, so that they are added up once."""

    @cached_property
    def _total(self) -> int:
        return sum(self.values())

    def total(self) -> int:
        return self._total


def term_frequencies(terms: Iterable[str]) -> Counter[str]:
    """Term frequencies of a text as strengths need them."""
    return Counter(term.removeprefix(_FOREIGN) for term in terms)


def item_terms(item: ItemText) -> Terms:
    """Those of an item, as it is searched; only Hebrew text has words of another."""
    terms = index_terms(item.searched_text, item.language)
    return Terms(term_frequencies(terms) if item.language == "he" else terms)


def lexical(terms: Sequence[str], expanded: Sequence[str], texts: Sequence[Counter[str]]) -> list[float]:
    """The strength of words of each text, at least 0; 1 is as much as can be hoped for, more is possible."""
    own = [term for term in terms if not term.startswith(_FOREIGN)]
    more = [term for term in expanded if not term.startswith(_FOREIGN)]
    shares = lexical_strengths(own, texts)
    if more:
        shares = list(map(max, shares, lexical_strengths([*own, *more], texts)))
    return [share / FULL for share in shares]


def joint_confidence(meaning: float | None, words: float, figures: float = 0.0) -> float:
    """How sure all witnesses together are, 0..1; ``meaning`` is ``None`` where there is no vector, ``figures`` is the
    share of the sought rows that a passage prints."""
    if meaning is None:
        sure = min(1.0, words * FULL / ALONE)
    else:
        evidence = max(0.0, (meaning - NOISE) / (1 - NOISE))
        sure = 1 - (1 - min(1.0, evidence)) * (1 - min(1.0, words))
    return 1 - (1 - sure) * (1 - figures)


def confidence(best: float | None, settings: Search) -> Confidence:
    """In words, how sure the best hit is; ``None`` when there is none."""
    if best is None:
        return "none"
    if best >= settings.confidence_high:
        return "high"
    return "medium" if best >= settings.confidence_medium else "low"
