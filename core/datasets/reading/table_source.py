"""Stages the tables of other files, such as records in JSON and tables of web pages and documents."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from core.datasets.reading.staging import NumberedRow, RawSheet, stage_rows
from core.library.extract import extract
from core.library.extracted import Block
from core.library.tables.packing import unpack
from core.library.tables.records import Table
from core.settings import Settings

if TYPE_CHECKING:
    import duckdb

MOST_TABLES = 200
_LEAST_ROWS = 3
_LEAST_COLUMNS = 2
_LONGEST_TITLE = 200


def tables_of(path: Path, filename: str, settings: Settings) -> list[Table]:
    """Returns the tables of a file that have headings, each with its caption or the line above it."""
    blocks = extract(path, filename, settings, lambda *_: None).blocks
    return [
        block.table.model_copy(update={"caption": block.table.caption or _line_above(blocks[:number])})
        for number, block in enumerate(blocks)
        if block.table and _has_headings(block.table)
    ]


def stage_tables(database: duckdb.DuckDBPyConnection, tables: Sequence[Table], folder: Path) -> Iterator[RawSheet]:
    """Stages the first of these tables."""
    for number, table in enumerate(map(unpack, tables[:MOST_TABLES])):
        levels = max(len(column.header) for column in table.columns)
        staged = stage_rows(database, _rows(table, levels), folder, number)
        yield replace(
            staged,
            name=table.sheet or "",
            heads=levels,
            titles=(table.caption,) if table.caption else (),
            notes=tuple(table.notes),
            page=table.page,
            number=number,
            of_sections=table.of_sections,
        )


def are_things(table: Table) -> bool:
    """Whether the rows of a document's table are things: several of them, in several columns that name no periods."""
    periods = sum(column.period is not None for column in table.columns)
    return (
        _has_headings(table)
        and table.row_count >= _LEAST_ROWS
        and len(table.columns) >= _LEAST_COLUMNS
        and 2 * periods < len(table.columns)
    )


def _has_headings(table: Table) -> bool:
    named = sum(bool(column.header) for column in table.columns)
    return named > 0 and 2 * named >= len(table.columns)


def _line_above(blocks: Sequence[Block]) -> str:
    last = blocks[-1] if blocks else None
    return last.text if last and last.table is None and len(last.text) <= _LONGEST_TITLE else ""


def _rows(table: Table, levels: int) -> Iterator[NumberedRow]:
    """The heading rows, then the rows; those of labels above others become a column of their own."""
    has_label = any(row.label for row in table.rows)
    depth = max((len(row.parents) for row in table.rows), default=0) if has_label else 0
    for level in range(levels):
        heads = [_level(column.header, level, levels) for column in table.columns]
        stub = (table.stub or "") if level == levels - 1 else ""
        yield level + 1, [*[""] * depth, *([stub] if has_label else []), *heads]
    for number, row in enumerate(table.rows, start=levels + 1):
        parents = [*row.parents, *[""] * (depth - len(row.parents))]
        yield number, [*parents, *([row.label] if has_label else []), *(cell.text for cell in row.cells)]


def _level(header: Sequence[str], level: int, levels: int) -> str:
    """The text of a heading at a level; shorter headings are at the bottom."""
    place = level - (levels - len(header))
    return header[place] if place >= 0 else ""
