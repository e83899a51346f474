"""Defines the result of an operation on a table's cells: value, cells, calculation, and features of the match."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from core.figures.tables.cell_values import Reading
from core.figures.tables.grid import Place
from core.figures.tables.series import ChosenSeries
from core.records.answer import AnswerKind

Value = float | str | list[float] | list[str]


@dataclass(frozen=True)
class Result:
    """A result; ``what`` is the name of its text template, ``names`` are filled into it; ``places`` are the positions
    of its source cells.

    ``reasons`` are features, each 0..1: ``match`` (of the least certain choice), ``covered``, ``explained``,
    ``margin``, ``timed``.
    """

    kind: AnswerKind
    what: str
    value: Value
    places: tuple[Place, ...]
    names: tuple[str, ...] = ()
    unit: str | None = None
    scale: float = 1.0
    currency: str | None = None
    period: str | None = None
    calculation: str = ""
    decimals: int = 0
    reasons: dict[str, float] = field(default_factory=dict)


def reasons_of(picks: Sequence[ChosenSeries], **more: float) -> dict[str, float]:
    """Returns the features of a result that is based on several choices (``picks``); each feature has its lowest value
    among them."""
    if not picks:
        return dict(more)
    return {
        "match": min(min(1.0, pick.score) for pick in picks),
        "covered": min(pick.fit.covered for pick in picks),
        "explained": min(pick.fit.explained for pick in picks),
        "margin": min(1.0, min(pick.margin for pick in picks)),
        "timed": min(pick.timed for pick in picks),
        "by field": max(float(pick.fit.by_field) for pick in picks),
        **more,
    }


def are_addable(readings: Sequence[Reading]) -> bool:
    """Returns whether the figures can be added: they have the same unit and scale."""
    return len({(reading.unit, reading.scale) for reading in readings}) == 1
