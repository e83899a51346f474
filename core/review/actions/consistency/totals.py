"""Finds totals in tables that are not the sum of their rows: *tables* → findings that cite the total's row.

A total may add up the rows since the total before it, all rows, or the totals before it. Columns of percentages are
left out, and values between the smallest and the largest row, which may be averages. A total that is only called one,
such as "Total assets", counts if another of its columns adds up.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from core.events import Source
from core.figures.numbers import natural
from core.figures.records import TableEvidence
from core.language.total_labels import is_bare_total, is_called_total
from core.library.tables.cells import printed_decimals
from core.library.tables.records import Cell, Row, Table
from core.messages import message
from core.review.actions.consistency.records import Checked, ConsistencyFinding, Place
from core.review.actions.pages import page_of
from core.review.actions.records import cell_quotes

_LEAST_PARTS = 2
_MOST_ROWS = 400
_FIGURES = ("number", "money")


def wrong_totals(source: Source, tables: Sequence[TableEvidence], checked: Checked) -> list[ConsistencyFinding]:
    """Returns the totals of the document's tables that do not add up."""
    return [finding for each in tables for finding in _wrong_in(source, each, checked)]


def _wrong_in(source: Source, evidence: TableEvidence, checked: Checked) -> Iterator[ConsistencyFinding]:
    table = evidence.table
    if table.of_sections or not _LEAST_PARTS < len(table.rows) <= _MOST_ROWS:
        return
    totals = [place for place, row in enumerate(table.rows) if is_called_total(row.label)]
    for place in totals:
        row = table.rows[place]
        groups = _parts_of(table, place, totals)
        columns = [column for column, cell in enumerate(row.cells) if _is_figure(cell)]
        sums = {column: _sums(groups, column) for column in columns}
        right = [column for column in columns if _adds_up(row.cells[column], sums[column], table)]
        checked.totals += len(right)
        for column in columns:
            wrong = column not in right and sums[column] and not _may_be_average(row.cells[column], groups[0], column)
            if not wrong or not (right or is_bare_total(row.label)):
                continue
            checked.totals += 1
            if finding := _finding(source, evidence, row, column, sums[column][0]):
                yield finding


def _parts_of(table: Table, place: int, totals: Sequence[int]) -> list[list[Row]]:
    """Returns the rows that the total may add up: those since the total before it, all, or the totals before it."""
    before = [each for each in totals if each < place]
    since = table.rows[before[-1] + 1 if before else 0 : place]
    every = [row for number, row in enumerate(table.rows[:place]) if number not in before]
    sums = [table.rows[number] for number in before]
    return [each for each in (list(since), every, sums, [*sums, *since]) if each]


def _sums(groups: Sequence[Sequence[Row]], column: int) -> list[float]:
    found = []
    for rows in groups:
        cells = [row.cells[column] for row in rows if column < len(row.cells)]
        values = [cell.value for cell in cells if cell.value is not None and _is_figure(cell)]
        if len(values) >= _LEAST_PARTS:
            found.append(sum(values))
    return found


def _adds_up(total: Cell, sums: Sequence[float], table: Table) -> bool:
    value = total.value or 0.0
    decimals = printed_decimals(total.text, value)
    step = 10.0**-decimals
    allowed = step * len(table.rows) / 2 if decimals or table.scale != 1 else 0.0
    return any(abs(each - value) <= allowed + 1e-9 * abs(value) for each in sums)


def _may_be_average(total: Cell, rows: Sequence[Row], column: int) -> bool:
    values = [row.cells[column].value for row in rows if column < len(row.cells)]
    known = [each for each in values if each is not None]
    return not known or min(known) <= (total.value or 0.0) <= max(known)


def _is_figure(cell: Cell) -> bool:
    return cell.value is not None and cell.kind in _FIGURES


def _finding(source: Source, evidence: TableEvidence, row: Row, column: int, added: float) -> ConsistencyFinding | None:
    cell = row.cells[column]
    quote = next(cell_quotes(source, evidence.index, row.label, cell.text), None)
    if quote is None:
        return None
    head = " ".join(evidence.table.columns[column].header) if column < len(evidence.table.columns) else ""
    reason = message("graph.self_audit.total", column=head or row.label, printed=cell.text, added=natural(added))
    place = Place(source.number, quote.item_id, quote.text, page_of([source], quote.item_id))
    return ConsistencyFinding("total", place, reason)
