"""Reads the rows of an XLSX sheet one at a time: *the part of a sheet* → its rows with cells as displayed."""

from __future__ import annotations

import datetime
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from lxml import etree
from openpyxl.formula.translate import Translator, TranslatorError

from core.library.extract.text import normalise_line
from core.library.extract.workbooks.cell_styles import PLAIN, CellStyle
from core.library.extract.workbooks.date_formats import iso
from core.library.extract.workbooks.number_formats import general, shown_number, shown_text
from core.library.extract.workbooks.rich_text import rich_text, set_off
from core.library.extract.workbooks.sheet_rows import LAST_COLUMN, SheetRow
from core.library.extract.workbooks.workbook_parts import Element, WorkbookParts, is_on, local, unescaped

_LONGEST_RAISED = 3
"""Maximum number of digits of a fully superscript cell that is a footnote mark and not a number."""
_LONGEST_FORMULA = 8192


@dataclass
class SheetCells:
    """Reads one sheet.

    ``texts`` are the shared ones. ``formulas``: a formula that was saved without its result is shown as text.
    ``hidden_columns`` are (first, last) from 1, known once the first row is read; ``broken`` is set if the part ends in
    invalid XML. ``lost_texts`` counts cells whose shared text is missing.
    """

    book: WorkbookParts
    place: str
    texts: Sequence[str]
    styles: Sequence[CellStyle]
    formulas: bool = True
    hidden: bool = False
    hidden_columns: list[tuple[int, int]] = field(default_factory=list)
    broken: bool = False
    lost_texts: int = 0
    _shared: dict[str, tuple[str, str]] = field(default_factory=dict)
    _columns: dict[str, int] = field(default_factory=dict)

    def rows(self) -> Iterator[SheetRow]:
        """The rows in the file, in order, up to the first damage."""
        self.hidden_columns[:], self.broken, self.lost_texts = [], False, 0
        name = self.book.names.get(self.place.lower())
        if name is None:
            self.broken = True
            return
        number = 0
        try:
            with self.book.archive.open(name) as part:
                elements = etree.iterparse(
                    part, tag=("{*}row", "{*}col"), resolve_entities=False, no_network=True, load_dtd=False
                )
                for _, element in elements:
                    if element.tag[-3:] == "col":
                        self._add_column(element)
                        continue
                    number = max(_whole(element.get("r")), number + 1)
                    yield SheetRow(number, self._cells(element), self._is_hidden(element))
                    element.clear()
                    while element.getprevious() is not None:
                        del element.getparent()[0]
        except MemoryError:
            raise
        except Exception:  # invalid XML; or zlib.error and similar errors, which have no common base class
            self.broken = True

    def _add_column(self, column: Element) -> None:
        if is_on(column.get("hidden")) or _is_zero(column.get("width")):
            self.hidden_columns.append((_whole(column.get("min")), _whole(column.get("max"))))

    def _is_hidden(self, row: Element) -> bool:
        return is_on(row.get("hidden")) or _is_zero(row.get("ht"))

    def _cells(self, row: Element) -> list[str]:
        cells: list[str] = []
        column = 0
        for cell in row:
            if local(cell.tag) != "c":
                continue
            reference = cell.get("r")
            column = self._column(reference) if reference else column + 1
            if not 0 < column <= LAST_COLUMN:
                continue
            text = self._text(cell)
            if column > len(cells):
                cells += [""] * (column - len(cells) - 1)
                cells.append(text)
            elif text:
                cells[column - 1] = text
        return cells

    def _column(self, reference: str) -> int:
        letters = reference.rstrip("0123456789")
        column = self._columns.get(letters)
        if column is None:
            column = 0
            for letter in letters.upper()[:4]:
                column = column * 26 + ord(letter) - 64 if "A" <= letter <= "Z" else LAST_COLUMN + 1
            self._columns[letters] = column
        return column

    def _text(self, cell: Element) -> str:
        """A displayed value, otherwise the formula."""
        value = formula = inline = None
        for each in cell:
            name = each.tag.rpartition("}")[2] if isinstance(each.tag, str) else ""
            if name == "v":
                value = each.text or ""
            elif name == "f":
                formula = each
            elif name == "is":
                inline = each
        kind = cell.get("t", "n")
        if inline is not None and kind == "inlineStr":
            return self._words(rich_text(inline), self._style(cell.get("s")))
        if value:
            return self._value(value, kind, self._style(cell.get("s")))
        # A formula whose result is an empty text shows nothing.
        return self._formula(formula, cell.get("r")) if formula is not None and kind != "str" else ""

    def _value(self, value: str, kind: str, style: CellStyle) -> str:
        if kind == "n":
            return self._number(value, style)
        if kind == "s":
            place = _whole(value, -1)
            if 0 <= place < len(self.texts):
                return self._words(self.texts[place], style)
            self.lost_texts += 1
            return ""
        if kind == "b":
            return "TRUE" if is_on(value) else "FALSE"
        if kind == "d":
            return _iso_date(value)
        return self._words(normalise_line(unescaped(value)), style)

    def _style(self, number: str | None) -> CellStyle:
        if not number:
            return self.styles[0] if self.styles else PLAIN
        place = _whole(number)
        return self.styles[place] if 0 <= place < len(self.styles) else PLAIN

    def _number(self, value: str, style: CellStyle) -> str:
        try:
            number = float(value) if "." in value or "e" in value or "E" in value else int(value)
        except ValueError:
            return normalise_line(value)
        if style is PLAIN:
            return general(number)
        shown = shown_number(number, style.number_format, self.book.epoch_1904)
        if not shown and self.hidden:
            shown = general(number)
        if style.alignment and len(shown) <= _LONGEST_RAISED:
            return set_off(shown, style.alignment)
        return shown if shown.isascii() else normalise_line(shown)

    def _words(self, text: str, style: CellStyle) -> str:
        if style is PLAIN:
            return text
        shown = shown_text(text, style.number_format)
        if shown != text:
            shown = normalise_line(shown)
        if not shown and self.hidden:
            shown = text
        return set_off(shown, style.alignment) if style.alignment else shown

    def _formula(self, formula: Element, reference: str | None) -> str:
        """The formula as displayed in the cell; a shared formula is translated to the cell's position."""
        if not self.formulas:
            return ""
        text = formula.text or ""
        if formula.get("t") == "shared":
            shared = formula.get("si", "")
            if text:
                self._shared[shared] = (text, reference or "")
            elif shared in self._shared:
                text = _moved(*self._shared[shared], reference or "")
        return normalise_line(f"={text}") if text else ""


def _moved(text: str, origin: str, reference: str) -> str:
    if len(text) > _LONGEST_FORMULA:
        return text
    try:
        return str(Translator(f"={text}", origin=origin).translate_formula(reference)).removeprefix("=")
    except (TranslatorError, ValueError, LookupError, TypeError, AttributeError):
        return text


def _iso_date(value: str) -> str:
    try:
        return iso(datetime.datetime.fromisoformat(value.strip().removesuffix("Z")).replace(tzinfo=None))
    except ValueError:
        return normalise_line(value)


def _whole(text: str | None, other: int = 0) -> int:
    return int(text) if text and len(text) < 16 and text.isascii() and text.isdigit() else other


def _is_zero(size: str | None) -> bool:
    """Whether a height or width is zero, so that nothing is visible."""
    try:
        return size is not None and float(size) == 0
    except ValueError:
        return False
