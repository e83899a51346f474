"""Finds quantities in a text; returns each as a :class:`Quantity`: a number or range with unit, limit and precision.

Numbers in dates, section numbers and ordinals are not quantities. "Thirty (30) days" is one quantity; "12-15 cents" and
"not less than 14 nor more than 40 days" are ranges.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal

from core.language import stance
from core.language.cache_sizes import TEXTS
from core.language.entities.calendar_words import is_year
from core.language.entities.facts import numbers_only, prepared
from core.language.entities.numbers import Limit, Number, numbers_in
from core.language.entities.numerals import IN_DAYS, MULTIPLIERS, ORDINALS, UNITS, VALUES

Nearness = Literal["", "about", "below", "above"]

_REFERENCE = re.compile(
    r"(?:\b(?:sections?|sec|articles?|items?|rules?|forms?|exhibits?|schedules?|clauses?|paragraphs?|notes?|pages?|"
    r"chapters?|no|act of)\b\.?|(?<![א-ת])(?:סעיף|סעיפים|עמוד|פרק|תקנה|נספח|הנחיה))\s*"
    r"(?:\d+(?:\.\d+)*(?:\([a-z0-9]+\))*(?:,\s*|\s+and\s+|\s+or\s+)?)+",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"\d+(?:\.\d+)*")
_RANGE = re.compile(r"\s*(?:[-\u2013\u2014]|to|עד|and|nor more than|or more than|but not more than|nor)\s*[$€£₪]?\s*$")
_OPENS_RANGE = re.compile(r"(?:between|from|not less than|at least|בין|מ-?)\s*[$€£₪]?$", re.IGNORECASE)
_DASHED = re.compile(r"\s*[-\u2013]\s*[$€£₪]?\s*$")
_UNIT_BETWEEN = re.compile(r"^\s*[^\W\d_]*\s*")
_DIGITS = re.compile(r"\d[\d,]*(?:\.(\d+))?")
_BEFORE = 30
_PREFIXES = "ובלמהשכ"
_WORDS = VALUES.keys() | MULTIPLIERS.keys()
_TWO = frozenset({"שני", "שתי"})
"""Hebrew words that mean "two" before a counted noun and "second" after it."""
_SHARES = frozenset({"half", "חצי", "מחצית"})
_RISES_TO = re.compile(
    r"\b(?:go|goes|going|went|gone|move|moved|moves|climb|climbed|increased?|rose|risen|rises|raised|grew|grown|brought|"
    r"taken|down)\s+up\s+to\s*[$€£₪]?\s*$",
    re.IGNORECASE,
)
_MORE_OF, _LESS_OF = re.compile(r"יותר\s+$"), re.compile(r"פחות\s+$")
_SHARE_BEFORE = re.compile(
    r"\b(?:than|about|nearly|almost|over|exactly|roughly|one)\s+$|(?:יותר|פחות)\s+$", re.IGNORECASE
)
_SHARE_BEHIND = re.compile(r"\s+(?:of|מה|מכל|מן)", re.IGNORECASE)
_TIME_BEHIND = re.compile(r"\s+(?:an?\s+)?(?P<unit>hour|day|month|year|שעה|יום|שנה)\b", re.IGNORECASE)
_BEFORE = 100
"""Number of characters before a number that are checked to find what it measures."""
TOLERANCE = 0.05
"""Maximum relative error of a number called approximate."""


_OF_CENTS = ("USD", "EUR", "ILS")
_YEARLY = {("year", "month"): 12.0, ("month", "year"): 1 / 12}
"""Conversion between years and months: a year is 12 months, although neither is a fixed number of days."""


@dataclass(frozen=True)
class Quantity:
    """A quantity from ``low`` to ``high`` (equal for one value) in ``unit``; ``start`` and ``end``: its position in the
    normalised (prepared) text. ``step``: the value of one unit in its last significant digit; ``near``: in which way
    the text calls it approximate."""

    low: float
    high: float
    unit: str
    limit: Limit | None
    start: int
    end: int
    near: Nearness = ""
    step: float = 0.0
    thing: str = ""

    @property
    def is_range(self) -> bool:
        return self.high > self.low


@lru_cache(maxsize=TEXTS)
def quantities(text: str) -> tuple[Quantity, ...]:
    """Returns the quantities of ``text``, with positions in its prepared form."""
    plain = prepared(text)
    rest = _REFERENCE.sub(lambda match: " " * len(match.group()), numbers_only(plain))
    counted = [each for number in numbers_in(rest) if (each := _measured_number(number, rest)) is not None]
    found: list[Quantity] = []
    for number in counted:
        one = _single(number, rest)
        before = found[-1] if found else None
        gap = rest[before.end : one.start] if before else ""
        if before and _is_repeated(before, one, gap):
            found[-1] = replace(one, start=before.start, limit=before.limit or one.limit, near=before.near)
        elif before and _spans(before, one, gap, rest):
            found[-1] = replace(before, high=one.high, unit=one.unit, end=one.end, limit=None, thing=one.thing)
        else:
            found.append(one)
    return tuple(found)


def references(text: str) -> frozenset[str]:
    """Returns the numbers by which ``text`` refers to sections, articles, forms and the like."""
    return frozenset(
        number for match in _REFERENCE.finditer(prepared(text)) for number in _NUMBER.findall(match.group())
    )


def _measured_number(number: Number, text: str) -> Number | None:
    """Returns ``number`` if it measures something: "a half of" something is 50 per cent, "the first half" of a year is
    not."""
    raw = text[number.start : number.end].lower()
    if not number.unit and is_year(raw):
        return None
    bare = raw if raw in ORDINALS else raw[1:] if raw[:1] in _PREFIXES and raw[1:] in ORDINALS else ""
    if not bare:
        return number
    if number.unit and (bare if bare in _TWO else raw) in _TWO:
        return number
    before = text[max(0, number.start - _BEFORE) : number.start]
    ordinal = re.search(r"(?<![^\W\d_])([^\W\d_]++)[\s-]++$", before)
    time = _TIME_BEHIND.match(text, number.end)
    if bare in _SHARES and time and not (ordinal and ordinal[1].lower() in ORDINALS):
        return replace(number, unit=UNITS[time["unit"].lower()])
    share = bool(_SHARE_BEFORE.search(before)) or (raw.startswith("מ") and bare != raw)
    share = share or bool(_SHARE_BEHIND.match(text, number.end) and not (ordinal and ordinal[1].lower() in ORDINALS))
    if bare not in _SHARES or not share:
        return None
    limit: Limit | None = "least" if _MORE_OF.search(before) else "most" if _LESS_OF.search(before) else number.limit
    return replace(number, value=100 * number.value, unit="percent", limit=limit)


def _single(number: Number, text: str) -> Quantity:
    value, unit = number.value, number.unit
    raw = text[number.start : number.end]
    near: Nearness = "about" if raw[:1] == "כ" and raw[1:] in _WORDS else _nearness_before(text, number.start)
    step = _last_digit_step(raw, value)
    limit = None if number.limit == "most" and _RISES_TO.search(text[: number.start]) else number.limit
    return Quantity(value, value, unit, limit, number.start, number.end, near, step, number.thing)


def _nearness_before(text: str, start: int) -> Nearness:
    before = text[max(0, start - _BEFORE) : start].rstrip(" $€£₪").lower()
    for sort in ("below", "above", "about"):
        if any(before.endswith(phrase) and _is_whole_phrase(before, phrase) for phrase in stance.phrases(sort)):
            return sort
    return ""


def _is_whole_phrase(before: str, phrase: str) -> bool:
    rest = before[: -len(phrase)]
    return not rest or not rest[-1].isalnum() or (phrase[0] >= "א" and rest[-1] in "ושה")


def _last_digit_step(raw: str, value: float) -> float:
    """Returns the value of one unit in the last significant digit."""
    match = _DIGITS.search(raw)
    if not match:
        return 0.0
    bare = float(match.group().replace(",", ""))
    scale = value / bare if bare else 1.0
    if match[1]:
        return float(10 ** -len(match[1])) * scale
    zeros = len(str(int(bare))) - len(str(int(bare)).rstrip("0")) if bare else 0
    return float(10**zeros) * scale


def _is_repeated(before: Quantity, one: Quantity, gap: str) -> bool:
    """Returns whether ``one`` repeats ``before`` in figures: thirty (30) days."""
    return gap.strip() == "(" and before.low == one.low


def _spans(before: Quantity, one: Quantity, gap: str, text: str) -> bool:
    """Returns whether both are the ends of one range."""
    if before.is_range or one.high <= before.low or (before.unit and one.unit and before.unit != one.unit):
        return False
    bare = _UNIT_BETWEEN.sub(" ", gap, count=1) if before.unit else gap
    if _DASHED.match(gap) or _DASHED.match(bare):
        return True
    if not (_RANGE.match(gap) or _RANGE.match(bare)):
        return False
    opens = _OPENS_RANGE.search(text[max(0, before.start - _BEFORE) : before.start])
    return (
        bool(opens)
        or "more than" in gap
        or (bool(re.search(r"\bto\b|עד", gap)) and one.unit != "" and before.unit in ("", one.unit))
    )


def comparable(one: Quantity, other: Quantity) -> bool:
    """Returns whether both have the same kind of unit; a fraction and a percentage count as the same kind."""
    return (
        one.unit == other.unit
        or (one.unit in IN_DAYS and other.unit in IN_DAYS)
        or _conversion_factor(one, other) is not None
    )


def converted(one: Quantity, other: Quantity) -> Quantity:
    """Returns ``one`` in the unit of ``other``; both must be :func:`comparable`."""
    factor = _conversion_factor(one, other)
    if factor is None and one.unit != other.unit:
        factor = _YEARLY.get((one.unit, other.unit)) or IN_DAYS[one.unit] / IN_DAYS[other.unit]
    if factor is None:
        return one
    low, high = one.low * factor, one.high * factor
    return replace(one, low=low, high=high, unit=other.unit, step=one.step * factor)


def _conversion_factor(one: Quantity, other: Quantity) -> float | None:
    """Returns the factor from one unit to another: a half is 50 per cent, a dollar is 100 cents, and pounds may be
    money."""
    if {one.unit, other.unit} == {"GBP", "pound"}:
        return 1.0
    if other.unit == "cent" and one.unit in _OF_CENTS:
        return 100.0
    return 0.01 if one.unit == "cent" and other.unit in _OF_CENTS else None


def says_same(claim: Quantity, other: Quantity) -> bool:
    """Returns whether ``claim`` states the same quantity as ``other``: equal, or correctly rounded."""
    if not comparable(claim, other):
        return False
    claimed = converted(claim, other)
    if claimed.is_range or other.is_range:
        return _nearly_equal(claimed.low, other.low) and _nearly_equal(claimed.high, other.high)
    value, truth = claimed.low, other.low
    if _nearly_equal(value, truth):
        return True
    slack = TOLERANCE * abs(value)
    if claim.near == "below":
        return truth < value and value - truth <= slack
    if claim.near == "above":
        return truth > value and truth - value <= slack
    if claim.near == "about":
        return abs(value - truth) <= min(max(claimed.step / 2, 1e-9), slack) + 1e-9
    precise = other.step < claimed.step <= abs(value) / 50
    return precise and abs(value - truth) <= claimed.step / 2 + 1e-9


def _nearly_equal(one: float, other: float) -> bool:
    """Returns whether two values are equal apart from rounding errors of unit conversion."""
    return math.isclose(one, other, rel_tol=1e-9, abs_tol=1e-6)
