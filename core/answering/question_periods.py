"""The periods of a question: its text → the text with one sign a period, and what each sign stands for."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from core.answering.question_rules import rules
from core.language.entities.periods import NamedPeriod, periods_in
from core.language.normalisation import normalise

SIGN = "⟦"
"""Stands for a period; its number follows."""
_DAY = r"(?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)[a-z]*\.? \d{1,2}"
_SHARED_YEAR = re.compile(rf"\b({_DAY})((?: and| to| through|,)(?: the)? )({_DAY}),? ((?:19|20)\d\d)\b", re.IGNORECASE)
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
_QUARTER = re.compile(
    r"\b(?:first|second|third|fourth)(?: quarter)?\b(?! of (?:19|20))(?=.*quarter|$| )", re.IGNORECASE
)
_SIGN = re.compile(rf"{SIGN}(\d+)")
_SPLIT = re.compile(r"\b(?:19|20)\d\d/(?:(?:19|20)\d\d|\d\d)\b")
"""A year that is named by two ("2018/2019") is the one in which it ends."""


@dataclass(frozen=True)
class PeriodsAsked:
    """``text`` has a sign in place of each period named; ``named`` are they in the order of the text, without those
    that a range only runs through, which are in ``between``.

    ``spans``: everything from the first to the last is meant; ``every``: all that there are ("over the three years");
    ``before``: the year before the one named, too.
    """

    text: str
    named: tuple[NamedPeriod, ...] = ()
    between: tuple[NamedPeriod, ...] = ()
    spans: bool = False
    every: bool = False
    before: bool = False

    def within(self, part: str) -> tuple[NamedPeriod, ...]:
        """The periods whose signs stand in ``part`` of the text."""
        return tuple(self.named[int(number)] for number in _SIGN.findall(part))

    def keys(self) -> tuple[str, ...]:
        """Each once, in the order of the text."""
        return tuple(dict.fromkeys(each.key for each in self.named))


def periods_asked(question: str) -> PeriodsAsked:
    """The periods that ``question`` names, whichever way."""
    text = _complete(normalise(question))
    split = {match.start(): match for match in _SPLIT.finditer(text)}
    found = [
        each
        for each in periods_in(text)
        if not any(match.start() < each.start < match.end() for match in split.values())
    ]
    named = [_ended(each, split) for each in found]
    ends = [each for each in named if not _runs_through(each, named)]
    signed = _signed(text, ends)
    every = bool(rules().all_periods.search(signed))
    before = bool(rules().before.search(signed))
    for pattern in (rules().all_periods, rules().before):
        signed = pattern.sub(" ", signed)
    return PeriodsAsked(
        " ".join(signed.split()),
        tuple(ends),
        tuple(each for each in named if each not in ends),
        len(ends) < len(named) or any(pattern.search(signed) for pattern in rules().span),
        every,
        before,
    )


def _complete(text: str) -> str:
    """Days and quarters that share one year, each with it: "June 30 and December 31, 2019"."""
    text = _SHARED_YEAR.sub(lambda match: f"{match[1]}, {match[4]}{match[2]}{match[3]}, {match[4]}", text)
    years = {found.group() for found in _YEAR.finditer(text)}
    if len(years) == 1 and len(_QUARTER.findall(text)) > 1:
        year = years.pop()
        text = _QUARTER.sub(lambda match: f"{match.group()} of {year}", text)
    return text


def without_signs(text: str) -> str:
    return " ".join(_SIGN.sub(" ", text).split())


def _ended(period: NamedPeriod, split: dict[int, re.Match[str]]) -> NamedPeriod:
    match = split.get(period.start)
    if match is None:
        return period
    year = period.year + 1
    return NamedPeriod(str(year), year, match.start(), match.end(), fiscal=True)


def _runs_through(period: NamedPeriod, named: Sequence[NamedPeriod]) -> bool:
    """Whether it is only between the two ends of a range."""
    return any(
        period is not other and period.start <= other.start and other.end <= period.end and period.key != other.key
        for other in named
    )


def _signed(text: str, periods: Sequence[NamedPeriod]) -> str:
    for number in reversed(range(len(periods))):
        period = periods[number]
        text = f"{text[: period.start]} {SIGN}{number} {text[period.end :]}"
    return " ".join(text.split())
