"""Formats the cells of a result: amounts with their currency, percentages, dates and parts of dates."""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from babel.dates import get_day_names, get_month_names

from core.datasets.query.result import QueryResult, ResultColumn
from core.datasets.records import NUMERIC
from core.datasets.words.tokens import words_of
from core.datasets.words.vocabulary import bucket_of
from core.figures.numbers import decimals_of, figure, natural, plain
from core.messages import message
from core.records.data_answer import DataCell
from core.words import Language

if TYPE_CHECKING:
    import pandas

MOST_DECIMALS = 4
UNIT = " (unit)"
"""End of the name of a column that holds the units of another."""
_LARGE_DECIMALS = 2
"""Maximum number of decimals of amounts and percentages, and of calculated numbers from 1."""
_ISO_CURRENCY = 3


def cells(frame: pandas.DataFrame, most: int) -> list[list[DataCell]]:
    """Returns the first ``most`` rows of a result as plain values; blank cells are ``None``, dates ISO 8601."""
    return [[_plain(value) for value in row] for row in frame.head(most).itertuples(index=False, name=None)]


def _plain(value: object) -> DataCell:
    import pandas

    if value is None or value is pandas.NaT or value is pandas.NA or (isinstance(value, float) and value != value):
        return None
    if isinstance(value, datetime.datetime):
        return (value.date() if not (value.hour or value.minute or value.second) else value).isoformat()
    if isinstance(value, datetime.date):
        return value.isoformat()
    item = getattr(value, "item", None)
    kept = item() if item is not None else value
    if isinstance(kept, bool | int | str):
        return kept
    if isinstance(kept, float):
        return int(kept) if kept.is_integer() and abs(kept) < 1e15 else kept
    return str(kept)


def shown(
    value: DataCell, column: ResultColumn, language: Language, unit: str | None = None, decimals: int | None = None
) -> str:
    """Formats a cell for a reader. ``unit`` replaces the unit of the column if units differ from row to row;
    ``decimals`` is the number of decimals of its column, otherwise the value has as many as it needs."""
    if value is None:
        return message("datasets.blank").to(language)
    if isinstance(value, bool):
        return message("datasets.is_true" if value else "datasets.is_false").to(language)
    if column.bucket == "weekday":
        return str(get_day_names("wide", locale=language)[int(value) - 1])
    if column.bucket == "month_of_year":
        return str(get_month_names("wide", "stand-alone", locale=language)[int(value)])
    if not isinstance(value, int | float):
        return str(value)
    if column.type == "percent":
        return f"{natural(100 * value, 2) if decimals is None else plain(100 * value, decimals)} %"
    own = column.unit if unit is None else unit
    if _is_year(value, own, column):
        return str(int(value))
    if column.type == "money":
        currency = own if len(own) == _ISO_CURRENCY and own.isupper() else ""
        return figure(
            value, None if currency else own or None, currency=currency or None,
            decimals=_needed(value, column) if decimals is None else decimals, language=language,
        )  # fmt: skip
    decimals = _needed(value, column) if decimals is None else decimals
    return figure(round(value, decimals), own or None, decimals=decimals, language=language)


def decimals_in(values: Iterable[DataCell], column: ResultColumn) -> int | None:
    """Returns the number of decimals with which all values of a column are shown, so that their points line up.
    ``None`` if each has its own: numbers that were not calculated.

    >>> decimals_in([20.7222, 33.5, 15], ResultColumn("mean", "number", "measure"))
    2
    >>> decimals_in([0.4571, 0.5], ResultColumn("correlation", "number", "measure"))
    4
    """
    numbers = [value for value in values if isinstance(value, int | float) and not isinstance(value, bool)]
    if not numbers or column.type not in NUMERIC or (column.role != "measure" and column.type != "money"):
        return None
    decimals = max(_needed(value, column) for value in numbers)
    return min(decimals, _LARGE_DECIMALS) if max(map(abs, numbers)) >= 1 else decimals


def _needed(value: float, column: ResultColumn) -> int:
    if column.type == "money":
        return 0 if float(value).is_integer() else _LARGE_DECIMALS
    if column.type == "percent":
        return decimals_of(round(100 * value, _LARGE_DECIMALS), 0, _LARGE_DECIMALS)
    return decimals_of(round(value, MOST_DECIMALS), 0, MOST_DECIMALS)


def _is_year(value: float, unit: str, column: ResultColumn) -> bool:
    """Returns whether a value is a year, which has no separator of thousands."""
    is_bare = column.type == "number" and not unit and column.role != "measure" and 1_000 <= value < 3_000
    return is_bare and value == int(value) and any(bucket_of(word) == "year" for word in words_of(column.name))


def rows_shown(result: QueryResult, language: Language, most: int) -> list[list[str]]:
    """Formats the first ``most`` rows of a result, each amount with its own unit."""
    return _formatted(result, result.frame.head(most), language)


def rows_at(result: QueryResult, language: Language, places: Sequence[int]) -> list[list[str]]:
    """Formats the rows of a result at these places, counted from 0."""
    return _formatted(result, result.frame.iloc[list(places)], language)


def _formatted(result: QueryResult, frame: pandas.DataFrame, language: Language) -> list[list[str]]:
    return table_shown(cells(frame, len(frame)), result.columns, language)


def table_shown(
    rows: Sequence[Sequence[DataCell]], columns: Sequence[ResultColumn], language: Language
) -> list[list[str]]:
    """Formats the rows of a table, each amount with its own unit and the decimals of its column."""
    units = [_unit_of(column, columns) for column in columns]
    decimals = [decimals_in((row[number] for row in rows), column) for number, column in enumerate(columns)]
    made = []
    for row in rows:
        own = [None if at is None or row[at] is None else str(row[at]) for at in units]
        parts = zip(row, columns, own, decimals, strict=True)
        made.append([shown(value, column, language, unit, count) for value, column, unit, count in parts])
    return made


def _unit_of(column: ResultColumn, columns: Sequence[ResultColumn]) -> int | None:
    """Returns the number of the column that holds the units of ``column``, row by row."""
    if column.unit or column.role not in ("measure", "column") or column.type not in NUMERIC:
        return None
    units = {each.name.removesuffix(UNIT): number for number, each in enumerate(columns) if each.role == "unit"}
    if column.role == "column":
        return units.get(column.name)
    named = [number for name, number in units.items() if name in column.name]
    return next(iter(named or (units.values() if column.type == "money" else ())), None)
