"""Renders a tool's result as evidence: a source → its card, with rows as a table and, if suitable, a bar chart."""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup
from pydantic import BaseModel

from core.events import Passage, Source
from core.library.tables.records import Cell, Column, Row, Table
from core.records.source_table import SourceTable
from core.words import Language
from viz.passage import highlight
from viz.table import table_html
from viz.templating import render

MOST_BARS = 20
LEAST_BARS = 3
MEASURE = "number"
"""The column role that marks figures as comparable."""
_ROW_NUMBERS = ("_id", "id")
"""Names of columns that contain only row numbers."""


class Bar(BaseModel, frozen=True):
    """A bar; ``share``: of the longest bar, in percent."""

    label: str
    text: str
    share: float


class Bars(BaseModel, frozen=True):
    """The bars of a ``column``; ``of``: the total number of rows, if only the largest are shown."""

    column: str
    bars: list[Bar]
    of: int


def found_card(source: Source, chosen: Passage, quote: str, run_id: str, language: Language) -> Markup:
    """The card of a text or of rows that a tool found."""
    table = table_of(source)
    address = f"/answers/{run_id}/sources/{source.number}"
    return render(
        "found_source",
        source=source,
        language=language,
        text=None if table else highlight(chosen.text, quote),
        table=table_html(table, language, address) if table else None,
        bars=bars_of(table, source.table.roles if source.table else []) if table else None,
        date=chosen.section if source.table is None else "",
    )


def table_of(source: Source) -> Table | None:
    """The rows as a table; its first column names the rows."""
    found = source.table
    if found is None or not found.columns:
        return None
    return Table(
        caption=source.title,
        stub=found.columns[0],
        columns=[Column(header=[each]) for each in found.columns[1:]],
        rows=[_row(found, row) for row in found.rows],
    )


def bars_of(table: Table, roles: Sequence[str] = ()) -> Bars | None:
    """Bars of the first numeric column whose values differ; ``None`` if there is no such column.

    ``roles`` are the columns' roles, if the source gives them for all columns: years, codes and coordinates are
    numbers, but not measures.
    """
    if len(table.rows) < LEAST_BARS or len({row.label for row in table.rows}) < len(table.rows):
        return None
    for place, column in enumerate(table.columns):
        figures = [row.cells[place].value for row in table.rows]
        told = roles[place + 1] if place + 1 < len(roles) else MEASURE
        if column.header[-1].lower() in _ROW_NUMBERS or told != MEASURE or not _is_measure(figures):
            continue
        rows = sorted(table.rows, key=lambda row: -(row.cells[place].value or 0))[:MOST_BARS]
        most = max(value for value in figures if value is not None)
        return Bars(
            column=column.header[-1],
            of=len(table.rows),
            bars=[
                Bar(label=row.label, text=row.cells[place].text, share=100 * (row.cells[place].value or 0) / most)
                for row in rows
            ],
        )
    return None


def _is_measure(figures: Sequence[float | None]) -> bool:
    """Whether figures can be shown as bars: nearly all present, none negative, not all equal."""
    there = [each for each in figures if each is not None]
    return len(there) >= 0.8 * len(figures) and min(there) >= 0 and len(set(there)) > 1


def _row(found: SourceTable, values: Sequence[str | int | float | bool | None]) -> Row:
    padded = [*values, *[None] * (len(found.columns) - len(values))]
    return Row(label=_text(padded[0]), cells=[_cell(each) for each in padded[1 : len(found.columns)]])


def _cell(value: str | int | float | bool | None) -> Cell:
    if value is None or value == "":
        return Cell()
    if isinstance(value, str | bool):
        return Cell(text=_text(value), kind="text")
    return Cell(text=_text(value), kind="number", value=float(value))


def _text(value: str | int | float | bool | None) -> str:
    if value is None:
        return ""
    return f"{value:,}" if isinstance(value, float) and not value.is_integer() else str(value)
