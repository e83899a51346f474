"""Where a cell of a table stands in the text: *document, table, row's name and cell* → the line of a passage."""

from __future__ import annotations

from collections.abc import Iterator

from core.events import Passage, Quote, Source


def cell_quotes(source: Source, table: int, label: str, text: str) -> Iterator[Quote]:
    """The first line of the passages made of ``table`` that holds both; nothing where none does."""
    for passage in (each for each in source.passages if each.table == table):
        if line := _line_with_cell(passage, label, text):
            yield Quote(number=source.number, item_id=passage.item_id, text=line)
            return


def _line_with_cell(passage: Passage, label: str, text: str) -> str:
    return next((line.strip() for line in passage.text.splitlines() if label in line and text in line), "")
