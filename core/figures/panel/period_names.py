"""Names the period of a cell as its document does: the quarter before the report's "third quarter" is the second."""

from __future__ import annotations

from datetime import date

from core.figures.panel.rows import ReportedRow
from core.figures.panel.spans import days_of, end_of, is_quarter, is_year
from core.figures.quarters import calendar_quarter, quarter_key, quarter_number
from core.figures.stored.records import StoredFigure
from core.language.entities.periods import covers

_DAYS_OF_QUARTER = 365.25 / 4
_DAYS_OF_YEAR = 365.25


def name_of(row: ReportedRow, cell: StoredFigure) -> str:
    """Returns the key under which the document names the period of ``cell``; the calendar's key if the document names
    none; ``""`` for twelve months that are no year of the document."""
    year = next((key for key in row.report.periods if key.isdigit()), None)
    before = (end_of(row.own) - end_of(cell)).days
    if is_year(cell) and year:
        return str(int(year) - round(before / _DAYS_OF_YEAR))
    if is_year(cell) and _own_quarter(row) and not is_year(row.own):
        return ""
    if _own_quarter(row) and (is_quarter(cell) or not days_of(cell)):
        return quarter_of(row, end_of(cell))
    return cell.period


def quarter_of(row: ReportedRow, end: date) -> str:
    """Returns the key under which the document names the quarter that ends on ``end``; the calendar's key if it names
    none."""
    number = quarter_number(_own_quarter(row) or "")
    if number is None:
        return calendar_quarter(end.isoformat())
    return quarter_key(number - round((end_of(row.own) - end).days / _DAYS_OF_QUARTER))


def _own_quarter(row: ReportedRow) -> str | None:
    """Returns the key of the quarter with which the report's own period ends."""
    named = next((key for key in row.report.periods if quarter_number(key) is not None), None)
    year = next((key for key in row.report.periods if key.isdigit()), None)
    return named or (f"{year}-Q4" if year and row.report.is_annual else None)


def is_asked(name: str, periods: tuple[str, ...]) -> bool:
    """Returns whether a period is one of those asked for, or within one of them; true if none is asked for."""
    return not periods or any(_covers(asked, name) for asked in periods)


def _covers(asked: str, name: str) -> bool:
    try:
        return covers(asked, name)
    except ValueError:
        return False
