"""Reads the units of columns from a heading level or a bracket in a heading: as a known unit, or as printed."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from core.language.note_marks import without_note_marks
from core.language.vocabulary import pattern_of
from core.library.tables.cells import is_figure, is_year
from core.library.tables.grid import RawRow
from core.library.tables.periods import period_of
from core.library.tables.unit_symbols import symbols
from core.library.tables.units import Units, is_units, trailing_units, units_in

Named = Sequence[tuple[str, tuple[int, int]]]
"""The headings of one column from top to bottom, each with the columns that it covers."""
_CALLED = pattern_of("library/tables.units.called")
_COUNTED = pattern_of("library/tables.units.counted")
_SYMBOL = re.compile(symbols())
_BRACKETED = re.compile(r"[(\[（]([^()\[\]（）]{2,24})[)\]）]$")
_LONGEST, _MOST_WORDS = 24, 4


def is_called_unit(text: str) -> bool:
    """Whether a heading is a word for unit: "Unit", "Einheit"."""
    return len(text) <= _LONGEST and bool(_CALLED.fullmatch(text.strip(" .:")))


def is_row_of_units(row: RawRow) -> bool:
    """Whether a heading row contains only units: its label says so, or at least half of its entries are known units,
    and then the others are units too."""
    if row.label and not is_called_unit(row.label) and not is_units(row.label):
        return False
    texts = {cell.text.strip() for cell in row.figures}
    if not texts or not all(map(_may_be_unit, texts)):
        return False
    return is_called_unit(row.label) or 2 * sum(map(_is_known, texts)) >= len(texts)


def _may_be_unit(text: str) -> bool:
    if len(text) > _LONGEST or len(text.split()) > _MOST_WORDS or is_year(text):
        return False
    return is_units(text) or not (is_figure(text) or period_of(text))


def _is_known(text: str) -> bool:
    bare = text.strip("()[] ")
    return is_units(text) or any(pattern.fullmatch(bare) for pattern in (_SYMBOL, _COUNTED))


def common_units(columns: Sequence[Named], lines: Sequence[str]) -> Units | None:
    """The units of most columns, otherwise the units in the nearest line that has any."""
    brackets = [_first_units(named) for named in columns]
    scaled = Counter(units for units in brackets if units and units.scale)
    if scaled:
        units, count = scaled.most_common(1)[0]
        if 2 * count >= len(columns):
            return units
    for line in reversed(lines):
        units_ = units_in(line)
        if units_ and units_.scale:
            return units_
    every = {units for units in brackets if units}
    return every.pop() if len(every) == 1 and all(brackets) else None


def _first_units(named: Named) -> Units | None:
    found = (units_in(text) if is_units(text) else trailing_units(text) for text, _ in named)
    return next(filter(None, found), None)


def own_units(
    columns: Sequence[Named], common: Units | None, are_all: bool = False
) -> list[tuple[str | None, float | None]]:
    """For each column (unit as printed, its factor) if they differ from ``common``.

    Args:
        are_all: the lowest heading level contains units, including unknown ones.
    """
    of_columns = any(_first_units(named) == common for named in columns)
    found = [_own(named, common, are_all) for named in columns]
    # A scale in column headings applies to those columns only.
    whole = 1.0 if common and common.scale and of_columns else None
    return [(unit, scale or (whole if unit and unit != "%" else None)) for unit, scale in found]


def _own(named: Named, common: Units | None, are_all: bool) -> tuple[str | None, float | None]:
    for place, (text, _) in enumerate(reversed(named)):
        units = units_in(text) if is_units(text) or "(" in text else trailing_units(text)
        if units and units != common:
            return units.printed, units.scale
        if units:
            return None, None
        if "%" in text or "percent" in text.lower():
            return "%", None
        if are_all and place == 0 and len(named) > 1 and _may_be_unit(text):
            return text.strip("()[] "), None
        if symbol := _symbol_in(text):
            return symbol, None
    return None, None


def _symbol_in(text: str) -> str | None:
    """The unit in brackets at the end of a heading; a single letter may be a note or a scale."""
    found = _BRACKETED.search(without_note_marks(text).strip())
    return found[1].strip() if found and _SYMBOL.fullmatch(found[1].strip()) else None
