"""Gives columns the currency or unit that is written elsewhere: in a column next to them, or in the table's title."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.datasets.reading.heading_units import currency_in
from core.datasets.records import Column
from core.language.vocabulary import pattern_of
from core.library.tables.cells import CURRENCIES

_UNIT_COLUMN = pattern_of("library/tables.units.called")
_LONGEST_UNIT = 12
_MOST_UNITS = 40


@dataclass(frozen=True)
class _Units:
    """A column that holds the units of other columns."""

    place: int
    key: str
    is_currency: bool


def with_shared_units(columns: Sequence[Column], titles: Sequence[str], whole: frozenset[str]) -> list[Column]:
    """Returns the columns with the units that a neighbour or the title gives. ``whole`` are the keys of columns with
    whole numbers only, which a currency of the title does not apply to."""
    found = list(columns)
    for place, column in enumerate(columns):
        units = _units_of(place, column)
        if units:
            found = [_with(units, at, each, columns, whole) for at, each in enumerate(found)]
    currency = next((code for title in titles if (code := currency_in(title))), "")
    if currency:
        found = [
            column.model_copy(update={"type": "money", "unit": currency})
            if column.type == "number" and not column.unit and not column.unit_key and column.key not in whole
            else column
            for column in found
        ]
    return found


def _units_of(place: int, column: Column) -> _Units | None:
    if column.type not in ("category", "code", "text") or not column.values or len(column.values) > _MOST_UNITS:
        return None
    if all(value.lower() in CURRENCIES or _is_code(value) for value in column.values):
        known = sum(value.lower() in CURRENCIES for value in column.values)
        return _Units(place, column.key, True) if 2 * known >= len(column.values) else None
    if _UNIT_COLUMN.fullmatch(column.name.strip()) and all(len(value) <= _LONGEST_UNIT for value in column.values):
        return _Units(place, column.key, False)
    return None


def _is_code(value: str) -> bool:
    return len(value) == 3 and value.isascii() and value.isalpha() and value.isupper()


def _with(units: _Units, at: int, column: Column, columns: Sequence[Column], whole: frozenset[str]) -> Column:
    if column.unit or column.unit_key or column.type not in ("number", "money"):
        return column
    if units.is_currency:
        numbers = [each for each in columns if each.type in ("number", "money") and not each.unit]
        amounts = [each.key for each in numbers if each.key not in whole or each.type == "money"]
        if column.key not in amounts and (amounts or abs(at - units.place) > 1):
            return column
        return column.model_copy(update={"type": "money", "unit_key": units.key})
    between = columns[units.place + 1 : at] if at > units.place else columns[at + 1 : units.place]
    is_next = all(each.type == "number" and not each.unit for each in between)
    return column.model_copy(update={"unit_key": units.key}) if is_next else column
