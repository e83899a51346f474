"""Finds contradictions between tables of two documents: cells with the same label and heading but other figures.

Two tables match if most labels of the smaller one are in both. A column for a period is only compared with one for the
same period.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from core.figures.records import TableEvidence
from core.language.entities.quantities import comparable, quantities, says_same
from core.language.normalisation import fold
from core.library.tables.records import Cell, Table

_SHARED = 0.5
"""Minimum share of the smaller table's labels that must be in both tables for them to match."""
_LEAST = 2


@dataclass(frozen=True)
class RowBeside:
    """A pair of cells with the same label; ``name`` is the label, with the column's heading if there are several
    columns; ``cells`` are the two cells, ``rows`` the rows that contain them."""

    name: str
    evidence: tuple[TableEvidence, TableEvidence]
    cells: tuple[Cell, Cell]
    labels: tuple[str, str]


def rows_beside(ones: Sequence[TableEvidence], others: Sequence[TableEvidence]) -> list[RowBeside]:
    """Returns the differing cells in the order of the first document; pairs each table with the most similar one."""
    pairs = [
        (_label_overlap(one.table, other.table), a, b) for a, one in enumerate(ones) for b, other in enumerate(others)
    ]
    found: dict[int, list[RowBeside]] = {}
    used: set[int] = set()
    for likeness, a, b in sorted(pairs, key=lambda each: (-each[0], each[1], each[2])):
        if likeness >= _SHARED and a not in found and b not in used:
            used.add(b)
            found[a] = list(_differing_rows(ones[a], others[b]))
    return [row for a in sorted(found) for row in found[a]]


def _label_overlap(one: Table, other: Table) -> float:
    ours, theirs = _labels(one).keys(), _labels(other).keys()
    shared = len(ours & theirs)
    return shared / min(len(ours), len(theirs)) if shared >= _LEAST else 0.0


def _labels(table: Table) -> Mapping[str, int]:
    """Returns the row for each label that occurs only once in its table."""
    labels = [fold(" ".join((*row.parents, row.label))).strip() for row in table.rows]
    counts = Counter(labels)
    return {label: place for place, label in enumerate(labels) if label and counts[label] == 1}


def _heading_places(table: Table) -> Mapping[str, int]:
    headings = [fold(" ".join(column.header)).strip() for column in table.columns]
    counts = Counter(headings)
    return {heading: place for place, heading in enumerate(headings) if counts[heading] == 1}


def _differing_rows(one: TableEvidence, other: TableEvidence) -> Iterator[RowBeside]:
    rows, columns = _labels(other.table), _heading_places(other.table)
    for label, row in _labels(one.table).items():
        for heading, column in _heading_places(one.table).items():
            if label not in rows or heading not in columns:
                continue
            ours = _filled_cell(one.table, row, column)
            theirs = _filled_cell(other.table, rows[label], columns[heading])
            if ours and theirs and _are_different(ours, theirs):
                name = one.table.rows[row].label.strip()
                head = " ".join(one.table.columns[column].header).strip()
                named = f"{name} · {head}" if head and len(one.table.columns) > 1 else name
                labels = (one.table.rows[row].label, other.table.rows[rows[label]].label)
                yield RowBeside(named, (one, other), (ours, theirs), labels)


def _filled_cell(table: Table, row: int, column: int) -> Cell | None:
    cells = table.rows[row].cells
    return cells[column] if column < len(cells) and cells[column].text.strip() else None


def _are_different(one: Cell, other: Cell) -> bool:
    """Returns whether both are figures, or text with a unit, and they differ."""
    if one.value is not None and other.value is not None:
        return one.value != other.value
    ours, theirs = quantities(one.text), quantities(other.text)
    if len(ours) != 1 or len(theirs) != 1 or not comparable(ours[0], theirs[0]):
        return False
    return not (says_same(ours[0], theirs[0]) or says_same(theirs[0], ours[0]))
