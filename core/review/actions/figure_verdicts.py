"""Checks a clause with a figure against financial statements; returns a ruling and the table row that decides it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.events import Quote, Source
from core.figures.records import TableEvidence
from core.messages import message
from core.review.actions.audit_verdicts import FAR, Ruling, Severity
from core.review.actions.records import row_quotes
from core.review.figure_claims import figure_claim
from core.words import Language


@dataclass(frozen=True)
class FigureRuling:
    """A ruling; ``row`` is the financial statement row that it is based on."""

    ruling: Ruling
    row: Quote


def figure_ruling(
    clause: str, targets: Sequence[Source], tables: Sequence[TableEvidence], language: Language
) -> FigureRuling | None:
    """Returns ``None`` if the statements cannot decide the clause, or if no passage contains the row."""
    found = figure_claim(clause, tables, language) if tables else None
    row = next(row_quotes(targets, found.cells[-1]), None) if found and found.cells else None
    if found is None or row is None:
        return None
    reason = message("graph.audit_verdicts.stated", figures=found.stated)
    if found.holds:
        return FigureRuling(Ruling("complies", reason, by_figures=True), row)
    severity: Severity = "high" if found.off > FAR else "medium"
    return FigureRuling(Ruling("conflicts", reason, None, severity, by_figures=True), row)
