"""Renders a document's table as HTML: headings of all levels, indented rows, aligned figures."""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup
from pydantic import BaseModel

from core.language.detection import detect
from core.library.tables.packing import rows_from
from core.library.tables.records import Cell, Column, Row, Table
from core.messages import message_group
from core.words import Language
from viz.templating import render

MOST_ROWS = 500
"""Maximum number of rows shown; the download contains all. In a longer table, the rows around the requested cell are
shown."""
ROWS_BEFORE = 50
"""Rows shown above the requested cell in a longer table."""
READ_ROWS = 20
"""Number of rows that are read to detect a table's direction (left to right or right to left)."""

WORDS = message_group("view.table")


class Head(BaseModel, frozen=True):
    """A heading over ``span`` columns; ``column`` is the one that a click sorts by."""

    text: str
    span: int = 1
    column: int | None = None


def table_html(
    table: Table, language: Language, address: str | None = None, asked: tuple[int, int] | None = None
) -> Markup:
    """The table as HTML, up to ``MOST_ROWS`` rows. Rendering is slow: call it in a thread.

    Args: address: its download address without the extension; ``None`` omits the buttons. asked: row and column of the
    cell to highlight, from 0.
    """
    first = max(0, asked[0] - ROWS_BEFORE) if asked and table.row_count > MOST_ROWS else 0
    rows = rows_from(table, first, MOST_ROWS)
    return render(
        "table",
        table=table,
        levels=head_levels(table.columns),
        rows=[(row, _cells(row, len(table.columns)), min(len(row.parents), 6)) for row in rows],
        first=first,
        shown=WORDS["shown"]
        .filled(first=f"{first + 1:,}", last=f"{first + len(rows):,}", total=f"{table.row_count:,}")
        .to(language)
        if len(rows) < table.row_count
        else "",
        direction=direction_of(table),
        words={key: words.to(language) for key, words in WORDS.items()},
        language=language,
        address=address,
        asked=asked,
    )


def direction_of(table: Table) -> str:
    """The direction in which the columns run, by the language of the headings and labels."""
    words = [each for column in table.columns for each in column.header]
    words += [
        text for row in rows_from(table, 0, READ_ROWS) for text in (row.label, *(cell.text for cell in row.cells))
    ]
    return "rtl" if detect(" ".join([table.stub or "", *words])) == "he" else "ltr"


def head_levels(columns: Sequence[Column]) -> list[list[Head]]:
    """Rows of headings from the top; adjacent equal headings under equal headings are merged."""
    depth = max((len(column.header) for column in columns), default=0)
    padded = [[""] * (depth - len(column.header)) + column.header for column in columns]
    levels: list[list[Head]] = []
    for level in range(depth):
        heads: list[Head] = []
        for number, header in enumerate(padded):
            is_last = level == depth - 1
            same = number > 0 and not is_last and header[: level + 1] == padded[number - 1][: level + 1]
            if same and header[level]:
                heads[-1] = heads[-1].model_copy(update={"span": heads[-1].span + 1})
            else:
                heads.append(Head(text=header[level], column=number if is_last else None))
        levels.append(heads)
    return levels


def _cells(row: Row, width: int) -> list[Cell]:
    return [*row.cells[:width], *([Cell()] * (width - len(row.cells)))]
