"""Reads the cell styles of an XLSX file: each style's number format, and whether it is superscript or subscript."""

from __future__ import annotations

from dataclasses import dataclass

from openpyxl.styles.numbers import BUILTIN_FORMATS

from core.library.extract.workbooks.workbook_parts import Element, WorkbookParts, children

_EAST_ASIAN_DATES = frozenset((*range(27, 32), 36, *range(50, 55), 57, 58))
_EAST_ASIAN_TIMES = frozenset((32, 33, 34, 35, 55, 56))


@dataclass(frozen=True)
class CellStyle:
    """A cell style; ``alignment`` is ``superscript``, ``subscript`` or empty."""

    number_format: str = "General"
    alignment: str | None = None


PLAIN = CellStyle()


def cell_styles(book: WorkbookParts) -> list[CellStyle]:
    """The styles by number; empty if the part is missing or damaged."""
    places = book.related(book.main, "styles")
    tree = book.tree(places[0]) if places else None
    codes: dict[int, str] = {}
    alignments: list[str | None] = []
    for formats in children(tree, "numFmts"):
        for each in children(formats, "numFmt"):
            codes[_number(each.get("numFmtId"))] = each.get("formatCode", "General")
    for fonts in children(tree, "fonts"):
        alignments = [_alignment(font) for font in children(fonts, "font")]
    styles: list[CellStyle] = []
    for formats in children(tree, "cellXfs"):
        for each in children(formats, "xf"):
            font = _number(each.get("fontId"))
            alignment = alignments[font] if 0 <= font < len(alignments) else None
            styles.append(CellStyle(format_code(_number(each.get("numFmtId")), codes), alignment))
    return styles


def format_code(number: int, codes: dict[int, str]) -> str:
    """The code of a number format: the file's own, otherwise the built-in one."""
    if number in codes:
        return codes[number]
    if number in _EAST_ASIAN_DATES:
        return "yyyy-mm-dd"
    if number in _EAST_ASIAN_TIMES:
        return "h:mm"
    return BUILTIN_FORMATS.get(number, "General")


def _alignment(font: Element) -> str | None:
    return next((each.get("val") for each in children(font, "vertAlign")), None)


def _number(text: str | None) -> int:
    try:
        return int(text or 0)
    except ValueError:
        return 0
