"""Finds numbers with units and limits in English and Hebrew text; returns each :class:`Number`."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

from core.language.entities.fractions import FRACTIONS, digits_value
from core.language.entities.numerals import (
    CURRENCIES,
    IN_DAYS,
    LEAST,
    LENGTHS,
    MOST,
    MULTIPLIERS,
    PAIRS,
    SCALES,
    UNITS,
    VALUES,
)

Limit = Literal["most", "least", "exactly"]

_DIGITS = rf"\d+(?:,\d{{3}})+(?:\.\d+)?|\d{{1,2}}(?:,\d\d){{1,4}},\d{{3}}(?:\.\d+)?|\d+(?:\.\d+)?(?:\s?[{FRACTIONS}])?"
_TOKEN = re.compile(rf"[$€£₪]|%|°|{_DIGITS}|[{FRACTIONS}]|[^\W\d_]+(?:[\"'][^\W\d_]+)*")
_PREFIX = "ובלמהשכ"
_KNOWN = VALUES.keys() | MULTIPLIERS.keys() | PAIRS.keys() | UNITS.keys()
_WORKING = frozenset({"working", "business", "עבודה", "עסקים"})
_NOT_ONE = re.compile(
    r"\b(?:no one|one of|one another|anyone|one's|that one|this one|the one)\b|אף אחד|אחד מ|אחת מ|כל אחד|כל אחת"
)


@dataclass(frozen=True)
class Number:
    """A number; ``unit`` is one of ``numerals.UNITS``, ``working day`` or ``""``; ``start`` and ``end``: its position
    in the normalised (prepared) text, without the unit; ``thing``: the word after it, which says what is counted if
    there is no unit."""

    value: float
    unit: str = ""
    limit: Limit | None = None
    start: int = 0
    thing: str = field(default="", compare=False)
    end: int = field(default=0, compare=False)

    def same(self, other: Number) -> bool:
        """Returns whether both have the same value and, if both have a unit, the same unit; converts units of time."""
        if self.unit and other.unit and self.unit != other.unit:
            if self.unit in IN_DAYS and other.unit in IN_DAYS:
                return abs(self.value * IN_DAYS[self.unit] - other.value * IN_DAYS[other.unit]) < 1e-6
            return False
        return abs(self.value - other.value) < 1e-9


def numbers_in(text: str) -> Iterator[Number]:
    """Yields the numbers of a prepared text in order, including those in dates and codes."""
    tokens = [(match.group().lower(), match.start()) for match in _TOKEN.finditer(text)]
    not_ones = {place for match in _NOT_ONE.finditer(text.lower()) for place in range(match.start(), match.end())}
    index = 0
    while index < len(tokens):
        word, start = tokens[index]
        bare = _without_prefixes(word)
        if bare in PAIRS:
            value, unit = PAIRS[bare]
            yield Number(value, unit, _limit(text, start, tokens, index + 1), start, end=start + len(word))
            index += 1
            continue
        if unit := _length_without_number(tokens, index):
            yield Number(1.0, unit, _limit(text, start, tokens, index), start, end=start + len(word))
            index += 1
            continue
        length, value = _scaled_amount(tokens, index) or _number_at(tokens, index)
        if not length or not math.isfinite(value) or (value == 1 and not word[0].isdecimal() and start in not_ones):
            index += 1
            continue
        unit = _unit(tokens, index, length)
        thing = tokens[index + length][0] if not unit and index + length < len(tokens) else ""
        last, place = tokens[index + length - 1]
        yield Number(value, unit, _limit(text, start, tokens, index + length), start, thing, place + len(last))
        index += length


def _length_without_number(tokens: list[tuple[str, int]], index: int) -> str:
    """Returns the unit if "an hour" or שעה means a duration of one: it follows a word for a duration and is not before
    a number."""
    word = tokens[index][0]
    before = tokens[index - 1][0] if index else ""
    following = tokens[index + 1][0] if index + 1 < len(tokens) else ""
    if word in ("a", "an"):
        unit = _unit_of(following)
        return unit if unit in IN_DAYS and before in LENGTHS else ""
    unit = UNITS.get(word, "") if "א" <= word[0] <= "ת" else ""
    numbered = _without_prefixes(following) in VALUES if following else False
    return unit if unit in IN_DAYS and before in LENGTHS and not numbered else ""


def _without_prefixes(word: str) -> str:
    """Returns a Hebrew number word without its prefix letters."""
    if word in _KNOWN:
        return word
    for cut in (1, 2):
        if word[cut:] in _KNOWN and all(letter in _PREFIX for letter in word[:cut]):
            return word[cut:]
    return word


def _number_at(tokens: list[tuple[str, int]], index: int) -> tuple[int, float]:
    """Returns how many tokens from ``index`` on form one number, and its value."""
    word = _without_prefixes(tokens[index][0])
    total, length = 0.0, 1
    if word[0].isdecimal() or word[0] in FRACTIONS:
        current = digits_value(word)
    elif word in VALUES:
        current = VALUES[word]
    elif word == "once" and index + 1 < len(tokens) and tokens[index + 1][0] in ("a", "in", "per", "each", "every"):
        return 1, 1.0
    elif word in MULTIPLIERS:
        current = MULTIPLIERS[word]
    else:
        return 0, 0.0
    digits = word[0].isdecimal() or word[0] in FRACTIONS
    while index + length < len(tokens):
        raw = tokens[index + length][0]
        following = _without_prefixes(raw)
        joined = raw == "and" and index + length + 1 < len(tokens)
        if following in MULTIPLIERS:
            current *= MULTIPLIERS[following] if digits or current < MULTIPLIERS[following] else 1
            if current >= 1_000:
                total, current = total + current, 0.0
        elif not digits and following in VALUES and _adds(current or total, VALUES[following], raw):
            current += VALUES[following]
        elif not (
            joined
            and current + total >= 100
            and not digits
            and _without_prefixes(tokens[index + length + 1][0]) in VALUES
        ):
            break
        length += 1
    return length, total + current


def _scaled_amount(tokens: list[tuple[str, int]], index: int) -> tuple[int, float] | None:
    """Returns an amount of money with scale letters directly after it: "$80bn"."""
    before = tokens[index - 1] if index else ("", 0)
    following = tokens[index + 1] if index + 1 < len(tokens) else ("", 0)
    word, start = tokens[index]
    is_money = UNITS.get(before[0]) in CURRENCIES and start - before[1] - len(before[0]) <= 1
    is_scaled = word[0].isdecimal() and following[0] in SCALES and following[1] - start - len(word) <= 1
    return (2, digits_value(word) * SCALES[following[0]]) if is_money and is_scaled else None


def _adds(before: float, value: float, raw: str) -> bool:
    """Returns whether a number word continues the number before it: twenty five, עשרים וחמש, three hundred ten."""
    if before >= 100:
        return value < 100 and value >= 1
    hebrew = "א" <= raw[0] <= "ת"
    if before >= 20 and before % 10 == 0:
        return 1 <= value < 10 and (not hebrew or raw.startswith("ו"))
    return hebrew and value == 10 and 1 <= before < 10 and raw in ("עשרה", "עשר")


def _unit(tokens: list[tuple[str, int]], index: int, length: int) -> str:
    after = [word for word, _ in tokens[index + length : index + length + 2]]
    if after[:1] in (["working"], ["business"]) or (after[:1] == ["ימי"] and after[1:2] and after[1] in _WORKING):
        return "working day"
    if after == ["per", "cent"]:
        return "percent"
    before, place = tokens[index - 1] if index else ("", 0)
    unit = _unit_of(before)
    beside = tokens[index][1] - place - len(before) <= 1
    if unit in CURRENCIES and beside:
        return unit
    if after and (following := _unit_of(after[0])):
        return following
    return unit if tokens[index][0] in ("אחד", "אחת") else ""


def _unit_of(word: str) -> str:
    """Returns the unit that a word names; in Hebrew the article may be joined to it, but no other prefix, since these
    mean "per week" and the like."""
    bare = word.removesuffix("'s")
    return UNITS.get(bare) or (UNITS.get(bare[1:], "") if bare.startswith("ה") else "")


def _alternatives(phrases: list[str]) -> str:
    return "|".join(re.escape(phrase) for phrase in sorted(phrases, key=len, reverse=True))


_BETWEEN = r"[\s$€£₪-]*(?:(?:a|the|ils|nis|usd|eur|total|sum|of|period|ה|כ|סך|של|סכום|תקופה)[\s-]+){0,3}[$€£₪-]*$"
_MOST_BEFORE = re.compile(rf"(?<![\wא-ת])ו?ש?ב?(?:{_alternatives(MOST)}){_BETWEEN}", re.IGNORECASE)
_LEAST_BEFORE = re.compile(rf"(?<![\wא-ת])ו?ש?ב?(?:{_alternatives(LEAST)}){_BETWEEN}", re.IGNORECASE)
_EXACT_BEFORE = re.compile(r"(?:exactly|precisely|בדיוק)\s*(?:ils|nis|usd)?\s*$", re.IGNORECASE)
_MOST_BEHIND = re.compile(
    r"^\s*(?:[%°]\s*)?(?:[\w\"']+\s+){0,2}(?:or less|or fewer|at most|maximum|לכל היותר|או פחות|ומטה)\b", re.IGNORECASE
)
_LEAST_BEHIND = re.compile(
    r"^\s*(?:[%°]\s*)?(?:[\w\"']+\s+){0,2}(?:or more|at least|minimum|and above|לפחות|או יותר|ומעלה)\b", re.IGNORECASE
)
_REACH = 40
_DENIED_COMPARISON = re.compile(
    r"(?:\b(?:not|never|cannot|nor)\b|n't\b|(?<![א-ת])(?:לא|אינו|אינה|אין)(?![א-ת]))(?!\s+(?:only|just|רק)\b)"
    r"(?:\s+(?!(?:and|or|but|if|for|of|in|on|with|from|to|the|an?)\b)[^\s,;:.]+){1,6}\s+"
    r"(?:(?:more|less|fewer|greater|longer|higher|lower|later|earlier|shorter)\s+than|over|above|below|under|"
    r"exceed\w*|ב?יותר\s+מ-?|פחות\s+מ-?|מעל)\s*(?:[$€£₪]|ils|usd|eur|gbp)?\s*$"
)
"""Matches a negated comparison with words in between: "may not rise by more than"."""
_BACKWARDS = re.compile(r"\s*\w+\s+(?:\w+\s+)?(?:before|prior|ahead|לפני)(?!\w)", re.IGNORECASE)
_EARLIER = re.compile(r"(?:not?|לא) (?:earlier than|יותר מוקדם מ|מוקדם מ)\W*$")
_LATER = re.compile(r"(?:not?|לא) (?:later than|יאוחר מ)\W*$")


def _limit(text: str, start: int, tokens: list[tuple[str, int]], index: int) -> Limit | None:
    """Returns the limit (such as maximum or minimum) from the words around the number at ``start``; token ``index`` is
    the first after it."""
    found = _limit_before(text, start) or _limit_behind(text, tokens, index)
    behind = text[tokens[index][1] :][:_REACH] if index < len(tokens) else ""
    if found and _BACKWARDS.match(behind):
        # "No earlier than ten days before" is a maximum of ten days, since these days are counted backwards.
        before = text[max(0, start - _REACH) : start].lower()
        if _EARLIER.search(before):
            return "most"
        if _LATER.search(before):
            return "least"
    return found


def _limit_before(text: str, start: int) -> Limit | None:
    """Returns the limit (such as maximum or minimum) from the words before the number at ``start``."""
    before = text[max(0, start - _REACH) : start].lower()
    if _EXACT_BEFORE.search(before):
        return "exactly"
    most, least = _MOST_BEFORE.search(before), _LEAST_BEFORE.search(before)
    if _DENIED_COMPARISON.search(text[max(0, start - 2 * _REACH) : start].lower()):
        most, least = least, most
    if most and least:
        return "most" if most.start() <= least.start() else "least"
    if most:
        return "most"
    return "least" if least else None


def _limit_behind(text: str, tokens: list[tuple[str, int]], index: int) -> Limit | None:
    behind = text[tokens[index][1] :][:_REACH] if index < len(tokens) else ""
    if _MOST_BEHIND.search(behind):
        return "most"
    return "least" if _LEAST_BEHIND.search(behind) else None
