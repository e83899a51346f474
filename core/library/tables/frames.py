"""Exports tables to spreadsheet files: a table → the bytes of a CSV or XLSX file."""

from __future__ import annotations

import csv
import io
from typing import Any

from core.library.tables.cells import printed_decimals
from core.library.tables.inert_cells import inert, printable
from core.library.tables.records import Cell, Row, Table

_BOM = "\ufeff"
_WIDEST = 60
Value = str | float | None


def to_csv(table: Table) -> bytes:
    """UTF-8 with a byte order mark for Excel; a text that would run as a formula gets an apostrophe in front."""
    out = io.StringIO(newline="")
    writer = csv.writer(out)
    for line in _frame_lines(table):
        writer.writerow([inert(value) if isinstance(value, str) else _number_text(value) for value in line])
    return (_BOM + out.getvalue()).encode("utf-8")


def to_xlsx(table: Table) -> bytes:
    """A file with one sheet: title, units, headings of all levels, rows with numbers as numbers, notes; texts are never
    formulas."""
    from openpyxl import Workbook
    from openpyxl.styles import Alignment, Font

    book = Workbook()
    sheet: Any = book.active
    sheet.title = _sheet_name(table)
    above = bool(table.caption) + bool(_units(table))
    for number, line in enumerate(_frame_lines(table), start=1):
        for place, value in enumerate(line, start=1):
            if value is None or value == "":
                continue
            cell = sheet.cell(row=number, column=place)
            if isinstance(value, str):
                cell.value = printable(value)
                cell.data_type = "s"  # openpyxl treats a text that begins with "=" as a formula
            else:
                cell.value = value
            if number <= above + _heading_levels(table):
                cell.font = Font(bold=True)
    _formats(table, sheet, above + _heading_levels(table))
    for number, row in enumerate(table.rows, start=above + _heading_levels(table) + 1):
        sheet.cell(row=number, column=1).alignment = Alignment(indent=min(len(row.parents), 10))
    sheet.sheet_view.rightToLeft = _is_hebrew(table)
    sheet.column_dimensions["A"].width = min(_WIDEST, max((len(row.label) for row in table.rows), default=10) + 4)
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def _formats(table: Table, sheet: Any, start: int) -> None:
    for number, row in enumerate(table.rows, start=start + 1):
        for place, cell in enumerate(row.cells, start=2):
            if cell.kind == "share":
                sheet.cell(row=number, column=place).number_format = '0.##"%"'
            elif cell.value is not None and ("," in cell.text or abs(cell.value) >= 10_000):
                digits = printed_decimals(cell.text, cell.value)
                pattern = "#,##0" + ("." + "0" * min(digits, 4) if digits else "")
                sheet.cell(row=number, column=place).number_format = pattern


def _frame_lines(table: Table) -> list[list[Value]]:
    width = len(table.columns)
    lines: list[list[Value]] = [[text] for text in (table.caption, _units(table)) if text]
    depth = _heading_levels(table)
    for level in range(depth):
        heads: list[Value] = [_heading_at(column.header, level, depth) for column in table.columns]
        lines.append([(table.stub or "") if level == depth - 1 else "", *heads])
    for row in table.rows:
        lines.append([row.label, *(_cell_value(cell) for cell in _padded_cells(row, width))])
    return lines + [[note] for note in table.notes]


def _heading_levels(table: Table) -> int:
    """Number of heading levels; at least one line if the labels have a heading."""
    return max([len(column.header) for column in table.columns] + [1 if table.stub else 0], default=0)


def _heading_at(header: list[str], level: int, depth: int) -> str:
    """The heading at this level; headings are aligned to the bottom, above their column."""
    place = level - (depth - len(header))
    return header[place] if place >= 0 else ""


def _units(table: Table) -> str:
    return f"({table.units})" if table.units else ""


def _padded_cells(row: Row, width: int) -> list[Cell]:
    return [*row.cells[:width], *([Cell()] * (width - len(row.cells)))]


def _cell_value(cell: Cell) -> Value:
    if cell.value is not None and cell.kind in ("number", "share", "money"):
        return cell.value
    return cell.text or None


def _number_text(value: float | None) -> str:
    if value is None:
        return ""
    return str(int(value)) if value == int(value) and abs(value) < 1e15 else repr(value)


def _sheet_name(table: Table) -> str:
    name = "".join(letter for letter in (table.sheet or table.caption or "") if letter not in "[]:*?/\\'")
    return printable(name).strip()[:31] or "Table"


def _is_hebrew(table: Table) -> bool:
    texts = [table.caption or "", *(row.label for row in table.rows)]
    letters = [letter for letter in "".join(texts) if letter.isalpha()]
    return sum("\u0590" <= letter <= "\u05ff" for letter in letters) > 0.5 * len(letters)
