"""Chooses the column that a time limits, and makes conditions of times."""

from __future__ import annotations

import datetime
from dataclasses import replace

from core.datasets.query.model import Bucket, Comparison, Condition
from core.datasets.words.frames import Field
from core.datasets.words.tagging import Tagged
from core.datasets.words.times import Time
from core.datasets.words.tokens import STEM, agreement, words_of
from core.datasets.words.understanding import Absent
from core.datasets.words.vocabulary import Relation, bucket_of
from core.language.terms import stem

_YEARS = (1500, 2100)
_LONG, _SHORT = 3 * 366, 62
"""Days from which a column is followed by year, and by month."""
_SIGNS: dict[Relation, Comparison] = {"in": "=", "since": ">=", "after": ">", "until": "<=", "before": "<"}


def date_fields(tags: Tagged) -> list[Field]:
    """Returns the columns of dates, the most likely one first: the one that is named, then in their order. Without
    dates, columns of years."""
    fields = [field for field in tags.frame.fields if field.column.is_dated]
    if not fields:
        return [field for field in tags.frame.fields if _is_year(field)]
    named = {link.field.name: link.score for link in tags.columns if link.field.column.is_dated}
    own = tags.frame.dataset.id
    names = frozenset(stem(word) for name in tags.frame.names for word in words_of(name))
    return sorted(
        fields,
        key=lambda field: (
            -named.get(field.name, 0.0),
            not _is_named(tags, field, names),
            not _is_named(tags, field),
            field.dataset.id != own,
        ),
    )


def _is_named(tags: Tagged, field: Field, names: frozenset[str] = frozenset()) -> bool:
    """Returns whether a word of the question is one of the heading's, other than "date" and the stems ``names``."""
    words = [word for word in field.column.name.lower().split() if not bucket_of(word) and stem(word) not in names]
    return any(agreement(token.text, word) >= STEM for token in tags.words.tokens for word in words)


def names_a_date(tags: Tagged, fields: list[Field]) -> bool:
    """Returns whether the question says which of several columns of dates it means."""
    return any(_is_named(tags, field) for field in fields)


def _is_year(field: Field) -> bool:
    """Returns whether a column holds years as numbers."""
    column = field.column
    if column.type != "number" or not column.least or not column.most:
        return False
    return _YEARS[0] <= float(column.least) and float(column.most) <= _YEARS[1] and float(column.least) % 1 == 0


def step_of(field: Field) -> Bucket:
    """Returns the part of a date by which its column is followed over time: years, months or days."""
    span = span_of(field)
    days = (span[1] - span[0]).days if span else 0
    return "year" if days > _LONG else "month" if days > _SHORT else "day"


def span_of(field: Field) -> tuple[datetime.date, datetime.date] | None:
    """Returns the first and last day of a column of dates."""
    try:
        return _day(field.column.least), _day(field.column.most)
    except ValueError:
        return None


def _day(text: str) -> datetime.date:
    return datetime.date.fromisoformat(text[:10])


def time_conditions(tags: Tagged, time: Time, field: Field) -> list[Condition] | Absent:
    """Returns the conditions that limit ``field`` to ``time``; if it has no such time, what it has."""
    name = field.name
    if _is_year(field):
        return _year_conditions(tags, time, field)
    span = span_of(field)
    if span is None:
        return [Condition(column=name, bucket=time.bucket, value=time.value)]
    if time.now:
        return _absent(tags, time, field, span)
    time = _placed(time, span)
    extent = time.extent()
    if extent is None:
        condition = Condition(column=name, bucket=time.bucket, value=time.value)
        return [condition] if time.bucket in ("weekday", "month_of_year") else []
    last = time.end.extent() if time.end else extent
    final = (last or extent)[1]
    if time.relation == "in" and (extent[0] > span[1] or final < span[0]):
        return _absent(tags, time, field, span)
    if time.end and time.end.extent():
        return [Condition(column=name, bucket="day", op="between", value=[extent[0].isoformat(), final.isoformat()])]
    if time.relation == "in":
        return [Condition(column=name, bucket=time.bucket, value=time.value)]
    end = extent[0] if time.relation in ("since", "before") else extent[1]
    return [Condition(column=name, bucket="day", op=_SIGNS[time.relation], value=end.isoformat())]


def _placed(time: Time, span: tuple[datetime.date, datetime.date]) -> Time:
    """Returns a time with its year: of "the last month in the file", and of times without a year."""
    if time.relative:
        time = _latest(time, span[1])
    time = _with_year(time, span)
    return replace(time, end=_with_year(time.end, span)) if time.end else time


def _year_conditions(tags: Tagged, time: Time, field: Field) -> list[Condition] | Absent:
    least, most = float(field.column.least), float(field.column.most)
    if time.year is None:
        return []
    if time.end and time.end.year:
        return [Condition(column=field.name, op="between", value=[time.year, time.end.year])]
    op = _SIGNS[time.relation]
    if op == "=" and not least <= time.year <= most:
        return Absent(
            "period", tags.text(time.first, time.last), tags.frame.dataset.name, field.name, (f"{least:g}", f"{most:g}")
        )
    return [Condition(column=field.name, op=op, value=time.year)]


def _absent(tags: Tagged, time: Time, field: Field, span: tuple[datetime.date, datetime.date]) -> Absent:
    ends = (span[0].isoformat(), span[1].isoformat())
    return Absent("period", tags.text(time.first, time.last), tags.frame.dataset.name, field.name, ends)


def _with_year(time: Time, span: tuple[datetime.date, datetime.date]) -> Time:
    """Adds the year if the column has this time in one year only."""
    if time.year or time.weekday is not None:
        return time
    years = [
        year
        for year in range(span[0].year, span[1].year + 1)
        if (extent := time.of(year).extent()) and extent[0] <= span[1] and extent[1] >= span[0]
    ]
    if len(years) == 1:
        return time.of(years[0])
    return time if time.bucket == "month_of_year" or not years else time.of(years[-1])


def _latest(time: Time, last: datetime.date) -> Time:
    """Returns the last whole or part unit of the column: "last month in the file"."""
    match time.relative:
        case "year":
            return replace(time, year=last.year, relative=None)
        case "half":
            return replace(time, year=last.year, half=(last.month + 5) // 6, relative=None)
        case "quarter":
            return replace(time, year=last.year, quarter=(last.month + 2) // 3, relative=None)
        case "month":
            return replace(time, year=last.year, month=last.month, relative=None)
    return replace(time, year=last.year, month=last.month, day=last.day, relative=None)
