"""Finds times in the words of a question: days, months, quarters, halves, years, weekdays, ranges of them."""

from __future__ import annotations

import calendar
import datetime
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache

from core.datasets.query.model import Bucket
from core.datasets.words.tokens import Words
from core.datasets.words.vocabulary import Relation, bucket_of, operations, whole_words
from core.language import hebrew
from core.language.entities.calendar_words import MONTHS, OLD_YEAR, PART_NUMBERS, WEEKDAYS, year_of
from core.language.terms import is_stop_word

_ISO = re.compile(r"(\d{4})-(\d{1,2})-(\d{1,2})")
_NUMERIC = re.compile(r"(\d{1,2})[./](\d{1,2})[./](\d{4}|\d{2})")
_YEAR_MONTH = re.compile(r"(\d{4})-(\d{1,2})")
_YEAR = re.compile(OLD_YEAR)
_DAY = re.compile(r"(\d{1,2})(?:st|nd|rd|th)?")
_PART = re.compile(r"([qh])([1-4])")
_MOST_DAYS = 31


@dataclass(frozen=True)
class Time:
    """A time between the words ``first`` and ``last`` (exclusive). ``end`` is the other end of a range. ``relative`` is
    the unit of "the last month in the file"; ``now`` is set for "yesterday", which no file knows."""

    first: int
    last: int
    year: int | None = None
    half: int | None = None
    quarter: int | None = None
    month: int | None = None
    day: int | None = None
    weekday: int | None = None
    relation: Relation = "in"
    relative: Bucket | None = None
    now: bool = False
    end: Time | None = None

    @property
    def bucket(self) -> Bucket:
        """The part of a date that it names."""
        if self.weekday is not None:
            return "weekday"
        if self.day is not None:
            return "day"
        if self.month is not None:
            return "month" if self.year else "month_of_year"
        if self.quarter is not None:
            return "quarter"
        return "half" if self.half is not None else "year"

    def of(self, year: int | None) -> Time:
        """Returns it in ``year`` if it names none."""
        return self if self.year or self.weekday is not None else replace(self, year=year)

    @property
    def value(self) -> str | int:
        """The value of its bucket, as the query writes it."""
        if self.weekday is not None:
            return (self.weekday - 2) % 7 + 1
        if self.day is not None and self.month is not None:
            return datetime.date(self.year or 1, self.month, self.day).isoformat()
        if self.month is not None:
            return f"{self.year}-{self.month:02}" if self.year else self.month
        if self.quarter is not None:
            return f"{self.year}-Q{self.quarter}"
        return f"{self.year}-H{self.half}" if self.half is not None else str(self.year)

    def extent(self) -> tuple[datetime.date, datetime.date] | None:
        """Returns its first and last day if it names a year."""
        if not self.year:
            return None
        low, high = 1, 12
        if self.half is not None:
            low, high = 6 * self.half - 5, 6 * self.half
        elif self.quarter is not None:
            low, high = 3 * self.quarter - 2, 3 * self.quarter
        elif self.month is not None:
            low = high = self.month
        days = calendar.monthrange(self.year, high)[1]
        first, last = (self.day, min(self.day, days)) if self.day is not None else (1, days)
        return datetime.date(self.year, low, min(first, days)), datetime.date(self.year, high, last)


def times_in(words: Words, taken: Sequence[bool]) -> list[Time]:
    """Returns the times among the words that are not ``taken``, ranges joined, in order."""
    found: list[Time] = _relative(words)
    covered = {index for time in found for index in range(time.first, time.last)}
    index = 0
    while index < len(words.tokens):
        if taken[index] or index in covered or not (time := _time_at(words, index, taken)):
            index += 1
            continue
        found.append(time)
        index = time.last
    return _joined(words, sorted(found, key=lambda time: time.first))


def _relative(words: Words) -> list[Time]:
    found = []
    vocabulary = operations().relative
    for match in whole_words(vocabulary["last"]).finditer(words.text):
        unit = next(text for text in match.groups() if text)
        first, last = words.span(*match.span())
        if words.tokens[first].aside:
            continue
        if name := bucket_of(unit):
            found.append(Time(first, last, relative=name))  # type: ignore[arg-type]
    for match in whole_words(vocabulary["now"]).finditer(words.text):
        first, last = words.span(*match.span())
        found.append(Time(first, last, now=True))
    return found


def _time_at(words: Words, index: int, taken: Sequence[bool]) -> Time | None:
    tokens = [token.text for token in words.tokens]
    text = tokens[index]
    for read in (_written_day, _day_and_month, _part_of_year, _weekday, _month, _year):
        if (time := read(tokens, index)) and not any(taken[time.first : time.last]):
            return time
    return replace(time, last=index + 1) if (time := _year([text], 0)) and not taken[index] else None


def _written_day(tokens: Sequence[str], index: int) -> Time | None:
    text = tokens[index]
    if match := _ISO.fullmatch(text):
        return _checked(Time(index, index + 1, int(match[1]), month=int(match[2]), day=int(match[3])))
    if match := _NUMERIC.fullmatch(text):
        day, month = int(match[1]), int(match[2])
        day, month = (month, day) if month > 12 else (day, month)
        return _checked(Time(index, index + 1, year_of(match[3]), month=month, day=day))
    if match := _YEAR_MONTH.fullmatch(text):
        return _checked(Time(index, index + 1, int(match[1]), month=int(match[2])))
    return None


