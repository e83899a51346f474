"""Compares quotations from several documents and reports where they agree or differ.

It uses only the quoted words. Two sentences agree if they describe the same thing with the same figures. They differ if
their figures, dates or negations differ. Figures of different organisations or different periods are never compared.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from core.events import Quote
from core.language.detection import detect
from core.language.entities.facts import Facts, facts
from core.messages import message, message_group
from core.review.actions.audit_verdicts import shown
from core.review.actions.themes import ALIKE, Kind, difference, likeness
from core.review.overlap import words
from core.review.polarity import base, matches_any
from core.review.printed_figures import CELLS
from core.words import Words

ASKED = 0.3
"""Minimum share of common words for two sentences to describe the same thing if both also contain the question's words.
"""
_SHARED = 2
MOST_TOLD = 3


@dataclass(frozen=True)
class CitedDocument:
    """The document behind a citation number [N]: its organisations' ``names`` and the ``periods`` it reports on. Both
    may be unknown."""

    names: frozenset[str] = frozenset()
    periods: frozenset[str] = frozenset()

    def comparable(self, other: CitedDocument) -> bool:
        """Returns whether both documents may describe the same organisation and period."""
        same = not (self.names and other.names) or bool(self.names & other.names)
        return same and (not (self.periods and other.periods) or bool(self.periods & other.periods))


@dataclass(frozen=True)
class Agreement:
    """An agreement or a difference between documents: their citation numbers [N], each with its figures; ``kind`` is
    the type of difference, or ``None`` if they agree."""

    kind: Kind | None
    says: tuple[tuple[int, Words], ...]


def compare_quotations(quotes: Sequence[Quote], asked: str, parties: Mapping[int, CitedDocument]) -> list[Words]:
    """Returns sentences with [N] markers that report agreements and differences; ``asked`` is the question, ``parties``
    maps citation numbers to documents."""
    sought = frozenset(map(base, words(asked)))
    found: list[Agreement] = []
    known: set[frozenset[int]] = set()
    for one, other in combinations(quotes, 2):
        pair = frozenset((one.number, other.number))
        if one.number == other.number or pair in known:
            continue
        if not parties.get(one.number, CitedDocument()).comparable(parties.get(other.number, CitedDocument())):
            continue
        seen = _quote_agreement(one, other, sought)
        if seen:
            known.add(pair)
            found.append(seen)
    return [_verdict_words(each) for each in found[:MOST_TOLD]]


def _quote_agreement(one: Quote, other: Quote, sought: frozenset[str]) -> Agreement | None:
    if detect(one.text) != detect(other.text) or not _of_one_thing(one.text, other.text, sought):
        return None
    ours, theirs = facts(one.text), facts(other.text)
    if ours.years and theirs.years and not ours.years & theirs.years:
        return None
    kind = difference(one.text, other.text)
    if kind == "number" and any(CELLS in quote.text for quote in (one, other)):
        # A table row does not state its columns' periods: figures of two successive quarters are no contradiction.
        return None
    if kind == "number":
        mine, yours = _differing_number(ours, theirs), _differing_number(theirs, ours)
        if not (mine and yours):
            return None
        return Agreement(kind, ((one.number, mine), (other.number, yours)))
    if kind:
        return Agreement(kind, ((one.number, _EMPTY), (other.number, _EMPTY)))
    shared = [number for number in ours.numbers if any(number.same(each) for each in theirs.numbers)]
    same = len(shared) == len(ours.numbers) == len(theirs.numbers) and ours.days == theirs.days
    if not same or not (shared or ours.days):
        return None
    figure = shown(shared[0]) if shared and shared[0].unit else _EMPTY
    return Agreement(None, ((one.number, figure), (other.number, figure)))


def _of_one_thing(one: str, other: str, sought: frozenset[str]) -> bool:
    alike = likeness(one, other)
    if alike >= ALIKE:
        return True
    held = [frozenset(map(base, words(text))) for text in (one, other)]
    asked = [word for word in sought if all(matches_any(word, each) for each in held)]
    return alike >= ASKED and len(asked) >= _SHARED


def _differing_number(ours: Facts, theirs: Facts) -> Words | None:
    """Returns the first number for which the other sentence gives a different value."""
    others = theirs.numbers
    new = (number for number in ours.numbers if not any(number.same(other) for other in others))
    return next((shown(number) for number in new if any(number.unit == other.unit for other in others)), None)


def _verdict_words(agreement: Agreement) -> Words:
    if agreement.kind == "number":
        figures = [message("graph.agreement.cited", figure=words, number=number) for number, words in agreement.says]
        return message("graph.agreement.documents_differ", figures=Words.joined(figures, ", "))
    marks = "".join(f"[{number}]" for number, _ in agreement.says)
    if agreement.kind:
        kind = _KINDS[agreement.kind]
        return Words.joined([kind, Words.alike(marks)])
    figure = agreement.says[0][1]
    if figure.en:
        return message("graph.agreement.documents_agree", figure=figure, marks=marks)
    return message("graph.agreement.documents_agree_plainly", marks=marks)


_EMPTY = Words.alike("")
_KINDS = message_group("graph.agreement.kinds")
