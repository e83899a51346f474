"""What a figure is said of: *claim and sentences* → whether each quantity of the claim stands by the same things there.

A quantity's company is the words near it: the nearer, the more they count, and across commas or other figures less. A
figure of a claim is bound where the company of an equal figure is liker to its own than that of any other figure of the
same unit, and exchanged where another one's is clearly liker.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from core.grounding.lexicon import terms
from core.grounding.polarity import base, matches_any
from core.language import stance
from core.language.cache_sizes import TEXTS
from core.language.entities.quantities import TOLERANCE, Quantity, comparable, converted, quantities, says_same
from core.language.hebrew import is_hebrew
from core.language.normalisation import fold
from core.language.vocabulary import phrase_of

Fate = Literal["bound", "unclear", "exchanged", "differs", "absent"]

_BREAK = re.compile(phrase_of("grounding/patterns.quantity_binding.break"))
_WORD = re.compile(r"[^\W\d_]+")
_LEADS = 0.5
"""What the word right before a figure is worth: "within", "by", "to"."""
_SAME_UNIT = 1.25
_BREAK_COST = 4
_ANCHOR_COST = 6
_HALF = 4.0
"""Words of distance at which a word counts half."""
_HEADING = 0.15
BY = 1.1
"""How much liker the company of an equal figure must be than any other's."""
CLEARLY = 1.35
"""How much liker the company of another figure must be."""


@dataclass(frozen=True)
class QuantityContext:
    """A quantity in a sentence; ``around``: headings that stand above it."""

    text: str
    quantity: Quantity
    around: str = ""

    @property
    def in_run(self) -> bool:
        """Whether figures follow each other without a word, as in the row of a table."""
        plain = fold(self.text)
        others = [each for each in quantities(self.text) if each != self.quantity]
        gaps = [plain[min(self.quantity.end, each.end) : max(self.quantity.start, each.start)] for each in others]
        return any(not re.search(r"[^\W\d_]", gap) and not re.search(r"[,;()-]", gap) for gap in gaps)


@dataclass(frozen=True)
class QuantityBinding:
    """What became of a figure of the claim; ``beside`` is the figure that it was held against."""

    quantity: Quantity
    fate: Fate
    beside: QuantityContext | None = None


@lru_cache(maxsize=TEXTS)
def surrounding_words(text: str, quantity: Quantity) -> Mapping[str, float]:
    """The terms of ``text`` with how near they stand to ``quantity``, in 0..1."""
    others = [(each.start, each.end) for each in quantities(text) if each != quantity]
    found = context_distance(text, quantity.start, quantity.end, others)
    plain = fold(text)
    before = _WORD.findall(plain[max(0, quantity.start - 24) : quantity.start])
    found |= {f"^{word}": _LEADS for word in before[-1:]}
    if _is_baseline(plain, quantity):
        found["^from"] = 1.0
    return found


def context_distance(text: str, start: int, end: int, others: Sequence[tuple[int, int]]) -> dict[str, float]:
    """The terms of ``text`` with how near they stand to ``start:end``, in 0..1; ``others`` of its kind part them."""
    plain = fold(text)
    found: dict[str, float] = {}
    for term in terms(text):
        if term.end <= start:
            low, high = term.end, start
        elif term.start >= end:
            low, high = end, term.start
        else:
            continue
        gap = plain[low:high]
        passed = sum(low <= begin < high for begin, _ in others)
        distance = gap.count(" ") + _BREAK_COST * len(_BREAK.findall(gap)) + _ANCHOR_COST * passed
        found[term.key] = max(found.get(term.key, 0.0), 1 / (1 + distance / _HALF))
    return found


def _is_baseline(text: str, quantity: Quantity) -> bool:
    """Whether it is what another figure is compared with: "from", "against"."""
    before = text[max(0, quantity.start - 24) : quantity.start]
    return bool(stance.marks(before, "from")) and not re.search(r"[,;]\s*\S+\s*$", before.split("from")[-1])


def context_similarity(ours: Mapping[str, float], theirs: Mapping[str, float]) -> float:
    """How much of the company is shared, the near words most."""
    total = 0.0
    for key, weight in ours.items():
        near = theirs.get(key, 0.0)
        if not near and is_hebrew(key[:1]):
            near = max((theirs[other] for other in theirs if matches_any(key, frozenset({other}))), default=0.0)
        total += weight * near
    return total


def quantity_contexts(sentences: Sequence[tuple[str, str]]) -> list[QuantityContext]:
    """The quantities of ``sentences``, each given with its headings."""
    return [QuantityContext(text, each, around) for text, around in sentences for each in quantities(text)]


def competing_quantities(
    claim: str, quantity: Quantity, among: Sequence[QuantityContext]
) -> list[tuple[float, QuantityContext]]:
    """The places whose figures measure in the same unit, the likest company first."""
    ours = surrounding_words(claim, quantity)
    found = []
    for place in among:
        if _same_kind(quantity, place.quantity):
            heading = dict.fromkeys((term.key for term in terms(place.around)), _HEADING)
            theirs = {**heading, **surrounding_words(place.text, place.quantity)}
            unit = _SAME_UNIT if quantity.unit == place.quantity.unit else 1.0
            found.append((unit * context_similarity(ours, theirs), place))
    return sorted(found, key=lambda each: -each[0])


def _same_kind(one: Quantity, other: Quantity) -> bool:
    if not comparable(one, other):
        return False
    if one.unit:
        return True
    if not one.thing or not other.thing:
        return says_same(one, other)
    return matches_any(base(one.thing), frozenset({base(other.thing)})) or says_same(one, other)


def _lies_in_range(claim: Quantity, other: Quantity) -> bool:
    """Whether a single value lies about in the range that ``other`` is."""
    if claim.is_range or not other.is_range:
        return False
    value = converted(claim, other).low
    return other.low * (1 - TOLERANCE) <= value <= other.high * (1 + TOLERANCE)


def bind_quantities(claim: str, quantity: Quantity, among: Sequence[QuantityContext]) -> QuantityBinding:
    """What becomes of ``quantity`` of ``claim`` beside the figures ``among``."""
    found = competing_quantities(claim, quantity, among)
    same = next(((score, place) for score, place in found if says_same(quantity, place.quantity)), None)
    other = next(((score, place) for score, place in found if not says_same(quantity, place.quantity)), None)
    if same is None and any(_lies_in_range(quantity, place.quantity) for _, place in found):
        return QuantityBinding(quantity, "unclear", found[0][1])
    if same is None:
        return QuantityBinding(quantity, "differs" if other else "absent", other[1] if other else None)
    if other is None or same[0] > other[0] * BY:
        return QuantityBinding(quantity, "bound", same[1])
    if other[0] > CLEARLY * same[0] and not same[1].in_run and not other[1].in_run:
        return QuantityBinding(quantity, "exchanged", other[1])
    return QuantityBinding(quantity, "unclear", same[1])
