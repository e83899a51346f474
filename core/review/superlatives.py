"""Checks superlatives against the cells of a table: "the highest of the three" needs a cell above all others.

A cell is compared with the rows of its group in the same column, with the same row of the other groups of its table,
with the other columns of its row, or with the same row of other sources. The claim decides which: by the number of
things that it names, by a period word after the superlative, or by naming a row that several groups have.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from core.language.entities.facts import prepared
from core.language.entities.quantities import quantities
from core.language.vocabulary import pattern_of, words_of
from core.review.lexicon import Term, is_held, keys
from core.review.printed_figures import PrintedFigure

_MOST = pattern_of("grounding/patterns.superlatives.most")
_LEAST = pattern_of("grounding/patterns.superlatives.least")
_THINGS = frozenset(key for word in words_of("grounding/patterns.superlatives.things") for key in keys(word))
_OF_PERIODS = pattern_of("grounding/patterns.superlatives.of_periods")
_SHOWN = 6
"""Cells that a calculation shows."""
_SMALLEST_SET = 2
_LARGEST_COUNT = 12
_ROUNDING = 1.5
"""Units of the last digit by which a total may differ from the sum of its rounded parts."""


@dataclass(frozen=True)
class Superlative:
    """A word such as "highest" at ``start`` to ``end`` of the prepared claim; ``most`` or the least. ``counts``: how
    many things the claim names; ``of_periods``: it compares periods."""

    most: bool
    start: int
    end: int
    counts: frozenset[int]
    of_periods: bool


def without_superlative(found: Sequence[Term], said: Superlative | None) -> list[Term]:
    """Leaves out the superlative, and words for the things that it compares."""
    if said is None:
        return list(found)
    return [term for term in found if not (said.start <= term.start < said.end or is_held(term, _THINGS))]


@dataclass(frozen=True)
class Ranked:
    """Whether a cell is the highest or lowest of its set. ``shown`` lists the cells, the best first; ``rival`` is a
    cell that is beyond it. ``is_exact``: the set has as many cells as the claim names."""

    holds: bool
    shown: str
    rival: PrintedFigure | None
    is_exact: bool


@dataclass(frozen=True)
class _Member:
    name: str
    value: float
    figure: PrintedFigure


def superlative_in(claim: str) -> Superlative | None:
    """Returns the first superlative of ``claim``."""
    text = prepared(claim)
    most, least = _MOST.search(text), _LEAST.search(text)
    found = min((match for match in (most, least) if match), key=lambda match: match.start(), default=None)
    if found is None:
        return None
    counts = {each.low for each in quantities(claim) if not each.unit and each.low == each.high}
    return Superlative(
        found is most, found.start(), found.end(),
        frozenset(int(count) for count in counts if _SMALLEST_SET <= count <= _LARGEST_COUNT and count.is_integer()),
        bool(_OF_PERIODS.match(text, found.end())),
    )  # fmt: skip


def ranked(said: Superlative, cell: PrintedFigure, figures: Sequence[PrintedFigure]) -> Ranked | None:
    """Returns whether ``cell`` is what ``said`` claims; ``None`` if no set of cells fits the claim.

    Args:
        said: The superlative.
        cell: The cell that the claim gives.
        figures: The figures of all cited sources.
    """
    sets = [found for kind in _kinds(said) if len(found := _without_totals(_members(kind, cell, figures))) > 1]
    exact = [found for found in sets if len(found) in said.counts]
    chosen = exact or ([] if said.counts else sets)
    if not chosen:
        return None
    members = sorted(chosen[0], key=lambda member: -member.value if said.most else member.value)
    own = next(member for member in members if member.figure is cell)
    beyond = [each for each in members if (each.value > own.value if said.most else each.value < own.value)]
    shown = (" > " if said.most else " < ").join(f"{each.name} {each.value:,g}" for each in members[:_SHOWN])
    return Ranked(not beyond, shown, beyond[0].figure if beyond else None, bool(exact))


_Kind = Literal["columns", "sources", "groups", "rows"]


def _kinds(said: Superlative) -> tuple[_Kind, ...]:
    return ("columns", "sources") if said.of_periods else ("sources", "groups", "rows")


def _members(kind: _Kind, cell: PrintedFigure, figures: Sequence[PrintedFigure]) -> list[_Member]:
    """Returns the cells that ``cell`` is compared with, itself included, in the order of the table."""
    if kind == "columns":
        others = (each for each in figures if each.line == cell.line and each.item_id == cell.item_id)
    elif kind == "sources":
        others = (each for each in figures if each.row == cell.row and each.column == cell.column)
        others = (each for each in others if each.number != cell.number or each is cell)
    else:
        others = (each for each in figures if each.item_id == cell.item_id and each.column == cell.column)
        group = _group(cell)
        if kind == "groups":
            others = (each for each in others if each.row == cell.row)
        else:
            others = (each for each in others if _group(each) == group)
    found: dict[str, _Member] = {}
    for each in others:
        if each.is_cell and each.unit == cell.unit and each.scales == cell.scales:
            name = each.column if kind == "columns" else each.row if kind == "rows" else each.label
            member = _Member(name, _signed(each), each)
            if each is cell or name not in found:
                found[name] = member
    return list(found.values()) if any(member.figure is cell for member in found.values()) else []


def _group(figure: PrintedFigure) -> str:
    """The headings above a row."""
    return figure.label.removesuffix(figure.row)


def _signed(figure: PrintedFigure) -> float:
    """The value with its sign; a figure keeps only its size."""
    return next(
        (cell.value for cell in figure.cells if cell.column == figure.column and abs(cell.value) == figure.value),
        figure.value,
    )


def _without_totals(members: list[_Member]) -> list[_Member]:
    """Leaves out rows that are the sum of the rows before them, or of all others."""
    return [member for place, member in enumerate(members) if not _is_total(member, place, members)]


def _is_total(member: _Member, place: int, members: Sequence[_Member]) -> bool:
    slack = _ROUNDING * member.figure.step
    others = [each.value for each in members if each is not member]
    return any(abs(total - member.value) <= slack for total in _sums([each.value for each in members[:place]], others))


def _sums(before: Sequence[float], others: Sequence[float]) -> Iterator[float]:
    total = 0.0
    for count, value in enumerate(reversed(before), 1):
        total += value
        if count > 1:
            yield total
    if len(others) > 1:
        yield sum(others)
