"""Reads single-file XML workbooks of Excel 2002 and other programs, mostly with the extension of an old workbook."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from lxml import etree

from core.library.extract.text import normalise_line
from core.library.extract.workbooks.book import Book, Sheet
from core.library.extract.workbooks.cell_notes import MOST_NOTES, CellNote
from core.library.extract.workbooks.cell_styles import PLAIN, CellStyle
from core.library.extract.workbooks.date_formats import iso
from core.library.extract.workbooks.number_formats import general, shown_number, shown_text
from core.library.extract.workbooks.ods_styles import attribute
from core.library.extract.workbooks.rich_text import set_off
from core.library.extract.workbooks.sheet_rows import LAST_COLUMN, MOST_MERGED, SheetRow, covered
from core.library.extract.workbooks.workbook_parts import Element, children, is_on, local

_NAMED = {
    "General Number": "General", "General Date": "yyyy-mm-dd hh:mm", "Long Date": "yyyy-mm-dd",
    "Medium Date": "yyyy-mm-dd", "Short Date": "yyyy-mm-dd", "Long Time": "h:mm:ss",
    "Medium Time": "h:mm AM/PM", "Short Time": "h:mm",
    "Currency": '"$"#,##0.00', "Euro Currency": "[$€-2] #,##0.00", "Fixed": "0.00", "Standard": "#,##0.00",
    "Percent": "0.00%", "Scientific": "0.00E+00", "Yes/No": '"Yes";"Yes";"No"', "True/False": '"True";"True";"False"',
    "On/Off": '"On";"On";"Off"',
}  # fmt: skip
"""Formats that have a special name in this file format."""
_ALIGNMENTS = {"sup": "superscript", "sub": "subscript"}
_HIDDEN = frozenset(("SheetHidden", "SheetVeryHidden"))
_EPOCH = datetime(1899, 12, 30)
_DAY = 86_400
_DEEPEST = 20
_LAST_ROW = 1 << 20


def open_xml(data: bytes, with_hidden: bool) -> Book:
    """The sheets of a file to be read, up to the first damage.

    Raises:
        ValueError: it is no such workbook.
    """
    parser: Any = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, recover=True)
    tree = etree.fromstring(data, parser)
    styles: dict[str, CellStyle] = {}
    for group in children(tree, "Styles"):
        for style in children(group, "Style"):
            styles[attribute(style, "ID")] = _style(style, styles)
    sheets, hidden = [], []
    for element in children(tree, "Worksheet"):
        name = normalise_line(attribute(element, "Name"))
        options = [each for group in children(element, "WorksheetOptions") for each in children(group, "Visible")]
        if not with_hidden and any(each.text in _HIDDEN for each in options):
            hidden.append(name)
            continue
        source = _XmlRows(styles, with_hidden)
        for table in children(element, "Table"):
            source.take(table)
        sheets.append(
            Sheet(name, source, merged=source.covered, notes=source.notes[:MOST_NOTES], with_hidden=with_hidden)
        )
    if not sheets and not hidden:
        raise ValueError("no sheets")
    return Book(sheets, hidden)


def _style(style: Element, known: dict[str, CellStyle]) -> CellStyle:
    parent = known.get(attribute(style, "Parent"), known.get("Default", PLAIN))
    code, alignment = parent.number_format, parent.alignment
    for each in children(style, "NumberFormat"):
        written = attribute(each, "Format")
        code = _NAMED.get(written, written) or "General"
    for each in children(style, "Font"):
        alignment = _ALIGNMENTS.get(attribute(each, "VerticalAlign").lower()[:3], alignment)
    return CellStyle(code, alignment)


@dataclass
class _XmlRows:
    """The rows of a sheet, held in memory."""

    styles: dict[str, CellStyle]
    with_hidden: bool
    hidden_columns: list[tuple[int, int]] = field(default_factory=list)
    broken: bool = False
    held: list[SheetRow] = field(default_factory=list)
    merged: list[tuple[int, int, int, int]] = field(default_factory=list)
    notes: list[CellNote] = field(default_factory=list)

    def rows(self) -> Iterator[SheetRow]:
        for number, cells, hidden in self.held:
            yield SheetRow(number, list(cells), hidden)

    def covered(self) -> dict[tuple[int, int], tuple[int, int]]:
        """For each cell under a merged one, the cell that has its value."""
        return covered(self.merged[:MOST_MERGED])

    def take(self, table: Element) -> None:
        """Read the columns and rows of a table; an index attribute sets the position from which counting continues."""
        column = number = 0
        for each in children(table):
            name = local(each.tag)
            if name == "Column":
                first = _whole(each, "Index") or column + 1
                column = first + _whole(each, "Span")
                if is_on(attribute(each, "Hidden")):
                    self.hidden_columns.append((first, column))
            elif name == "Row":
                number = min(max(_whole(each, "Index"), number + 1), _LAST_ROW)
                cells = self._cells(each, number)
                self.held.append(SheetRow(number, cells, is_on(attribute(each, "Hidden"))))
                number += _whole(each, "Span")

    def _cells(self, row: Element, number: int) -> list[str]:
        cells: list[str] = []
        column = 0
        for cell in children(row, "Cell"):
            column = max(_whole(cell, "Index"), column + 1)
            if column > LAST_COLUMN:
                break
            across, down = _whole(cell, "MergeAcross"), _whole(cell, "MergeDown")
            if across or down:
                self.merged.append((number, column, number + down, column + across))
            style = self.styles.get(attribute(cell, "StyleID"), self.styles.get("Default", PLAIN))
            for data in children(cell, "Data"):
                cells += [""] * (column - 1 - len(cells)) + [self._text(data, style)]
            for note in children(cell, "Comment"):
                text = normalise_line(" ".join(map(_written, children(note, "Data"))))
                author = normalise_line(attribute(note, "Author"))
                self.notes.append(CellNote((number, column), author, text.removeprefix(f"{author}:").strip()))
            column += across
        return cells

    def _text(self, data: Element, style: CellStyle) -> str:
        kind, written = attribute(data, "Type"), normalise_line(_written(data))
        if kind == "Boolean":
            return "TRUE" if is_on(written) else "FALSE"
        number = _number(kind, written)
        if number is None:
            shown = normalise_line(shown_text(written, style.number_format)) or (written if self.with_hidden else "")
            return set_off(shown, style.alignment)
        if kind == "DateTime" and style.number_format == "General":
            return iso(datetime.fromisoformat(written[:19]))
        shown = shown_number(number, style.number_format)
        return normalise_line(shown or (general(number) if self.with_hidden else ""))


def _number(kind: str, written: str) -> int | float | None:
    """The value of a number, or the day number of a date."""
    try:
        if kind == "Number":
            return int(written) if written.lstrip("-").isdecimal() and len(written) < 16 else float(written)
        if kind == "DateTime":
            return (datetime.fromisoformat(written[:19]) - _EPOCH).total_seconds() / _DAY
    except ValueError:
        return None
    return None


def _written(element: Element, depth: int = 0) -> str:
    """The text of an element with its superscript and subscript runs separated."""
    parts = [element.text or ""]
    for child in element:
        if isinstance(child.tag, str) and depth < _DEEPEST:
            parts.append(set_off(_written(child, depth + 1), _ALIGNMENTS.get(local(child.tag).lower())))
        parts.append(child.tail or "")
    return "".join(parts)


def _whole(element: Element, name: str) -> int:
    text = attribute(element, name)
    return int(text) if text.isdecimal() and len(text) < 8 else 0
