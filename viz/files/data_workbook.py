"""Exports a result as a workbook: the data, and the result with formulas that compute it from the data."""

from __future__ import annotations

import datetime
import io
import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from core.datasets.answers.headline import headings
from core.datasets.answers.values import cells, decimals_in
from core.datasets.query.model import Group
from core.datasets.query.result import QueryResult
from core.datasets.records import Column
from core.library.tables.inert_cells import printable
from core.messages import message
from core.records.data_answer import DataCell
from core.words import Language
from viz.files.data_formulas import DataRange, NotExpressibleError, measure_formula

if TYPE_CHECKING:
    import pandas
    from xlsxwriter.workbook import Workbook
    from xlsxwriter.worksheet import Worksheet

MIME = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
MOST_DATA = 100_000
"""Maximum number of rows on the sheet with the data; of a longer dataset, the result has no formulas."""
_DATA = "Data"
_NARROWEST, _WIDEST, _NOTE_COLUMNS = 14, 40, 6
"""Width of columns in letters; number of columns over which the notes go."""
_LINE = 16
"""Height of a line in points."""
_NAME = re.compile(r"\[([^\[\]]*)\]")
_FORMATS = {
    "percent": "0.00%",
    "date": "yyyy-mm-dd",
    "datetime": "yyyy-mm-dd hh:mm",
    "money": "#,##0.00",
    "number": "General",
}


def data_workbook(result: QueryResult, data: pandas.DataFrame, title: str, language: Language) -> bytes:
    """Returns the bytes of an XLSX file. ``data`` are all rows of the first dataset, by the headings of its columns;
    ``title`` says how the result was computed. No text is run as a formula. Blocks: call it in a thread."""
    import xlsxwriter

    buffer = io.BytesIO()
    options = {"in_memory": True, "strings_to_formulas": False, "strings_to_urls": False, "use_future_functions": True}
    with xlsxwriter.Workbook(buffer, options) as book:
        sheet = book.add_worksheet(message("datasets.workbook.result").to(language)[:31])
        ranges = _write_data(book, data, result.datasets[0].columns)
        missing = _write_result(book, sheet, result, ranges if len(data) <= MOST_DATA else {}, language)
        notes = [title, message("datasets.workbook.rows", used=result.rows_used, total=result.rows_total).to(language)]
        if missing:
            notes.append(message("datasets.workbook.values").to(language))
        _write_notes(book, sheet, notes, max(_NOTE_COLUMNS, len(result.columns)) - 1)
        for each in book.worksheets():
            each.set_landscape()
            each.fit_to_pages(1, 0)
            if language == "he":
                each.right_to_left()
    return buffer.getvalue()


