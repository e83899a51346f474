"""Charts on a sheet of an XLSX file: those that draw what no sheet shows are read as tables, of others the title."""

from __future__ import annotations

import re
from collections.abc import Collection

from core.library.extract.office.charts import chart_blocks, chart_tables
from core.library.extract.workbooks.workbook_parts import WorkbookParts
from core.library.extracted import Block

_MOST_CHARTS = 100
_KINDS = ("chart", "chartEx")
_FORMULA = re.compile(rb"<(?:\w{1,20}:)?f(?:\s[^>]{0,200})?>([^<]{1,2000})</")
_SHEET = re.compile(r"'((?:[^'\[\]]|''){1,120})'!|([^\s!',()\[\]=]{1,120})!")


def charts_on(book: WorkbookParts, place: str, sheet: str) -> list[Block]:
    """The charts of the sheet at ``place``; what a chart draws from a sheet that people see is read there."""
    seen = {part.name for part in book.sheets if not part.hidden}
    blocks: list[Block] = []
    charts = [
        chart for drawing in book.related(place, "drawing") for kind in _KINDS for chart in book.related(drawing, kind)
    ]
    for chart in charts[:_MOST_CHARTS]:
        xml = book.bytes_of(chart)
        read = chart_tables(xml)
        if _is_drawn_from(xml, seen):
            blocks += [Block(text=read.title, kind="paragraph", sheet=sheet)] if read.title else []
        else:
            blocks += chart_blocks(read, sheet=sheet)
    return blocks


def _is_drawn_from(xml: bytes, sheets: Collection[str]) -> bool:
    """Whether all that a chart refers to is on these sheets."""
    named: set[str] = set()
    for formula in _FORMULA.findall(xml):
        text = formula.decode("utf-8", "replace").replace("&apos;", "'").replace("&amp;", "&")
        found = {(quoted or bare).replace("''", "'") for quoted, bare in _SHEET.findall(text)}
        if not found:
            return False
        named |= found
    return bool(named) and named <= set(sheets)
