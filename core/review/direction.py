"""Compares the direction of change in two texts: takes a claim and a text window; returns same, opposite or not stated.

Words such as "increase" are everywhere in reports, so their subject decides. It is directly before them ("net sales
increased") or after them ("an increase in net sales", "lower net sales").
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal

from core.language import hebrew
from core.language.normalisation import fold
from core.language.vocabulary import words_of
from core.review.lexicon import Term, is_held, terms
from core.review.objections import SIDES

Direction = Literal["untold", "same", "opposite", "none"]

RISE, FALL = "=rise", "=fall"
_NEAREST = 3
"""Number of terms before a claim's verb that name what changes."""
_ADJECTIVES = 1
"""Number of Hebrew words, such as adjectives, allowed between a noun and its verb."""
_WHOLE = frozenset(words_of("grounding/patterns.direction.whole"))
_BOUNDARY = re.compile(r"[,;:|()]|\.\s")


def direction(claim: str, window: str) -> Direction:
    """Returns how ``window`` changes the subject of ``claim``; *untold* if the claim states no change."""
    ours = [(move, _moved_subject(claim, move)) for move in _moves(claim)]
    if not ours:
        return "untold"
    claimed, given = ({term.key for term in terms(text) if term.key.isdecimal()} for text in (claim, window))
    if not claimed <= given:
        return "none"
    met = [
        move.key == other.key
        for move, subject in ours
        for other in _moves(window)
        if _is_moved(subject, *_terms_around(window, other))
    ]
    return "none" if not met else "same" if any(met) else "opposite"


def states_change(text: str) -> bool:
    """Returns whether the text states a rise or a fall."""
    return bool(_moves(text))


def _moves(text: str) -> list[Term]:
    return [term for term in terms(text) if term.key in (RISE, FALL)]


def _moved_subject(claim: str, move: Term) -> Sequence[Term]:
    """Returns what changes in a claim: the words before the verb, or after it if someone causes the change."""
    before, behind = _terms_around(claim, move)
    return [term for term in before if term.key not in SIDES][-_NEAREST:] or behind[:2]


def _is_moved(subject: Sequence[Term], before: Sequence[Term], behind: Sequence[Term]) -> bool:
    """Returns whether ``subject`` itself, and not a part of it, is nearest to a direction word."""
    reach = len(subject) + _ADJECTIVES * any(hebrew.is_hebrew(term.word) for term in subject)
    if _are_held(subject, before[-reach:]):
        return not _is_narrowed(before, reach)
    return _are_held(subject, behind[: len(subject)])


def _are_held(subject: Sequence[Term], beside: Sequence[Term]) -> bool:
    return all(is_held(term, frozenset(other.key for other in beside)) for term in subject)


def _is_narrowed(before: Sequence[Term], reach: int) -> bool:
    """Returns whether the word before restricts it to a part: a division's revenue is not the company's revenue."""
    if len(before) <= reach:
        return False
    part, first = before[-reach - 1], before[-reach]
    return part.end + 1 >= first.start and part.word not in _WHOLE


def _terms_around(text: str, move: Term) -> tuple[list[Term], list[Term]]:
    """Returns the terms before and after ``move`` in the same clause, without years."""
    plain = fold(text)
    begin = max((match.end() for match in _BOUNDARY.finditer(plain, 0, move.start)), default=0)
    stop = _BOUNDARY.search(plain, move.end)
    end = stop.start() if stop else len(plain)
    others = [term for term in terms(text) if begin <= term.start < end and term != move and not term.key.isdecimal()]
    before = [term for term in others if term.start < move.start]
    return before, [term for term in others if term.start > move.start]
