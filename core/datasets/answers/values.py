"""Formats the cells of a result: amounts with their currency, percentages, dates and parts of dates."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from typing import TYPE_CHECKING

from babel.dates import get_day_names, get_month_names

from core.datasets.query.result import QueryResult, ResultColumn
from core.datasets.words.tokens import words_of
from core.datasets.words.vocabulary import bucket_of
from core.figures.numbers import decimals_of, figure, natural
from core.messages import message
from core.records.data_answer import DataCell
from core.words import Language

if TYPE_CHECKING:
    import pandas

MOST_DECIMALS = 4
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


def shown(value: DataCell, column: ResultColumn, language: Language, unit: str | None = None) -> str:
    """Formats a cell for a reader. ``unit`` replaces the unit of the column if units differ from row to row."""
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
        return f"{natural(100 * value, 2)} %"
    own = column.unit if unit is None else unit
    if _is_year(value, own, column):
        return str(int(value))
    if column.type == "money":
        currency = own if len(own) == _ISO_CURRENCY and own.isupper() else ""
        return figure(
            value, None if currency else own or None, currency=currency or None,
            decimals=0 if isinstance(value, int) or value.is_integer() else 2, language=language,
        )  # fmt: skip
    decimals = decimals_of(round(value, MOST_DECIMALS), 0, MOST_DECIMALS)
    return figure(round(value, decimals), own or None, decimals=decimals, language=language)


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
    units = [number for number, column in enumerate(result.columns) if column.role == "unit"]
    made = []
    for row in cells(frame, len(frame)):
        unit = str(row[units[0]]) if units and row[units[0]] is not None else None
        made.append(
            [
                shown(value, column, language, unit if column.role != "group" and not column.unit else None)
                for value, column in zip(row, result.columns, strict=True)
            ]
        )
    return made
