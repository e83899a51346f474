"""Checks what a figure refers to: claim, sentences → whether each quantity has the same context there.

A quantity's context is the words near it. Nearer words count more; commas and other figures in between reduce their
weight. A figure of a claim is bound if an equal figure's context is more similar to its own than that of any other
figure with the same unit. It is exchanged if another figure's context is clearly more similar.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal

from core.language import stance
from core.language.cache_sizes import TEXTS
from core.language.entities.quantities import TOLERANCE, Quantity, comparable, converted, quantities, says_same
from core.language.hebrew import is_hebrew
from core.language.normalisation import fold
from core.language.vocabulary import phrase_of
from core.review.lexicon import terms
from core.review.polarity import base, matches_any

Fate = Literal["bound", "unclear", "exchanged", "differs", "absent"]

_BREAK = re.compile(phrase_of("grounding/patterns.quantity_binding.break"))
_WORD = re.compile(r"[^\W\d_]+")
_LEADS = 0.5
"""Weight of the word directly before a figure: "within", "by", "to"."""
_SAME_UNIT = 1.25
_BREAK_COST = 4
_ANCHOR_COST = 6
_HALF = 4.0
"""Distance in words at which a word counts half."""
_HEADING = 0.15
_SCALES = (1e3, 1e6, 1e9)
BY = 1.1
"""Factor by which an equal figure's context must be more similar than any other's."""
CLEARLY = 1.35
"""Factor by which another figure's context must be more similar to count as exchanged."""


@dataclass(frozen=True)
class QuantityContext:
    """A quantity in a sentence; ``around``: the headings above it."""

    text: str
    quantity: Quantity
    around: str = ""

    @property
    def in_run(self) -> bool:
        """Whether figures follow each other without words in between, as in a table row."""
        plain = fold(self.text)
        others = [each for each in quantities(self.text) if each != self.quantity]
        gaps = [plain[min(self.quantity.end, each.end) : max(self.quantity.start, each.start)] for each in others]
        return any(not re.search(r"[^\W\d_]", gap) and not re.search(r"[,;()-]", gap) for gap in gaps)


@dataclass(frozen=True)
class QuantityBinding:
    """The result for a claim's figure; ``beside`` is the figure that it was compared with."""

    quantity: Quantity
    fate: Fate
    beside: QuantityContext | None = None


@lru_cache(maxsize=TEXTS)
def surrounding_words(text: str, quantity: Quantity) -> Mapping[str, float]:
    """Returns the terms of ``text`` with their closeness to ``quantity``, in 0..1."""
    others = [(each.start, each.end) for each in quantities(text) if each != quantity]
    found = context_distance(text, quantity.start, quantity.end, others)
    plain = fold(text)
    before = _WORD.findall(plain[max(0, quantity.start - 24) : quantity.start])
    found |= {f"^{word}": _LEADS for word in before[-1:]}
    if _is_baseline(plain, quantity):
        found["^from"] = 1.0
    return found


def context_distance(text: str, start: int, end: int, others: Sequence[tuple[int, int]]) -> dict[str, float]:
    """Returns the terms of ``text`` with their closeness to ``start:end``, in 0..1; ``others`` of its kind in between
    reduce it."""
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
    """Returns whether it is a comparison's baseline: "from", "against"."""
    before = text[max(0, quantity.start - 24) : quantity.start]
    return bool(stance.marks(before, "from")) and not re.search(r"[,;]\s*\S+\s*$", before.split("from")[-1])


def context_similarity(ours: Mapping[str, float], theirs: Mapping[str, float]) -> float:
    """Returns how much of the context is shared, near words counting most."""
    total = 0.0
    for key, weight in ours.items():
        near = theirs.get(key, 0.0)
        if not near and is_hebrew(key[:1]):
            near = max((theirs[other] for other in theirs if matches_any(key, frozenset({other}))), default=0.0)
        total += weight * near
    return total


def quantity_contexts(sentences: Sequence[tuple[str, str]]) -> list[QuantityContext]:
    """Returns the quantities of ``sentences``, each of which is given with its headings."""
    return [QuantityContext(text, each, around) for text, around in sentences for each in quantities(text)]


def competing_quantities(
    claim: str, quantity: Quantity, among: Sequence[QuantityContext]
) -> list[tuple[float, QuantityContext]]:
    """Returns the figures with the same unit, most similar context first."""
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
    """Returns whether a single value is about within the range ``other``."""
    if claim.is_range or not other.is_range:
        return False
    value = converted(claim, other).low
    return other.low * (1 - TOLERANCE) <= value <= other.high * (1 + TOLERANCE)


def _may_be_unscaled(claim: Quantity, other: Quantity) -> bool:
    """Returns whether ``other`` may be the claim's amount without its scale: a report in millions writes "a charge of
    $200" in its notes."""
    if other.low <= 0 or claim.is_range or other.is_range or other.low >= _SCALES[0] * _SCALES[0]:
        return False
    return any(says_same(claim, replace(other, low=other.low * each, high=other.high * each)) for each in _SCALES)


def bind_quantities(claim: str, quantity: Quantity, among: Sequence[QuantityContext]) -> QuantityBinding:
    """Returns the result for ``quantity`` of ``claim``, compared with the figures ``among``."""
    found = competing_quantities(claim, quantity, among)
    same = next(((score, place) for score, place in found if says_same(quantity, place.quantity)), None)
    other = next(((score, place) for score, place in found if not says_same(quantity, place.quantity)), None)
    open_to = (_lies_in_range, _may_be_unscaled)
    if same is None and any(fits(quantity, place.quantity) for _, place in found for fits in open_to):
        return QuantityBinding(quantity, "unclear", found[0][1])
    if same is None:
        return QuantityBinding(quantity, "differs" if other else "absent", other[1] if other else None)
    if other is None or same[0] > other[0] * BY:
        return QuantityBinding(quantity, "bound", same[1])
    if other[0] > CLEARLY * same[0] and not same[1].in_run and not other[1].in_run:
        return QuantityBinding(quantity, "exchanged", other[1])
    return QuantityBinding(quantity, "unclear", same[1])
