"""Whether two texts let the same thing rise or fall: *claim and window* → same, opposite, or nothing of it.

Words of direction stand in every report a thousand times; what counts is what they are said of, which stands just
before them ("net sales increased") or just behind ("an increase in net sales", "lower net sales").
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal

from core.grounding.lexicon import Term, is_held, terms
from core.grounding.objections import SIDES
from core.language import hebrew
from core.language.normalisation import fold
from core.language.vocabulary import words_of

Direction = Literal["untold", "same", "opposite", "none"]

RISE, FALL = "=rise", "=fall"
_NEAREST = 3
"""Terms before a claim's verb of direction that say what it moves."""
_ADJECTIVES = 1
"""Hebrew words between a noun and its verb that may say more of it."""
_WHOLE = frozenset(words_of("grounding/patterns.direction.whole"))
_BOUNDARY = re.compile(r"[,;:|()]|\.\s")


def direction(claim: str, window: str) -> Direction:
    """How ``window`` moves what ``claim`` moves; *untold* where the claim moves nothing."""
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


def _moves(text: str) -> list[Term]:
    return [term for term in terms(text) if term.key in (RISE, FALL)]


def _moved_subject(claim: str, move: Term) -> Sequence[Term]:
    """What a claim lets rise or fall: what stands before the verb, or behind it where somebody does it."""
    before, behind = _terms_around(claim, move)
    return [term for term in before if term.key not in SIDES][-_NEAREST:] or behind[:2]


def _is_moved(subject: Sequence[Term], before: Sequence[Term], behind: Sequence[Term]) -> bool:
    """Whether ``subject``, and no part of it, is what stands nearest to a word of direction."""
    reach = len(subject) + _ADJECTIVES * any(hebrew.is_hebrew(term.word) for term in subject)
    if _are_held(subject, before[-reach:]):
        return not _is_narrowed(before, reach)
    return _are_held(subject, behind[: len(subject)])


def _are_held(subject: Sequence[Term], beside: Sequence[Term]) -> bool:
    return all(is_held(term, frozenset(other.key for other in beside)) for term in subject)


def _is_narrowed(before: Sequence[Term], reach: int) -> bool:
    """Whether the word in front says that a part alone is meant: the revenue of a division is not the revenue."""
    if len(before) <= reach:
        return False
    part, first = before[-reach - 1], before[-reach]
    return part.end + 1 >= first.start and part.word not in _WHOLE


def _terms_around(text: str, move: Term) -> tuple[list[Term], list[Term]]:
    """The terms of the same clause beside ``move``, years left out."""
    plain = fold(text)
    begin = max((match.end() for match in _BOUNDARY.finditer(plain, 0, move.start)), default=0)
    stop = _BOUNDARY.search(plain, move.end)
    end = stop.start() if stop else len(plain)
    others = [term for term in terms(text) if begin <= term.start < end and term != move and not term.key.isdecimal()]
    before = [term for term in others if term.start < move.start]
    return before, [term for term in others if term.start > move.start]
