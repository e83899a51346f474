"""Finds comparisons with numbers in the words of a question: "more than 5,000", "30 % or more", "between 3 and 7"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from core.datasets.query.model import Comparison
from core.datasets.words.tokens import Words
from core.datasets.words.vocabulary import operations, whole_words
from core.language import hebrew

_NUMBER = re.compile(r"[+-]?\d{1,3}(?:,\d{3})+(?:\.\d+)?|[+-]?\d+(?:\.\d+)?")


@dataclass(frozen=True)
class Bound:
    """A comparison between the words ``first`` and ``last`` (exclusive); ``upper`` is the other end of *between*.
    ``is_percent``: the numbers are percentages, as fractions."""

    first: int
    last: int
    op: Comparison
    value: float
    upper: float | None = None
    is_percent: bool = False


@dataclass(frozen=True)
class _Number:
    value: float
    last: int
    is_percent: bool = False


def bounds_in(words: Words, taken: Sequence[bool]) -> list[Bound]:
    """Returns the comparisons with numbers among the words that are not ``taken``, in order."""
    found: list[Bound] = []
    for op, pattern in comparison_words().items():
        for match in pattern.finditer(words.text):
            first, last = words.span(*match.span())
            if any(taken[first:last]) or not (number := _number_at(words, last, taken)):
                continue
            if op == "between":
                found += _between(words, first, number, taken)
            else:
                found.append(Bound(first, number.last, op, number.value, None, number.is_percent))
    found += _with_words_after(words, taken)
    kept: list[Bound] = []
    for bound in sorted(found, key=lambda bound: (bound.first - bound.last, bound.first)):
        if not any(bound.first < other.last and other.first < bound.last for other in kept):
            kept.append(bound)
    return sorted(kept, key=lambda bound: bound.first)


def _with_words_after(words: Words, taken: Sequence[bool]) -> list[Bound]:
    """Returns comparisons whose words come after the number: "10 % or more"."""
    found: list[Bound] = []
    for op, pattern in _after().items():
        for match in pattern.finditer(words.text):
            first, last = words.span(*match.span())
            for start in (first - 2, first - 1):
                number = _number_at(words, start, taken) if start >= 0 else None
                if number and number.last == first and not any(taken[start:last]):
                    found.append(Bound(start, last, op, number.value, None, number.is_percent))
                    break
    return found


def number_of(word: str) -> float | None:
    """Returns the number that a word writes in digits or as a word."""
    if _NUMBER.fullmatch(word):
        return float(word.replace(",", ""))
    number = operations().numbers.get(word)
    return float(number) if number is not None else None


def _number_at(words: Words, index: int, taken: Sequence[bool]) -> _Number | None:
    tokens = words.tokens
    if 0 < index < len(tokens) and tokens[index].text == "-" and hebrew.is_hebrew(tokens[index - 1].text):
        index += 1  # A one-letter word is joined to a number by a hyphen.
    if not 0 <= index < len(tokens) or taken[index] or (value := number_of(tokens[index].text.rstrip("+"))) is None:
        return None
    last = index + 1
    if last < len(tokens) and (scale := operations().scales.get(tokens[last].text)):
        value, last = value * scale, last + 1
    is_percent = last < len(tokens) and bool(whole_words(operations().percent).fullmatch(tokens[last].text))
    return _Number(value / 100 if is_percent else value, last + is_percent, is_percent)


def _between(words: Words, first: int, low: _Number, taken: Sequence[bool]) -> list[Bound]:
    if not (low.last < len(words.tokens) and words.tokens[low.last].text in operations().both):
        return []
    high = _number_at(words, low.last + 1, taken)
    if not high:
        return []
    scale = 100 if high.is_percent and not low.is_percent else 1
    return [Bound(first, high.last, "between", low.value / scale, high.value, high.is_percent)]


@cache
def comparison_words() -> dict[Comparison, re.Pattern[str]]:
    bounds = {op: whole_words(patterns) for op, patterns in operations().bounds.items()}
    return {**bounds, "between": whole_words(operations().between)}


@cache
def _after() -> dict[Comparison, re.Pattern[str]]:
    return {op: whole_words(patterns) for op, patterns in operations().after.items()}
