"""Finds relative periods in a text: "last year", "the year before", "Q2" with positions.

What they mean depends on the conversation, so this module only finds them; ``core.question.relative_periods``
resolves them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from typing import Literal, NamedTuple

from core.language.entities import period_grammar as grammar
from core.language.entities.periods import periods_in
from core.language.vocabulary import Entry, file_of

Step = Literal["last", "this", "before", "after", "named", "year ago"]
Unit = Literal["year", "quarter"]

_STEPS: tuple[Step, ...] = ("before", "after", "last", "this")


class RelativePeriod(NamedTuple):
    """A relative period; ``text[start:end]`` is the wording, without Hebrew prefixes. *named* means the quarter
    ``number`` without a year; *year ago* means the same part of the year before: "the same quarter last year".

    ``beside``: the wording compares with this period ("than last year"); the words that do so start at ``joint``.
    ``bare``: there is no preposition before it.
    """

    step: Step
    unit: Unit
    start: int
    end: int
    number: int | None = None
    beside: bool = False
    bare: bool = False
    joint: int = 0


class _Lists(Entry):
    units: dict[Unit, str]
    last: list[str]
    this: list[str]
    before: list[str]
    after: list[str]
    year_ago: list[str]
    words: dict[Step, list[str]]
    beside: str
    prepositions: str


_lists = file_of("relative_periods", _Lists)


@cache
def _patterns() -> tuple[tuple[Step, Unit, re.Pattern[str]], ...]:
    lists = _lists()
    entries: dict[Step, list[str]] = {step: getattr(lists, step) for step in _STEPS}
    found = [
        (step, unit, _compiled([entry.replace("UNIT", words) for entry in entries[step]]))
        for step in _STEPS
        for unit, words in lists.units.items()
    ]
    year_ago: tuple[Step, Unit, re.Pattern[str]] = ("year ago", "year", _compiled(lists.year_ago))
    return (year_ago, *found, *((step, "year", _compiled(words)) for step, words in lists.words.items()))


def _compiled(entries: Iterable[str]) -> re.Pattern[str]:
    return re.compile(rf"(?<![^\W_])(?:[ובלמכש]{{1,2}})?(?P<said>{'|'.join(entries)})(?![^\W_])", re.IGNORECASE)


@cache
def _prefixed_pattern(name: Literal["beside", "prepositions"]) -> re.Pattern[str]:
    return re.compile(rf"(?<![^\W_])[ובה]?{getattr(_lists(), name)}", re.IGNORECASE)


def relative_periods_in(text: str) -> list[RelativePeriod]:
    """Returns relative periods in the order of ``text``, without nested ones and without quarters that have a year."""
    taken = [(each.start, each.end) for each in periods_in(text)]
    found: list[RelativePeriod] = []
    for step, unit, pattern in _patterns():
        for match in pattern.finditer(text):
            if _is_free(match.start(), match.end(), taken):
                taken.append(match.span())
                found.append(_relative(text, step, unit, match.start(), match.end()))
    for match in grammar.ONE_QUARTER.finditer(text):
        if _is_free(*match.span("quarter"), taken):
            found.append(
                RelativePeriod(
                    "named", "quarter", match.start("quarter"), match.end(), _quarter_number(match["quarter"])
                )
            )
    return sorted(found, key=lambda each: each.start)


def _is_free(start: int, end: int, taken: Iterable[tuple[int, int]]) -> bool:
    return not any(start < other_end and other < end for other, other_end in taken)


def _relative(text: str, step: Step, unit: Unit, start: int, end: int) -> RelativePeriod:
    head = text[:start].rstrip()
    beside = _prefixed_pattern("beside").search(head)
    bare = not _prefixed_pattern("prepositions").search(head)
    return RelativePeriod(step, unit, start, end, None, beside is not None, bare, beside.start() if beside else start)


def _quarter_number(words: str) -> int:
    period = next(iter(periods_in(f"{words} 2000")), None)
    return period.quarter or 1 if period else 1
