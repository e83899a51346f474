"""Finds a period's table columns: takes a table, a period and the document's period names; returns likely columns.

A question may use any of the document's names for a period. Tables label columns by end date, by calendar year or by
fiscal year. Quarters are counted back from the newest column, since a company's second quarter may be the calendar's
third.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from functools import lru_cache

from core.figures.records import Origin
from core.language.entities.calendar_words import ORDINAL, YEAR
from core.language.vocabulary import phrases
from core.library.tables.periods import span_key
from core.library.tables.records import Column, Table

_phrase = phrases("answering/measures.columns")

SURE = 1.0
BY_DAY = 0.97
"""Certainty if a column matches by the period's end date."""
SHIFTED = 0.9
"""Certainty if a column's quarter was counted from the quarter that the document is about."""
NEWEST = 0.8
"""Certainty of the newest column if the document uses the requested name for its own year."""
_QUARTER = re.compile(r"(\d{4})-Q([1-4])")
_DAY = re.compile(r"(\d{4})-(\d\d)-(\d\d)")
_MONTH = re.compile(r"(\d{4})-(\d\d)")
_CHANGE = re.compile(
    rf"\bchange\b|variance|\bvs\b|versus|increase|decrease|inc\.? ?/|growth|difference|{_phrase('change')}|"
    rf"{YEAR}\s*(?:[-–—/]|to|vs\.?|over)\s*{YEAR}",
    re.IGNORECASE,
)
_PART = re.compile(rf"\b(?:{ORDINAL})\b|\bq[1-4]\b", re.IGNORECASE)
_SHARE = re.compile(r"%|percent", re.IGNORECASE)
_SPAN = re.compile(r"(\d{4}-\d\d-\d\d)\+(\d+)")
"""Matches a period key for a number of months that end on a day: "2031-06-30+6"."""
_MONTH_SPARE = 20


@dataclass(frozen=True)
class Place:
    """A column that may be for the requested period; ``sure`` is the certainty of that, 0..1; ``key`` is the column's
    own period."""

    column: int
    sure: float
    key: str


def columns_for(table: Table, asked: str, origin: Origin, *, stock: bool) -> list[Place]:
    """Returns the columns for a period, best first, using only the best kind of match found; empty if the table does
    not have the period.

    Args:
        asked: a key of ``core.language.entities.periods``.
        stock: true for a balance on a day (such as cash), false for a flow over a time (such as revenue).
    """
    dated = [(number, key) for number, key in enumerate(_column_periods(table.columns)) if key]
    if not dated:
        return []
    if match := _SPAN.fullmatch(asked):
        wanted = match[1] if stock else span_key(match[1], int(match[2]))
        return [Place(number, SURE, key) for number, key in dated if key == wanted]
    quarter = _QUARTER.fullmatch(asked)
    if quarter:
        return _for_quarter(dated, int(quarter[1]) * 4 + int(quarter[2]) - 1, origin, stock)
    if _DAY.fullmatch(asked):
        return _for_day(dated, asked, origin, stock)
    if not asked.isdigit():
        return [Place(number, SURE, key) for number, key in dated if key == asked]
    return _for_year(dated, asked, origin, stock)


def _column_periods(columns: Sequence[Column]) -> list[str | None]:
    return [None if _is_aside(column) else column.period for column in columns]


@lru_cache(maxsize=20_000)
def _says_change(header: str) -> bool:
    return bool(_CHANGE.search(header) or _PART.search(header))


def _is_aside(column: Column) -> bool:
    """Returns whether the column is a change, a share or a quarter without its own key."""
    header = " ".join(column.header)
    part = _says_change(header) and not (column.period and "-Q" in column.period)
    return part or column.unit == "%" or bool(_SHARE.search(header))


def _for_year(dated: list[tuple[int, str]], asked: str, origin: Origin, stock: bool) -> list[Place]:
    if exact := [Place(number, SURE, key) for number, key in dated if key == asked]:
        return exact
    days = [(number, key) for number, key in dated if _is_day(key) and key[:4] == asked]
    if stock and days:
        return [Place(number, BY_DAY, key) for number, key in _ends_of_year(days, dated, origin)]
    if days and origin.kind == "annual report":
        return [Place(number, SHIFTED, key) for number, key in days]
    own = {name for name in origin.periods if name.isdigit()}
    whole = [(number, key) for number, key in dated if key.isdigit() or (stock and _is_day(key))]
    newest = max((key for _, key in whole), default="")
    if asked in own and newest[:4] in own:
        return [Place(number, NEWEST, key) for number, key in whole if key == newest]
    return []


