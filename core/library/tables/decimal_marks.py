"""Decides what ``1.200`` means: by its column, then by the file's other tables and language, never by one cell.

``1.200; 3.500; 950`` are three whole numbers; ``0,15; 1.187,50`` show that the whole file uses a decimal comma.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from core.language.decimal_marks import writes_decimal_comma
from core.library.extracted import Block
from core.library.tables.cells import Marks, cell, digits_of
from core.library.tables.records import Cell, Row, Table

_AMBIGUOUS = re.compile(r"[1-9]\d{0,2}[.,]\d{3}")
_POINT = re.compile(
    r"\d{1,3}(?:,\d{2,3}){1,6}\.\d+|\d{1,3}(?:,\d{2,3}){1,6},\d{3}|\d*\.(?:\d{1,2}|\d{4,})|0?\.\d{3}|\d{4,}\.\d{3}"
)
_COMMA = re.compile(r"\d{1,3}(?:\.\d{3}){1,6},\d+|\d{1,3}(?:\.\d{3}){2,6}|\d+,(?:\d{1,2}|\d{4,})|0,\d{3}|\d{4,},\d{3}")
_BLANKS = re.compile("[\\s'’]")
_MOST_JUDGED = 5_000
"""Number of cells of a column that are examined."""
_CLEARLY = 3
"""A decimal mark is accepted only if it has this many times as much evidence as the other."""
_READ = 40_000
"""Number of characters from which a file's language is detected."""


def with_decimal_marks(blocks: Sequence[Block], semicolons: bool = False) -> list[Block]:
    """The blocks of one file, with all numbers in its tables read in a consistent way.

    Args:
        semicolons: cells are separated by semicolons, as in countries with a decimal comma.
    """
    tables = {id(block.table): block.table for block in blocks if block.table}
    undecided = {key for key, table in tables.items() if _has_ambiguous(table)}
    if not undecided:
        return list(blocks)
    shown = _of_file(list(tables.values()))
    otherwise = None if shown else _by_language(blocks, semicolons)
    typed = {id(block.table) for block in blocks if block.sheet is not None}
    settled = {
        key: _settled(tables[key], shown, None if key in typed else otherwise, key in typed) for key in undecided
    }
    return [
        block.model_copy(update={"table": settled[id(block.table)]}) if id(block.table) in settled else block
        for block in blocks
    ]


def column_marks(
    texts: Iterable[str], of_file: Marks | None, otherwise: Marks | None = None, typed: bool = False
) -> Marks | None:
    """A column's decimal marks; ``None`` if nothing shows them.

    Args:
        of_file: the marks in other columns.
        otherwise: the marks to expect from the language or the delimiter if no column shows any.
        typed: cells of a workbook, where numbers are written without thousands separators.
    """
    counts = _counted(texts)
    if decided := _clear(counts) or of_file:
        return decided
    # "950" next to "1.200" and no "1200": it separates thousands, because decimals would be written out in every cell.
    if (
        not typed
        and counts["either"]
        and counts["three"]
        and not (counts["long"] or counts["point"] or counts["comma"])
    ):
        return "groups"
    return otherwise


def _counted(texts: Iterable[str]) -> Counter[str]:
    counts: Counter[str] = Counter()
    for text in islice(texts, _MOST_JUDGED):
        digits = digits_of(text)
        plain = _BLANKS.sub("", digits)
        if not plain:
            continue
        if len(plain) < len(digits) and (plain.count(",") + plain.count(".")) == 1:
            counts["comma" if "," in plain else "point"] += 1  # Another mark separates the thousands.
        elif _AMBIGUOUS.fullmatch(plain):
            counts["either"] += 1
        elif _COMMA.fullmatch(plain):
            counts["comma"] += 1
        elif _POINT.fullmatch(plain):
            counts["point"] += 1
        elif plain.isdecimal() and len(plain) >= 3:
            counts["three" if len(plain) == 3 else "long"] += 1
    return counts


def _clear(counts: Counter[str]) -> Marks | None:
    if counts["comma"] > _CLEARLY * counts["point"]:
        return "comma"
    return "point" if counts["point"] > _CLEARLY * counts["comma"] else None


def _of_file(tables: Sequence[Table]) -> Marks | None:
    """The marks in most of a file's columns that show any."""
    votes = Counter(
        mark
        for table in tables
        for place in range(len(table.columns))
        if (mark := _clear(_counted(_texts(table, place))))
    )
    return _clear(Counter({str(mark): count for mark, count in votes.items()}))


def _by_language(blocks: Sequence[Block], semicolons: bool) -> Marks | None:
    if writes_decimal_comma("\n".join(islice(_said(blocks), 400))[:_READ]):
        return "comma"
    return "groups" if semicolons else None


def _said(blocks: Sequence[Block]) -> Iterator[str]:
    for block in blocks:
        if block.header:
            yield block.header[:_READ]
        yield block.text[:_READ]


def _settled(table: Table, of_file: Marks | None, otherwise: Marks | None, typed: bool) -> Table:
    """``table`` with each column read by its own decimal marks, or else by the file's."""
    places = range(len(table.columns))
    marks = [column_marks(_texts(table, place), of_file, otherwise, typed) for place in places]
    if not any(marks):
        return table
    return table.model_copy(update={"rows": [_row(row, marks) for row in table.rows]})


def _row(row: Row, marks: Sequence[Marks | None]) -> Row:
    if not any(mark and _is_ambiguous(each) for each, mark in zip(row.cells, marks, strict=False)):
        return row
    cells = [
        _retyped(each, mark) if mark and _is_ambiguous(each) else each
        for each, mark in zip(row.cells, [*marks, *([None] * len(row.cells))], strict=False)
    ]
    return row.model_copy(update={"cells": cells})


def _retyped(each: Cell, marks: Marks) -> Cell:
    return cell(each.text, True, each.box, marks)


def _has_ambiguous(table: Table) -> bool:
    return any(_is_ambiguous(each) for row in table.rows for each in row.cells)


def _is_ambiguous(each: Cell) -> bool:
    may_be = each.value is not None and _AMBIGUOUS.search(each.text)
    return bool(may_be and _AMBIGUOUS.fullmatch(_BLANKS.sub("", digits_of(each.text))))


def _texts(table: Table, place: int) -> Iterator[str]:
    return (
        row.cells[place].text for row in table.rows if place < len(row.cells) and row.cells[place].value is not None
    )
