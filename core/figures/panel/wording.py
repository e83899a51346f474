"""Words the values and periods of a panel, and refers to their cells."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date

from core.figures.measures.wording import period_text
from core.figures.numbers import figure, natural
from core.figures.panel.records import PanelPoint
from core.figures.panel.spans import DAYS_OF_MONTH, days_of, end_of
from core.figures.stored.records import StoredFigure
from core.language.entities.dates import DAYS, DateReading, dates_in
from core.language.hebrew import is_hebrew
from core.messages import message
from core.records.answer import CellReference
from core.words import Language

DATED = DateReading(DAYS, needs_year=True)
_ASIDE = re.compile(r"\([^()]*\)")
_LONGEST_HEADING = 60

Row = tuple[str, int | None, int | None]
Numbers = Mapping[Row, int]
"""The citation number of each row."""
Items = Mapping[Row, str]
"""The passage that shows a row: (document, table, row) → item id."""


def signed_text(value: float) -> str:
    return f"+{natural(value, 1)}" if value > 0 else natural(value, 1)


def shown(point: PanelPoint, language: Language, *, signed: bool = False) -> str:
    """Formats a value as it is printed, with unit and scale."""
    if point.unit == "%":
        value = round(100 * point.value, max(1, point.decimals))
        return f"{signed_text(value)} %" if signed else figure(value, "%", decimals=max(1, point.decimals))
    return figure(
        point.value / point.scale, point.unit or None, point.scale, point.currency or None, point.decimals, language
    )


def period_of(point: PanelPoint, language: Language) -> str:
    """Returns the period as the table prints it, if it prints a date; otherwise by its key. A derived period is named
    by its last day."""
    if point.is_remainder:
        return _dated_period(point.end, point.days, language)
    return printed_period(point.cells[0], point.period, language)


def printed_period(cell: StoredFigure, key: str, language: Language) -> str:
    header = " ".join(_ASIDE.sub(" ", cell.header).split())
    if header and len(header) <= _LONGEST_HEADING and dates_in(header, DATED):
        return header if language == "en" or is_hebrew(header) else _dated_period(end_of(cell), days_of(cell), language)
    return period_text(key, language) if key else _dated_period(end_of(cell), days_of(cell), language)


def _dated_period(end: date, days: int, language: Language) -> str:
    """Returns a period by its last day and its length."""
    day = f"{end:%Y-%m-%d}" if language == "en" else f"{end.day}.{end.month}.{end.year}"
    months = round(days / DAYS_OF_MONTH)
    return message("answering.panel.until", count=months, day=day).to(language) if months else day


def row_of(cell: StoredFigure) -> Row:
    return cell.document_id, cell.table, cell.row


def reference(cell: StoredFigure, numbers: Numbers, items: Items) -> CellReference:
    return CellReference(
        number=numbers[row_of(cell)],
        document_id=cell.document_id,
        item_id=items.get(row_of(cell), ""),
        table=cell.table,
        row=cell.row,
        column=cell.column,
        label=cell.label,
        header=cell.header,
        text=cell.text,
        value=cell.value,
        unit=cell.unit or None,
        scale=cell.scale,
        currency=cell.currency or None,
        period=cell.period or None,
        page=cell.page,
    )
