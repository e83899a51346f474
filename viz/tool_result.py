"""What a tool found, as a citation shows it: its table, or its words, and which tool it was."""

from __future__ import annotations

from markupsafe import Markup

from core.events import Passage, Source, SourceTable
from core.library.tables.records import Cell, Column, Row, Table
from core.messages import message
from core.words import Language
from viz.passage import highlight
from viz.table import table_html
from viz.templating import render


def tool_result(source: Source, chosen: Passage, quote: str, language: Language) -> Markup:
    """The whole table where it is one, else the passage with the quote marked in it."""
    table = source.table
    counted = ""
    if table is not None and table.total is not None:
        counted = message("view.tool_result.of", shown=len(table.rows), total=table.total).to(language)
    return render(
        "tool_result",
        source=source,
        text=highlight(chosen.text, quote),
        table=table_html(as_table(source, table), language) if table is not None else None,
        counted=counted,
        date=table.changed if table is not None else chosen.section,
        language=language,
    )


def as_table(source: Source, found: SourceTable) -> Table:
    """The rows as a document's table: the first column tells what a row is."""
    return Table(
        caption=source.title,
        stub=found.columns[0] if found.columns else None,
        columns=[Column(header=[each]) for each in found.columns[1:]],
        rows=[Row(label=_text(row[0]) if row else "", cells=[_cell(each) for each in row[1:]]) for row in found.rows],
    )


def _cell(value: str | int | float | bool | None) -> Cell:
    if isinstance(value, int | float) and not isinstance(value, bool):
        return Cell(text=_text(value), kind="number", value=float(value))
    return Cell(text=_text(value), kind="text" if value not in (None, "") else "empty")


def _text(value: str | int | float | bool | None) -> str:
    return "" if value is None else str(value)
