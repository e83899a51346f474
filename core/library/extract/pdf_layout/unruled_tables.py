"""Finds tables without rules: lines of a page with aligned numbers → table blocks."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from statistics import median

from core.language.vocabulary import words_of
from core.library.extract.pdf_layout.column_alignment import Band, bands_of
from core.library.extract.pdf_layout.column_headings import ColumnHeadings, Place, heads_above
from core.library.extract.pdf_layout.glyphs import Piece
from core.library.extract.pdf_layout.layout import Row, rows_of
from core.library.extract.pdf_layout.line_cells import LineCell, cells_of_line
from core.library.extract.pdf_layout.line_grid import Layout, Line, grid_of_lines, layout_of, touches
from core.library.extract.pdf_layout.text_tables import end_of_table, text_table
from core.library.extracted import Block
from core.library.tables.build import build
from core.library.tables.rendering import table_block

_PAGE = words_of("library/extract.unruled_tables.page")
_GAP = 2.3
_FAR = 6.0
_MOST_WAITING = 9
_FEW_FIGURES = 4
_MOST_BETWEEN = 6
_LONGEST_TITLE = 110
_FOOTNOTE = re.compile(r"(\((\d{1,2}|[a-z])\)|\[\w\]|\*{1,3}|[†‡§]|[⁰¹²³⁴⁵⁶⁷⁸⁹ᵃᵇᶜᵈᵉᶠᵍʰ]{1,3})\s*[A-Z].{20}")


@dataclass
class FoundTable:
    """A table and its rows: ``first`` to ``end`` (exclusive)."""

    first: int
    end: int
    block: Block
    layout: Layout | None = None
    heads: ColumnHeadings | None = None


def tables_in(rows: Sequence[Row], page: int, right_to_left: bool, figures_only: bool = False) -> list[FoundTable]:
    """The tables among the rows of one column of a page, in order.

    Args:
        figures_only: ignore tables of words and doubtful ones, for a page whose columns are not separated yet.
    """
    lines = [Line(row, cells_of_line(row, right_to_left)) for row in rows]
    found: list[FoundTable] = []
    position = 0
    while position < len(lines):
        table = _figures_from(lines, position, found[-1] if found else None, page, figures_only)
        if table:
            found.append(table)
        position = table.end if table else position + 1
    return found if figures_only else _with_texts(rows, found, page, right_to_left)


def with_tables(pieces: Sequence[Piece], page: int, right_to_left: bool) -> list[Piece]:
    """The pieces of a page, with each table of numbers as one piece, because its columns are not read one after
    another."""
    free = [piece for piece in pieces if not piece.block]
    if sum(any(map(str.isdigit, piece.text)) for piece in free) < _FEW_FIGURES:
        return list(pieces)
    rows = rows_of(pieces, right_to_left)
    result: list[Piece] = []
    position = 0
    for table in tables_in(rows, page, right_to_left, figures_only=True):
        result += [piece for row in rows[position : table.first] for piece in row.pieces]
        result.append(_as_piece(rows[table.first : table.end], table.block))
        position = table.end
    return result + [piece for row in rows[position:] for piece in row.pieces]


def _as_piece(rows: Sequence[Row], block: Block) -> Piece:
    left, right = min(row.x0 for row in rows), max(row.x1 for row in rows)
    bottom, top = min(row.bottom for row in rows), max(row.top for row in rows)
    return Piece(block.text, left, right, bottom, top, rows[0].size, False, block)


def _with_texts(rows: Sequence[Row], found: list[FoundTable], page: int, right_to_left: bool) -> list[FoundTable]:
    """Add the tables of words found between the tables of numbers."""
    taken = {row for table in found for row in range(table.first, table.end)}
    position = 0
    while position < len(rows):
        end = position
        if position not in taken and not rows[position].pieces[0].block:
            end = end_of_table(rows, position)
            end = next((row for row in range(position, end) if row in taken or rows[row].pieces[0].block), end)
        block = text_table(rows[position:end], page, right_to_left) if end > position else None
        if block:
            found.append(FoundTable(position, end, block))
        position = end if block else position + 1
    return sorted(found, key=lambda table: table.first)


def _figures_from(
    lines: Sequence[Line], start: int, last: FoundTable | None, page: int, strict: bool
) -> FoundTable | None:
    free = last.end if last else 0
    if not lines[start].is_data or lines[start].row.pieces[0].block:
        return None
    end = _end_of_figures(lines, start)
    body = lines[start:end]
    data = [line for line in body if line.is_data]
    layout = layout_of(data)
    if layout is None or not _is_table(data, layout, strict):
        return None
    heads = heads_above(
        [line.row for line in lines], [line.cells for line in lines], start, free, Place(layout.bands, layout.labels)
    )
    if not heads.rows and last and _is_under(layout, last, lines[last.end : heads.first]):
        layout, heads = _continued_layout(layout, last, heads)
    if len(data) < 2 and not heads.rows:
        return None
    if _is_contents(data, layout, heads):
        return FoundTable(start, end, _contents(body, page))
    if strict and not _is_plain(body, layout):
        return None
    grid = grid_of_lines(lines, heads, (start, end), layout, page)
    table = build(grid, wrapped=True)
    return FoundTable(heads.first, end, table_block(table), layout, heads) if table else None


def _is_under(layout: Layout, last: FoundTable, between: Sequence[Line]) -> bool:
    """Whether numbers without headings are under the columns of the previous table, with only titles in between."""
    if not last.layout or not last.heads or not last.heads.rows or len(between) > _MOST_BETWEEN:
        return False
    if any(len(line.row.text) > _LONGEST_TITLE for line in between):
        return False
    over = [[at for at, upper in enumerate(last.layout.bands) if _overlap(upper, band)] for band in layout.bands]
    return all(len(columns) == 1 for columns in over) and len({columns[0] for columns in over}) == len(over)


def _continued_layout(layout: Layout, last: FoundTable, heads: ColumnHeadings) -> tuple[Layout, ColumnHeadings]:
    """The columns and headings of the table above, applied to the numbers below."""
    assert last.layout
    assert last.heads
    bands = replace(layout, bands=last.layout.bands, figures=last.layout.figures)
    return bands, replace(heads, rows=last.heads.rows, above=heads.above or last.heads.above)


def _overlap(one: Band, other: Band) -> bool:
    return min(one.right, other.right) > max(one.left, other.left)


def _end_of_figures(lines: Sequence[Line], start: int) -> int:
    """The line after the last one that belongs to the numbers beginning at ``start``."""
    last, at = start, start + 1
    seen = [cell for cell in lines[start].cells if cell.is_value]
    left = lines[start].cells[0].x0
    apart = False
    while at < len(lines) and at - last <= _MOST_WAITING and not lines[at].row.pieces[0].block:
        line = lines[at]
        edge = min(cell.x0 for cell in seen)
        free = lines[at - 1].row.bottom - line.row.top
        apart = apart or free > _GAP * line.row.size
        if free > _FAR * line.row.size:
            break
        if line.is_data:
            if _is_prose(line) or ((apart or at - last > 5) and not _continues_columns(line, seen)):
                break
            seen += [cell for cell in line.cells if cell.is_value]
            left, last, apart = min(left, line.cells[0].x0), at, False
        elif (
            (len(line.cells) == 1 and _FOOTNOTE.match(line.row.text))
            or (line.is_heading and _names_columns(line, edge))
            or (len(line.cells) == 1 and _stands_apart(line, edge, left))
        ):
            break
        at += 1
    return last + 1


def _continues_columns(line: Line, seen: Sequence[LineCell]) -> bool:
    """Whether the numbers are aligned with the previous ones, so that the gap separates sections and not tables."""
    bands = bands_of(seen)
    values = [cell for cell in line.cells if cell.is_value]
    return len(values) == len(bands) and all(touches(cell, [band]) for cell, band in zip(values, bands, strict=True))


def _names_columns(line: Line, edge: float) -> bool:
    """Whether the line has headings over the number columns, which begin another table."""
    over = [cell for cell in line.cells if cell.x1 > edge and cell.is_heading]
    return len(over) >= 2 or (len(over) == 1 and len(line.cells) == 1)


def _stands_apart(line: Line, edge: float, left: float) -> bool:
    """Whether a line is no row label: a text that extends far over the numbers, or is centred over the table."""
    cell = line.cells[0]
    if cell.is_value:
        return False
    size = line.row.size
    return cell.x1 > edge + 12 * size or (cell.x1 > edge and cell.x0 > left + 6 * size)


def _is_prose(line: Line) -> bool:
    words = sum(len(cell.text.split()) for cell in line.cells if not cell.is_value)
    return words > 9 * (1 + line.values) and line.row.filled > 0.85 * (line.row.x1 - line.row.x0)


def _is_table(data: Sequence[Line], layout: Layout, strict: bool) -> bool:
    figures = sum(layout.figures)
    several = sum(line.values > 1 for line in data)
    if _is_justified_prose(data):
        return False
    if figures == 1 or not several:
        return len(data) >= 3 and layout.stub and _ends_align(data)
    if len(data) == 1:
        return data[0].values >= 2 and layout.stub
    return several >= 0.4 * len(data) or (several >= 2 and _ends_align(data))


def _ends_align(data: Sequence[Line]) -> bool:
    ends = [cell.right for line in data for cell in line.cells[-1:] if cell.is_value]
    if len(ends) < 3:
        return False
    middle = median(ends)
    size = data[0].row.size
    return sum(abs(end - middle) < 1.5 * size for end in ends) >= 0.7 * len(data)


def _is_justified_prose(data: Sequence[Line]) -> bool:
    words = sum(len(line.row.text.split()) for line in data)
    filled = sum(line.row.filled for line in data) / max(sum(line.row.x1 - line.row.x0 for line in data), 1.0)
    values = sum(line.values for line in data)
    return filled > 0.88 and words > 8 * len(data) and values < 0.3 * words


def _is_plain(lines: Sequence[Line], layout: Layout) -> bool:
    """Whether the table contains only labels, numbers and short texts, so that there is no second text column next to
    it."""
    for line in lines:
        beside = line.cells[1:] if not line.cells[0].is_value else line.cells
        if any(len(cell.text.split()) > 7 for cell in beside):
            return False
    return layout.stub


def _is_contents(data: Sequence[Line], layout: Layout, heads: ColumnHeadings) -> bool:
    """Whether the table is a table of contents: one column of small whole numbers that never decrease."""
    if sum(layout.figures) != 1 or len(data) < 4:
        return False
    numbers = [line.cells[-1].text for line in data]
    if not all(number.isdigit() and len(number) < 4 for number in numbers):
        return False
    pages = list(map(int, numbers))
    falls = sum(after < before for before, after in pairwise(pages))
    named = " ".join(cell.text for _, cells in heads.rows for cell in cells).lower()
    return falls <= 0.05 * len(pages) and (any(word in named for word in _PAGE) or not heads.rows or len(pages) > 12)


def _contents(body: Sequence[Line], page: int) -> Block:
    return Block(text="\n".join(" ".join(cell.text for cell in line.cells) for line in body), kind="list", page=page)
