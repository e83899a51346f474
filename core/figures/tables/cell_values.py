"""Reads one cell as a figure for calculations: takes its position; returns value, unit, scale, currency and period."""

from __future__ import annotations

import re
from dataclasses import dataclass

from core.figures.tables.currencies import currency_beside
from core.figures.tables.grid import Place, TableGrid
from core.figures.tables.units_of_measure import currency_of_head, measure_in, own_unit
from core.language.entities.calendar_words import is_year
from core.language.note_marks import without_note_marks
from core.language.vocabulary import pattern_of
from core.library.tables.cells import printed_decimals
from core.library.tables.records import Cell
from core.library.tables.units import currency_in, scale_in
from core.records.answer import CellReference

_PER_SHARE = pattern_of("answering/tables.cell_values.per_share")
_SHARES = pattern_of("answering/tables.cell_values.shares")
_COUNTS = pattern_of("answering/tables.cell_values.counts")
_WHOLE_HEADS = pattern_of("answering/tables.cell_values.whole_heads")
_PERCENT = pattern_of("answering/tables.cell_values.percent")
"""Matches a percentage in a label. It is not the row's figure: for "Commercial paper (0.5%)" the amount in the row is
used."""
_RATE = re.compile(r"\b(?:rate|yield|margin|volatility)s?\b", re.IGNORECASE)
_OF_SHARES = re.compile(r"\bshares?(?: (?:amounts?|data))? (?:are )?in (?:thousands|millions)", re.IGNORECASE)
_EXCEPT = pattern_of("answering/tables.cell_values.except")
_MOST_PERCENT = 100.0
_OF_TIME = pattern_of("answering/tables.cell_values.of_time")
_DAYS = re.compile(
    r"\(\s*(?:in |number of )?(days|years|months)\s*\)|^(?:in |number of )?(days|years|months)$", re.IGNORECASE
)


@dataclass(frozen=True)
class Reading:
    """A cell's figure; ``value`` as printed, to be multiplied by ``scale``; ``decimals`` are those printed."""

    place: Place
    value: float
    text: str
    label: str
    period: str | None
    unit: str | None
    scale: float
    currency: str | None
    decimals: int


def read(sheet: TableGrid, place: Place) -> Reading | None:
    """Returns ``None`` if the cell contains no figure."""
    row, column = place
    cell = sheet.cell(row, column)
    if cell.value is None:
        return None
    unit = "year" if _is_year(cell.text, sheet.column(row, column).label) else _unit(sheet, place, cell)
    scale = 1.0 if unit in ("%", "year", "days", "years", "months") else _cell_scale(sheet, place)
    return Reading(
        place, cell.value, cell.text, name_of(sheet, row), sheet.period(row, column), unit, scale,
        None if unit else _currency(sheet, place, cell), printed_decimals(cell.text, cell.value),
    )  # fmt: skip


def reference(sheet: TableGrid, place: Place) -> CellReference:
    """Returns the cell's citation."""
    row, column = place
    evidence, cell = sheet.evidence, sheet.cell(row, column)
    found = read(sheet, place)
    return CellReference(
        number=evidence.origin.number,
        document_id=evidence.origin.document_id,
        item_id=evidence.item_id,
        table=evidence.index,
        row=row,
        column=column,
        label=name_of(sheet, row),
        header=sheet.column(row, column).label,
        text=cell.text,
        value=cell.value,
        unit=found.unit if found else None,
        scale=found.scale if found else 1.0,
        currency=found.currency if found else cell.currency,
        period=sheet.period(row, column),
        page=evidence.table.rows[row].page or evidence.table.page,
    )


def name_of(sheet: TableGrid, row: int) -> str:
    """Returns a row's label, or the heading above it if it has none."""
    line = sheet.rows[row]
    return line.label or (line.parents[-1] if line.parents else "")


def _unit(sheet: TableGrid, place: Place, cell: Cell) -> str | None:
    row, column = place
    table, head = sheet.evidence.table, sheet.column(row, column).label
    if cell.kind == "share":
        return "%"
    if cell.kind == "money":
        return None
    label = table.rows[row].label
    own = table.columns[column].unit or ""
    if own == "%" or _PERCENT.search(label) or _PERCENT.search(head):
        return "%"
    neighbours = [each for each in table.rows[row].cells if each.value is not None]
    if "share" in (kinds := {each.kind for each in neighbours}) and kinds <= {"share", "number"}:
        return "%" if abs(cell.value or 0.0) <= _MOST_PERCENT and _RATE.search(label) else None
    if _PERCENT.fullmatch((table.units or "").strip("() ")):
        return "%"
    for text in (own, label, head):
        if days := _DAYS.search(text):
            return (days[1] or days[2]).lower()
    if cell.currency:
        return None
    return own_unit(cell.text) or measure_in(label) or measure_in(head) or _named_alone(table.columns[column].header)


def _named_alone(header: list[str]) -> str | None:
    """Returns the unit if it is a line of its own in a heading: in "Freight" above "2023" above "kt", it is kt."""
    return next((unit for part in header[:0:-1] if (unit := measure_in(f"({part})"))), None)


def _cell_scale(sheet: TableGrid, place: Place) -> float:
    row, column = place
    table = sheet.evidence.table
    label = " ".join((*sheet.rows[row].parents[-1:], table.rows[row].label))
    head = sheet.column(row, column).label
    own = scale_in(table.rows[row].unit or "") or table.columns[column].scale
    if own:
        return own
    units = table.units or ""
    shares = _OF_SHARES.search(units)
    if shares and _SHARES.search(label) and not _PER_SHARE.search(label):
        return scale_in(shares.group()) or table.scale
    spared = (_EXCEPT.search(units) or [""])[0]
    if _PER_SHARE.search(table.rows[row].label) or _PER_SHARE.search(head):
        return 1.0
    if _COUNTS.search(without_note_marks(table.rows[row].label)) and "number" not in units.lower():
        return 1.0
    if _WHOLE_HEADS.search(head) and "number" not in units.lower():
        return 1.0
    if re.search(r"\bshares?\b(?!\s+(?:data|amounts?))", re.sub(r"per[- ]share", "", spared)) and _SHARES.search(label):
        return 1.0
    return table.scale


def _is_year(text: str, head: str) -> bool:
    """Returns whether the cell's figure is itself a year: "2027" under "Last year of expiration"."""
    return is_year(text.strip()) and bool(_OF_TIME.search(head))


def _currency(sheet: TableGrid, place: Place, cell: Cell) -> str | None:
    row, column = place
    if cell.currency:
        return cell.currency
    table = sheet.evidence.table
    label = without_note_marks(table.rows[row].label)
    if _COUNTS.search(label) or (_SHARES.search(label) and not _PER_SHARE.search(label)):
        return None
    stated = currency_in(table.rows[row].unit or "") or currency_of_head(label) or currency_beside(table, row, column)
    return stated or sheet.currencies[column]