def _checked(time: Time) -> Time | None:
    if time.month is not None and not 1 <= time.month <= 12:
        return None
    return time if time.day is None or 1 <= time.day <= _MOST_DAYS else None


def _month_number(word: str) -> int | None:
    if word in MONTHS:
        return MONTHS[word]
    if hebrew.is_hebrew(word):
        return next((MONTHS[form] for form in hebrew.variants(word) if form in MONTHS), None)
    return None


def _day_and_month(tokens: Sequence[str], index: int) -> Time | None:
    day, after = _DAY.fullmatch(tokens[index]), index + 1
    if day and 1 <= int(day[1]) <= _MOST_DAYS:
        after += after < len(tokens) and is_stop_word(tokens[after])
        if after < len(tokens) and (month := _month_number(tokens[after])):
            return _with_year(tokens, Time(index, after + 1, month=month, day=int(day[1])))
    month = _month_number(tokens[index])
    if month and index + 1 < len(tokens) and (day := _DAY.fullmatch(tokens[index + 1])) and 1 <= int(day[1]) <= 31:
        return _with_year(tokens, Time(index, index + 2, month=month, day=int(day[1])))
    return None


def _with_year(tokens: Sequence[str], time: Time) -> Time:
    after = time.last
    for skip in (0, 1):
        place = after + skip
        if skip and not (after < len(tokens) and _joins_year(tokens[after])):
            break
        if place < len(tokens) and (year := _year_number(tokens[place])):
            return replace(time, year=year, last=place + 1)
    return time


def _joins_year(word: str) -> bool:
    return is_stop_word(word) and not whole_words(operations().to).fullmatch(word)


def _year_number(word: str) -> int | None:
    return int(word) if _YEAR.fullmatch(word) else None


def _part_of_year(tokens: Sequence[str], index: int) -> Time | None:
    text = tokens[index]
    if match := _PART.fullmatch(text):
        part = int(match[2])
        time = Time(index, index + 1, quarter=part) if match[1] == "q" else Time(index, index + 1, half=part)
        return _with_year(tokens, time)
    if index + 1 < len(tokens):
        for name, ordinal in ((bucket_of(tokens[index + 1]), text), (bucket_of(text), tokens[index + 1])):
            part_number = PART_NUMBERS.get(ordinal.removeprefix(hebrew.THE).strip("'"))
            part = part_number or (int(ordinal) if ordinal in "1234" and len(ordinal) == 1 else 0)
            if part and ordinal != "last" and (name == "quarter" or (name == "half" and part < 3)):
                time = Time(index, index + 2, quarter=part) if name == "quarter" else Time(index, index + 2, half=part)
                return _with_year(tokens, time)
    return None


def _weekday(tokens: Sequence[str], index: int) -> Time | None:
    word = tokens[index].removesuffix("s")
    return Time(index, index + 1, weekday=WEEKDAYS[word]) if word in WEEKDAYS else None


def _month(tokens: Sequence[str], index: int) -> Time | None:
    month = _month_number(tokens[index])
    led = index > 0 or index + 1 < len(tokens)
    return _with_year(tokens, Time(index, index + 1, month=month)) if month and led else None


def _year(tokens: Sequence[str], index: int) -> Time | None:
    year = _year_number(tokens[index])
    if not year:
        return None
    time = Time(index, index + 1, year)
    part = _part_of_year(tokens, index + 1) if index + 1 < len(tokens) else None
    if part and part.year is None:
        return replace(part, year=year, first=index)
    return time


def _joined(words: Words, times: list[Time]) -> list[Time]:
    """Joins the two ends of a range, and notes whether a time is the earliest or the latest."""
    vocabulary = operations()
    between, to = whole_words([*vocabulary.between, *vocabulary.start]), whole_words(vocabulary.to)
    found: list[Time] = []
    index = 0
    while index < len(times):
        time = times[index]
        after = times[index + 1] if index + 1 < len(times) else None
        lead = _lead(words, time.first)
        if after and _are_ends(words, time, after, not lead or bool(between.fullmatch(lead)), to):
            year = after.year if time.year is None and after.year else time.year
            found.append(replace(time, last=after.last, year=year, end=after.of(year)))
            index += 2
            continue
        relation: Relation = "in"
        if time.first > 0 and not time.now:
            leads = (lead, f"{_lead(words, time.first - 1)} {lead}")
            relation = next((name for name, words_ in _relations().items() if any(map(words_.fullmatch, leads))), "in")
        found.append(replace(time, relation=relation))
        index += 1
    return found


@cache
def _relations() -> dict[Relation, re.Pattern[str]]:
    return {name: whole_words(patterns) for name, patterns in operations().relations.items()}


def _lead(words: Words, first: int) -> str:
    return words.tokens[first - 1].text if first else ""


def _are_ends(words: Words, time: Time, after: Time, led: bool, to: re.Pattern[str]) -> bool:
    middle = [token.text for token in words.tokens[time.last : after.first]]
    own = words.tokens[after.first].text
    hebrew_end = not middle and hebrew.is_hebrew(own[:1])
    if time.now or after.now or time.relative or after.relative or time.weekday is not None:
        return False
    joined = len(middle) <= 2 and bool(middle) and bool(to.fullmatch(middle[0]))
    return (joined and (led or middle[0] not in operations().both)) or hebrew_end