def _write_notes(book: Workbook, sheet: Worksheet, notes: Sequence[str], last: int) -> None:
    """Writes each note in a row, over the columns to ``last``; a long one gets several lines."""
    looks = book.add_format({"text_wrap": True, "valign": "top"})
    for number, note in enumerate(notes):
        sheet.merge_range(number, 0, number, last, printable(note), looks)
        sheet.set_row(number, _LINE * (1 + len(note) // ((last + 1) * _NARROWEST)))


def _write_data(book: Workbook, data: pandas.DataFrame, columns: Sequence[Column]) -> dict[str, DataRange]:
    """Writes the sheet with the data; returns the range of each column, by its heading in lower case."""
    from xlsxwriter.utility import xl_range_abs

    sheet = book.add_worksheet(_DATA)
    sheet.freeze_panes(1, 0)
    sheet.autofilter(0, 0, max(1, min(len(data), MOST_DATA)), max(0, len(columns) - 1))
    bold = book.add_format({"bold": True})
    ranges = {}
    for place, column in enumerate(columns):
        sheet.write_string(0, place, printable(column.name), bold)
        side = {"align": "left"} if column.is_dated else {}
        looks = book.add_format({"num_format": _FORMATS.get(column.type, "General"), **side})
        values = data.iloc[:MOST_DATA, place].astype(object)
        for row, value in enumerate(values.where(values.notna(), None), start=1):
            _write(sheet, row, place, value, looks)
        last = max(1, min(len(data), MOST_DATA))
        ranges[column.name.casefold()] = DataRange(column, f"{_DATA}!{xl_range_abs(1, place, last, place)}")
    sheet.autofit()
    return ranges


def _write_result(
    book: Workbook, sheet: Worksheet, result: QueryResult, ranges: Mapping[str, DataRange], language: Language
) -> int:
    """Writes the result below its notes; returns how many cells of measures have no formula."""
    begin, missing = 5, 0
    bold = book.add_format({"bold": True, "bottom": 1, "text_wrap": True, "valign": "top"})
    rows = cells(result.frame, len(result.frame))
    looks = [book.add_format({"num_format": each}) for each in _formats(result, rows)]
    heads = headings(result, language)
    for place, (column, name) in enumerate(zip(result.columns, heads, strict=True)):
        said = f"{name} ({column.unit})" if column.unit and f"({column.unit})" not in name else name
        sheet.write_string(begin - 1, place, printable(said), bold)
        longest = max(len(text) for text in (said, *(row[place] for row in rows)) if isinstance(text, str))
        sheet.set_column(place, place, min(_WIDEST, max(_NARROWEST, longest + 2)))
    sheet.set_row(begin - 1, _LINE * (1 + max(map(len, heads)) // _WIDEST))
    for number, row in enumerate(rows):
        for place, (value, column) in enumerate(zip(row, result.columns, strict=True)):
            is_measured = column.role == "measure" and bool(ranges)
            formula = _formula(result, row, place, ranges) if is_measured else ""
            if is_measured and not formula:
                formula = _calculation(result, begin + number, place)
            if formula:
                sheet.write_formula(begin + number, place, formula, looks[place], "" if value is None else value)
            else:
                missing += column.role == "measure"
                shown = message("datasets.blank").to(language) if value is None and column.role == "group" else value
                _write(sheet, begin + number, place, shown, looks[place])
    return missing


def _formats(result: QueryResult, rows: Sequence[Sequence[DataCell]]) -> list[str]:
    """The number format of each column: the numbers of a measure have the same decimals."""
    made = []
    for place, column in enumerate(result.columns):
        decimals = decimals_in((row[place] for row in rows), column) if column.type == "number" else None
        shown = "General" if decimals is None else f"#,##0{'.' if decimals else ''}{'0' * decimals}"
        made.append(shown if column.type == "number" else _FORMATS.get(column.type, "General"))
    return made


def _formula(result: QueryResult, row: Sequence[DataCell], place: int, ranges: Mapping[str, DataRange]) -> str:
    """The formula of a cell; empty if there is none."""
    query = result.query
    if query.pivot:
        return ""
    names = [column.name for column in result.columns]
    first = next(number for number, column in enumerate(result.columns) if column.role == "measure")
    if place - first >= len(query.measures):
        return ""
    groups = list(zip(query.group, row, strict=False))
    units = [number for number, column in enumerate(result.columns) if column.role == "unit"]
    if units and (named := names[units[0]].removesuffix(" (unit)").casefold()) in ranges:
        key = ranges[named].column.unit_key
        of_unit = next((each.column.name for each in ranges.values() if each.column.key == key), None)
        if of_unit is None:
            return ""
        groups.append((Group(column=of_unit), row[units[0]]))
    try:
        return measure_formula(query, query.measures[place - first], groups, ranges)
    except (NotExpressibleError, ValueError):
        return ""


def _calculation(result: QueryResult, row: int, place: int) -> str:
    """The formula of a value that was calculated from measures of its row; empty if there is none."""
    from xlsxwriter.utility import xl_rowcol_to_cell

    query = result.query
    places = {each.name.casefold(): number for number, each in enumerate(result.columns) if each.role == "measure"}
    index = place - next(iter(places.values())) - len(query.measures)
    if query.pivot or not 0 <= index < len(query.calculations):
        return ""
    expression = query.calculations[index].expression
    if any(name.casefold() not in places for name in _NAME.findall(expression)):
        return ""
    written = _NAME.sub(lambda match: xl_rowcol_to_cell(row, places[match[1].casefold()]), expression)
    return f'=IFERROR({written},"")'


def _write(sheet: Worksheet, row: int, place: int, value: Any, looks: Any) -> None:
    if value is None:
        return
    value = getattr(value, "to_pydatetime", lambda: value)()
    if isinstance(value, bool) or type(value).__name__ in ("bool", "bool_"):
        sheet.write_boolean(row, place, bool(value), looks)
    elif isinstance(value, datetime.datetime | datetime.date):
        sheet.write_datetime(row, place, value, looks)
    elif isinstance(value, int | float) or hasattr(value, "dtype"):
        sheet.write_number(row, place, float(value), looks)
    else:
        sheet.write_string(row, place, printable(str(value)), looks)
