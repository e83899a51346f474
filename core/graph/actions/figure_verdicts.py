"""What financial statements make of a clause about a figure: *clause, documents, tables* → a ruling with its row."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.answering.records import TableEvidence
from core.events import Quote, Source
from core.graph.actions.audit_verdicts import FAR, Ruling, Severity
from core.graph.actions.records import row_quotes
from core.grounding.figure_claims import figure_claim
from core.messages import message
from core.words import Language


@dataclass(frozen=True)
class FigureRuling:
    """``row``: the line of a statement that the ruling rests on."""

    ruling: Ruling
    row: Quote


def figure_ruling(
    clause: str, targets: Sequence[Source], tables: Sequence[TableEvidence], language: Language
) -> FigureRuling | None:
    """``None`` where the clause says nothing that statements decide, or the row stands in no passage."""
    found = figure_claim(clause, tables, language) if tables else None
    row = next(row_quotes(targets, found.cells[-1]), None) if found and found.cells else None
    if found is None or row is None:
        return None
    reason = message("graph.audit_verdicts.stated", figures=found.stated)
    if found.holds:
        return FigureRuling(Ruling("complies", reason, by_figures=True), row)
    severity: Severity = "high" if found.off > FAR else "medium"
    return FigureRuling(Ruling("conflicts", reason, None, severity, by_figures=True), row)
