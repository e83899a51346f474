"""Reads objects inside an OpenDocument file: the data of charts as tables, formulas as text."""

from __future__ import annotations

import re
from dataclasses import dataclass

from odfdo import Document, Element, XmlPart
from selectolax.lexbor import LexborHTMLParser

from core.library.extract.office.odf_tables import table_rows
from core.library.extract.text import normalise_line
from core.library.extract.web.mathml import math_text

_UNREADABLE = (LookupError, ValueError, AttributeError, TypeError, SyntaxError, OSError)
_PREFIX = re.compile(r"(</?)math:")


@dataclass(frozen=True)
class OdfObject:
    """An object. ``rows`` are those of a chart with one heading row, ``formula`` is a formula's text; otherwise both
    are empty."""

    title: str = ""
    rows: tuple[tuple[str, ...], ...] = ()
    formula: str = ""


def object_at(document: Document, href: str) -> OdfObject | None:
    """The object that a frame refers to; ``None`` if it is neither chart nor formula or cannot be read."""
    if document.container is None:
        return None
    try:
        root = XmlPart(f"{href.removeprefix('./').strip('/')}/content.xml", document.container).root
        if root.tag == "math:math":
            return _formula(root)
        chart = next(iter(root.get_elements("//chart:chart")), None)
        return _chart(chart) if chart is not None else None
    except _UNREADABLE:
        return None


def _formula(root: Element) -> OdfObject | None:
    found = LexborHTMLParser(_PREFIX.sub(r"\1", root.serialize())).css_first("math")
    return OdfObject(formula=normalise_line(math_text(found))) if found is not None else None


def _chart(chart: Element) -> OdfObject | None:
    """The table inside a chart; its numbers are unformatted."""
    title, table = "", None
    for child in chart.children:
        if child.tag == "chart:title":
            title = normalise_line(child.text_recursive)
        elif child.tag == "table:table":
            table = child
    if table is None:
        return OdfObject(title)
    rows, _ = table_rows(table, lambda cell: normalise_line(cell.text_recursive))
    return OdfObject(title, tuple(map(tuple, rows)))
