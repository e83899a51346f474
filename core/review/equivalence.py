"""Compares two sentences from two documents: takes the sentences and their similarity; returns same, differs or open.

Same and differs require positive evidence: one subject, and figures, dates, deadlines, negations, duties or exceptions
that agree or disagree. Quarterly figures are not compared with annual ones, adjusted ones not with reported ones, and
last year's not with this year's.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Annotated, Literal

from pydantic import BeforeValidator

from core.language import stance
from core.language.cache_sizes import TEXTS
from core.language.entities.dates import DAYS, DateReading, Day, dates_in, without_dates
from core.language.entities.facts import facts, prepared
from core.language.entities.quantities import Quantity, comparable, quantities, says_same
from core.language.hebrew import LETTER, PREFIXES
from core.language.normalisation import fold
from core.language.vocabulary import Entry, file_of, pattern_of, phrase_of
from core.review.lexicon import is_held, keys, opposed, terms
from core.review.objections import Reserve, denial, objections_to

Relation = Literal["same", "differs", "open", "apart"]
Aspect = Literal["figures", "dates", "deadline", "denial", "duty", "scope"]

ALIKE = 0.58
"""Similarity from which sentences without a contradiction mean the same."""
ONE_SUBJECT = 0.55
"""Similarity from which figures and dates have one subject."""
CLOSE = 0.68
"""Similarity from which a negation or a different duty has one subject."""
_BOTH = 0.4
"""Share of each sentence that the other must contain to mean the same."""
_SCOPED, _SCOPED_SIDE = 0.53, 0.6
_JOINED = f"(?:[{PREFIXES}]{{1,3}}(?={LETTER}))?"
"""Prefix letters joined to a Hebrew word."""
_WITHIN_YEAR = frozenset({"quarter", "half", "nine months", "year to date"})
"""Periods that are stated together with the year they belong to."""
_TIMES = frozenset({"hour", "day", "working day", "week", "month", "year", "minute"})
_WITHIN = re.compile(phrase_of("grounding/patterns.equivalence.within"))
_AGAINST: frozenset[Reserve] = frozenset({"hedge", "roles"})
_REPORTED = pattern_of("grounding/patterns.equivalence.reported")
_DATED = DateReading(DAYS, needs_year=True)
_BASELINE = pattern_of("grounding/patterns.equivalence.baseline")
_Phrase = Annotated[
    re.Pattern[str], BeforeValidator(lambda written: re.compile(rf"(?<!\w){_JOINED}(?:{written})", re.IGNORECASE))
]


class _Words(Entry):
    qualifiers: dict[str, _Phrase]
    stretches: dict[str, _Phrase]
    at_once: _Phrase


_words = file_of("likewise", _Words)


@dataclass(frozen=True)
class Likeness:
    """The similarity of two sentences: ``score`` in total, ``ours`` and ``theirs`` the share of each that the other
    contains."""

    score: float
    ours: float
    theirs: float


@dataclass(frozen=True)
class Equivalence:
    """The result; ``aspect``: how they differ; *apart*: their figures are about different things, despite similar
    wording."""

    relation: Relation
    aspect: Aspect | None = None


def equivalence_of(one: str, other: str, near: Likeness) -> Equivalence:
    """Returns how ``one`` relates to ``other``."""
    if concern_different_things(one, other):
        return Equivalence("apart")
    if near.score < _SCOPED:
        return Equivalence("open")
    aspect = _difference(one, other, near)
    if aspect:
        return Equivalence("differs", aspect)
    if near.score >= ALIKE and min(near.ours, near.theirs) >= _BOTH and not _reserved(one, other):
        return Equivalence("same")
    return Equivalence("open")


def contradictory_aspect(one: str, other: str) -> Aspect | None:
    """Returns how two sentences on one subject contradict each other; figures or dates in only one of them count
    too."""
    found = _difference(one, other, Likeness(1.0, 1.0, 1.0))
    if found:
        return found
    mine, yours = facts(one), facts(other)
    if bool(_left(one, other)) != bool(_left(other, one)) and bool(_values(one)) != bool(_values(other)):
        return "figures"
    return "dates" if bool(mine.days) != bool(yours.days) or mine.clocks != yours.clocks else None


def concern_different_things(one: str, other: str) -> bool:
    """Returns whether the figures of two sentences are about different things: other periods, or only one is
    adjusted."""
    of_one_alone = _words_of_kind(one, "qualifiers") ^ _words_of_kind(other, "qualifiers")
    if not (_values(one) and _values(other)):
        return "prior" in of_one_alone
    if of_one_alone:
        return True
    ours, theirs = _words_of_kind(one, "stretches"), _words_of_kind(other, "stretches")
    return bool(ours and theirs) and not ours & theirs


@lru_cache(maxsize=TEXTS)
def _words_of_kind(text: str, kind: Literal["qualifiers", "stretches"]) -> frozenset[str]:
    """Returns the qualifiers or periods before the first figure that is not a duration, since these describe it."""
    values = _values(text)
    head = prepared(text)[: values[0].start if values else None]
    patterns = _words().qualifiers if kind == "qualifiers" else _words().stretches
    found = frozenset(name for name, pattern in patterns.items() if pattern.search(head))
    return found - {"year"} if found & _WITHIN_YEAR else found


@lru_cache(maxsize=TEXTS)
def _values(text: str) -> tuple[Quantity, ...]:
    return tuple(each for each in quantities(text) if each.unit not in _TIMES)


def _difference(one: str, other: str, near: Likeness) -> Aspect | None:
    if near.score >= ONE_SUBJECT:
        if _deadlines_differ(one, other):
            return "deadline"
        if _figures_differ(one, other):
            return "figures"
        if _dates_differ(_events(one), _events(other)):
            return "dates"
    if near.score >= CLOSE:
        if denial(one, other) == "one" or _opposed(one, other):
            return "denial"
        if _duty(one) and _duty(other) and _duty(one) != _duty(other):
            return "duty"
    if max(near.ours, near.theirs) >= _SCOPED_SIDE and _scopes_differ(one, other):
        return "scope"
    return None


def _figures_differ(one: str, other: str) -> bool:
    """Returns whether each has a figure that the other lacks, in one unit and (for counts) of one thing."""
    mine, yours = _left(one, other), _left(other, one)
    return any(_of_one_kind(a, b) for a in mine for b in yours)


def _left(one: str, other: str) -> list[Quantity]:
    """Returns the figures of ``one`` that ``other`` does not state, without baseline figures of comparisons."""
    theirs = quantities(other)
    plain = prepared(one)
    return [
        each
        for each in quantities(one)
        if not any(says_same(each, b) or says_same(b, each) for b in theirs)
        and not _BASELINE.search(plain[: each.start])
    ]


def _of_one_kind(one: Quantity, other: Quantity) -> bool:
    if not comparable(one, other):
        return False
    return bool(one.unit) or not (one.thing and other.thing) or one.thing == other.thing


@lru_cache(maxsize=TEXTS)
def _events(text: str) -> tuple[Day, ...]:
    """Returns the dates of events, without reporting dates such as "as of" and "ended"."""
    plain = prepared(text)
    reported = [span for span in dates_in(plain, _DATED) if _REPORTED.search(plain[: span.start])]
    return facts(without_dates(plain, reported)).dates


def _dates_differ(ours: Sequence[Day], theirs: Sequence[Day]) -> bool:
    mine = [day for day in ours if day.day and day.month]
    yours = [day for day in theirs if day.day and day.month]
    return bool(mine and yours) and not any(
        a.fits(b, frozenset()) or b.fits(a, frozenset()) for a in mine for b in yours
    )


def _deadlines_differ(one: str, other: str) -> bool:
    """Returns whether one says "immediately" and the other gives a time limit."""
    ours, theirs = (bool(_words().at_once.search(text)) for text in (one, other))
    return ours != theirs and (_has_time_limit(other) if ours else _has_time_limit(one))


def _has_time_limit(text: str) -> bool:
    plain = fold(prepared(text))
    return any(each.unit in _TIMES and _WITHIN.search(plain[: each.start]) for each in quantities(text))


def _opposed(one: str, other: str) -> bool:
    """Returns whether one has a word that excludes a word of the other and does not contain that word itself: "loss"
    next to "loss of earnings" excludes nothing."""
    return any(
        opposed(term, keys(other) - keys(one)) is not None for term in terms(one) if not is_held(term, keys(other))
    )


def _duty(text: str) -> Literal["", "must", "may"]:
    plain = fold(text)
    must, may = bool(stance.marks(plain, "must")), bool(stance.marks(plain, "may"))
    return "must" if must and not may else "may" if may and not must else ""


def _scopes_differ(one: str, other: str) -> bool:
    """Returns whether only one of them has an exception or a condition."""
    ours, theirs = (bool(stance.marks(fold(text), "exceptions")) for text in (one, other))
    return ours != theirs


def _reserved(one: str, other: str) -> bool:
    """Returns whether something prevents calling them the same: figures or dates in only one, negations, different
    duties, something only expected, swapped parties."""
    if _left(one, other) or _left(other, one) or _AGAINST & {*objections_to(one, other), *objections_to(other, one)}:
        return True
    ours, theirs = facts(one), facts(other)
    if bool(ours.days) != bool(theirs.days) or ours.clocks != theirs.clocks or _dates_differ(ours.dates, theirs.dates):
        return True
    return denial(one, other) == "one" or _opposed(one, other) or (_duty(one) != _duty(other) and bool(_duty(one)))
