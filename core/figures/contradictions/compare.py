"""Compares the figures of two documents: *two indexes* → pairs of cells that contradict each other.

A pair counts if both documents print only one value for that figure and period, and if the tables of the pair are the
same: other cells of the two tables are equal. Two tables of which nearly all cells differ report something else, such
as pro forma figures.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

from core.figures.contradictions.cells import CellIndex, IndexedCell

MOST_PAIRS = 50
"""Maximum number of contradictions that are kept for two documents."""
_TELLING = 100
"""Two small numbers may be equal by chance: only values with at least three digits show that tables are the same."""
_MOST_DIFFERING = 3
"""Number of differing cells of a known measure for each equal cell of the two tables."""

Pair = tuple[IndexedCell, IndexedCell]


def contradicting(one: CellIndex, other: CellIndex) -> list[Pair]:
    """Returns the pairs in the order of the first document, at most ``MOST_PAIRS``."""
    differing: defaultdict[tuple[int, int], list[Pair]] = defaultdict(list)
    equal: Counter[tuple[int, int]] = Counter()
    for pair in _same_figures(one, other):
        tables = pair[0].table, pair[1].table
        if pair[0].differs_from(pair[1]):
            differing[tables].append(pair)
        else:
            equal[tables] += abs(pair[0].value) >= _TELLING * pair[0].step
    everywhere = sum(equal.values()) >= sum(map(len, differing.values()))
    found = [
        pair
        for tables, pairs in differing.items()
        for pair in pairs
        if _is_same_table(pair, equal[tables], len(pairs), everywhere=everywhere and bool(equal))
    ]
    return sorted(_each_once(found), key=lambda pair: pair[0].number)[:MOST_PAIRS]


def _is_same_table(pair: Pair, equal: int, differing: int, *, everywhere: bool) -> bool:
    """Returns whether the tables of a differing pair report the same things: at least as many of their cells are
    equal; for a measure of the vocabulary, some are, and most cells of the two documents."""
    if equal >= differing:
        return True
    return all(cell.is_known for cell in pair) and everywhere and _MOST_DIFFERING * equal >= differing


def _same_figures(one: CellIndex, other: CellIndex) -> Iterator[Pair]:
    """Yields the pairs of cells that report the same figure at the same period; a figure that a document prints with
    several values is left out."""
    for meaning in one.keys() & other.keys():
        theirs = other[meaning]
        for cell in one[meaning]:
            same = [each for each in theirs if each.is_at_period_of(cell) and _is_of_currency(each, cell)]
            if same and _is_one_value(same) and _is_one_value(_at(one[meaning], cell)):
                yield cell, next((each for each in same if each.differs_from(cell)), same[0])


def _at(cells: Sequence[IndexedCell], cell: IndexedCell) -> list[IndexedCell]:
    return [each for each in cells if each.is_at_period_of(cell) and _is_of_currency(each, cell)]


def _is_one_value(cells: Sequence[IndexedCell]) -> bool:
    return not any(each.differs_from(cells[0]) for each in cells[1:])


def _is_of_currency(one: IndexedCell, other: IndexedCell) -> bool:
    return not one.currency or not other.currency or one.currency == other.currency


def _each_once(pairs: Sequence[Pair]) -> list[Pair]:
    """Returns one pair for each value: the same figure may be printed in several tables of a document."""
    found: dict[tuple[float, float, int, int], Pair] = {}
    for pair in pairs:
        first, second = pair
        found.setdefault((first.value, second.value, first.end.toordinal(), first.days), pair)
    return list(found.values())
