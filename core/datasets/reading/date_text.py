"""Defines how a date is written in a cell: patterns with the formats that DuckDB parses."""

from __future__ import annotations

import contextlib
import datetime
import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import Literal

from core.language.entities.calendar_words import NAMES, SHORT_NAMES
from core.language.entities.dates import DAYS, DateReading, dates_in
from core.language.entities.periods import extent, named_keys
from core.library.tables.cells import is_date

Order = Literal["day first", "month first"]

_DAY = r"\d{1,2}"
_YEARS = ((r"\d{4}", "%Y"), (r"\d{2}", "%y"))
_TIMES = (
    ("", ""),
    (r"[ T]\d{1,2}:\d{2}", " %H:%M"),
    (r"[ T]\d{1,2}:\d{2}:\d{2}", " %H:%M:%S"),
    (r"[ T]\d{1,2}:\d{2}:\d{2}\.\d+", " %H:%M:%S.%f"),
    (r"[ T]\d{1,2}:\d{2}:\d{2}Z", " %H:%M:%SZ"),
    (r"[ T]\d{1,2}:\d{2}:\d{2}[+-]\d{2}:?\d{2}", " %H:%M:%S%z"),
    (r" \d{1,2}:\d{2} ?[AaPp][Mm]", " %I:%M %p"),
    (r" \d{1,2}:\d{2}:\d{2} ?[AaPp][Mm]", " %I:%M:%S %p"),
)
_BETWEEN = re.compile(r"(\d{1,2})[-/.](\d{1,2})[-/.]\d{2,4}\b.*")
_SHORT = f"(?:{'|'.join(SHORT_NAMES)})"
_FULL = f"(?:{'|'.join(name.capitalize() for name in NAMES)})"


@dataclass(frozen=True)
class DateFormat:
    """A way to write a date: its pattern, its format for ``strptime``, and whether it has a time."""

    pattern: str
    format: str
    has_time: bool


@cache
def formats(order: Order) -> tuple[DateFormat, ...]:
    """Returns all ways to write a date with digits or English months."""
    days = [(rf"\d{{4}}{mark}{_DAY}{mark}{_DAY}", f"%Y{name}%m{name}%d") for mark, name in _marks("-/.")]
    first, second = ("%d", "%m") if order == "day first" else ("%m", "%d")
    for years, year in _YEARS:
        days.append((rf"{_DAY}\.{_DAY}\.{years}", f"%d.%m.{year}"))
        days += [
            (rf"{_DAY}{mark}{_DAY}{mark}{years}", f"{first}{name}{second}{name}{year}") for mark, name in _marks("/-")
        ]
        for names, month in ((_SHORT, "%b"), (_FULL, "%B")):
            days += [
                (rf"{_DAY}{mark}{names}{mark}{years}", f"%d{name}{month}{name}{year}") for mark, name in _marks(" -")
            ]
            days += [
                (rf"{names} {_DAY}, {years}", f"{month} %d, {year}"),
                (rf"{names} {_DAY} {years}", f"{month} %d {year}"),
            ]
    return tuple(
        DateFormat(f"(?i){day}{time}", f"{written}{clock}", bool(time))
        for day, written in days
        for time, clock in _TIMES
    )


def _marks(characters: str) -> list[tuple[str, str]]:
    return [(re.escape(mark), mark) for mark in characters]


@cache
def _compiled(order: Order) -> tuple[tuple[re.Pattern[str], DateFormat], ...]:
    return tuple((re.compile(found.pattern), found) for found in formats(order))


def format_of(text: str, order: Order) -> DateFormat | None:
    """Returns how a date is written; ``None`` if the text is no date."""
    return next((found for compiled, found in _compiled(order) if compiled.fullmatch(text)), None)


def order_in(texts: Iterable[str]) -> Order | None:
    """Returns the order that dates such as 13/02/2024 prove; ``None`` if none of them does."""
    day = month = 0
    for text in texts:
        if found := _BETWEEN.fullmatch(text):
            day += int(found[1]) > 12
            month += int(found[2]) > 12
    return None if day == month else "day first" if day > month else "month first"


def in_words(text: str) -> str | None:
    """Returns the ISO date of a date or period in words of any known language ("2. Mai 2024", "Q1 2024"): that of its
    first day. ``None`` if the text is something else."""
    if is_date(text):
        days = [span.day for span in dates_in(text, DateReading(DAYS, needs_year=True))]
        if len(days) == 1 and days[0].year and days[0].month and days[0].day:
            with contextlib.suppress(ValueError):
                return datetime.date(days[0].year, days[0].month, days[0].day).isoformat()
    return None


def period_start(text: str) -> str | None:
    """Returns the first day of the month, quarter or half that a text names; ``None`` for other texts."""
    keys = named_keys(text)
    if len(keys) != 1 or len(keys[0]) <= len("2024") or len(keys[0]) > len("2024-06"):
        return None
    return extent(keys[0])[0].isoformat()
