"""Chooses between the candidates of several tables: adjusts each one's certainty relative to the others.

The trained ``sureness`` (certainty) considers one table at a time. If several tables print a figure with the same name,
the financial statement that mainly reports it is preferred to a table that shows only a part, and then the table with
the better search score. If two tables give different values with equal scores, neither is certain.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import exp, log

from core.figures.records import Candidate
from core.figures.tables.grid import TableGrid
from core.language.fields import sought_figures, statements
from core.search.scoring.row_labels import plain

STATEMENT, SEARCHED, RIVAL = 2.0, 1.0, 0.45
"""Changes of the log-odds: for being the statement that mainly reports the figure, for the search score, and (a
reduction) for a rival that is equally good."""
_WHOLE = 6
"""Number of matching row labels from which a table is certainly that statement."""
_NEAR = 1e-3


def table_similarity(sheet: TableGrid, phrases: Sequence[str]) -> float:
    """Returns how similar a table is to the statement that mainly reports what the phrases name, 0..1."""
    named = sought_figures(" ".join(phrases))
    labels = {plain(row.label) for row in sheet.rows}
    return max(
        (
            min(1.0, sum(plain(line) in labels for line in statements()[name].lines) / _WHOLE)
            for name in named.statements or named.implied
        ),
        default=0.0,
    )


def weighed_by_similarity(candidates: Sequence[Candidate]) -> list[Candidate]:
    """Adjusts the certainties by the features ``statement`` and ``table``, relative to the best candidate, and by
    rivals; returns the candidates, best first."""
    if len({_table_key(each) for each in candidates}) < 2:
        return sorted(candidates, key=lambda each: -each.sureness)
    best = {name: max(each.reasons.get(name, 0.0) for each in candidates) for name in ("statement", "table")}
    held = [
        _with_log_odds(
            each,
            STATEMENT * (each.reasons.get("statement", 0.0) - best["statement"])
            + SEARCHED * (each.reasons.get("table", 0.0) - best["table"]),
        )
        for each in candidates
    ]
    held.sort(key=lambda each: -each.sureness)
    first = _discounted_by_rivals(held[0], held[1:])
    return [first, *(replace(each, sureness=min(each.sureness, first.sureness)) for each in held[1:])]


def _with_log_odds(candidate: Candidate, log_odds: float) -> Candidate:
    sureness = min(max(candidate.sureness, 1e-6), 1 - 1e-6)
    return replace(candidate, sureness=1 / (1 + exp(-(log(sureness / (1 - sureness)) + log_odds))))


def _discounted_by_rivals(first: Candidate, others: Sequence[Candidate]) -> Candidate:
    rival = max((each.sureness for each in others if _contradicts(first, each)), default=0.0)
    return replace(first, sureness=first.sureness * (1 - RIVAL * min(1.0, rival / max(first.sureness, 1e-6)) ** 2))


def _contradicts(one: Candidate, other: Candidate) -> bool:
    """Returns whether two tables give different answers, apart from scale and precision."""
    if _table_key(one) == _table_key(other) or one.answer.kind != other.answer.kind:
        return False
    values = [each.answer.value for each in (one, other)]
    if not all(isinstance(value, float) for value in values):
        return values[0] != values[1]
    first, second = (
        abs(float(str(value))) * each.answer.scale for value, each in zip(values, (one, other), strict=True)
    )
    return abs(first - second) > _NEAR * max(first, second)


def _table_key(candidate: Candidate) -> tuple[str, int | None]:
    cells = candidate.answer.cells
    return (cells[0].document_id, cells[0].table) if cells else ("", None)