def _ends_of_year(days: list[tuple[int, str]], dated: list[tuple[int, str]], origin: Origin) -> list[tuple[int, str]]:
    """Returns the columns for the year-end day if a quarterly report has two days of one year: those that are not the
    end of its own quarter in this or the earlier year."""
    if len({key for _, key in days}) < 2 and "-Q" not in "".join(origin.periods):
        return days
    newest = max(key for _, key in dated if _is_day(key))
    left = [(number, key) for number, key in days if not _same_season(key, newest)]
    return left or days


def _same_season(key: str, newest: str) -> bool:
    gap = (_period_date(newest) - _period_date(key)).days % 365
    return min(gap, 365 - gap) <= _MONTH_SPARE


def _for_quarter(dated: list[tuple[int, str]], asked: int, origin: Origin, stock: bool) -> list[Place]:
    own = [int(match[1]) * 4 + int(match[2]) - 1 for name in origin.periods if (match := _QUARTER.fullmatch(name))]
    named = _quarter_number(origin.quarter.key) if origin.quarter else own[0] if own else asked
    back = 0 if asked in own else named - asked
    if stock and any(_is_day(key) for _, key in dated):
        return _quarter_days(dated, asked, back, own)
    quarters = {number: _quarter_number(key) for number, key in dated if _QUARTER.fullmatch(key)}
    if not quarters:
        return []
    target = max(quarters.values()) - back if own else asked
    sure = SURE if target == asked else SHIFTED if asked in own or back % 4 == 0 else NEWEST
    keys = dict(dated)
    if found := [Place(number, sure, keys[number]) for number, value in quarters.items() if value == target]:
        return found
    by_calendar = max(quarters.values()) in own
    return [
        Place(number, SHIFTED, keys[number]) for number, value in quarters.items() if by_calendar and value == asked
    ]


def _quarter_days(dated: list[tuple[int, str]], asked: int, back: int, own: list[int]) -> list[Place]:
    """Returns the day that is the given number of quarters before the newest; if the document has no own period names,
    the end of the calendar quarter."""
    days = [(number, _period_date(key), key) for number, key in dated if _is_day(key)]
    newest = max(day for _, day, _ in days)
    if own:
        wanted = newest.year * 12 + newest.month - 1 - 3 * back
        middle = date(wanted // 12, wanted % 12 + 1, min(newest.day, 28))
    else:
        middle = date(asked // 4, asked % 4 * 3 + 3, 28)
    return [
        Place(number, SHIFTED if back else BY_DAY, key)
        for number, day, key in days
        if abs((day - middle).days) <= _MONTH_SPARE
    ]


def _for_day(dated: list[tuple[int, str]], asked: str, origin: Origin, stock: bool) -> list[Place]:
    if exact := [Place(number, SURE, key) for number, key in dated if key == asked]:
        return exact
    if months := [Place(number, BY_DAY, key) for number, key in dated if key == asked[:7]]:
        return months
    day = _period_date(asked)
    year = str(day.year)
    if day.month == 12 and day.day >= 25:
        return [Place(number, BY_DAY, key) for number, key in dated if key == year]
    if not stock and year in origin.periods:
        return [Place(number, SHIFTED, key) for number, key in dated if key == year]
    return []


def newest_year(tables: Iterable[Table], origin: Origin) -> str | None:
    """Returns the newest full year in the statements; under the document's own name for it, if there is one."""
    keys = {key for table in tables for key in _column_periods(table.columns) if key}
    years = {key for key in keys if key.isdigit()} or {key[:4] for key in keys if _is_day(key)}
    own = [name for name in origin.periods if name.isdigit()]
    return next((name for name in own if name in years), max(years, default=own[0] if own else None))


def year_before(key: str) -> str:
    """Returns the key of the year before: "2022" → "2021", "2022-Q2" → "2021-Q2", "2022-06-30" → "2021-06-30"."""
    return f"{int(key[:4]) - 1}{key[4:]}"


def _is_day(key: str) -> bool:
    return bool(_DAY.fullmatch(key) or (_MONTH.fullmatch(key)))


def _period_date(key: str) -> date:
    year, month, *rest = map(int, key.split("-"))
    return date(year, month, min(rest[0], 28) if rest else 28)


def _quarter_number(key: str) -> int:
    return int(key[:4]) * 4 + int(key[-1]) - 1
