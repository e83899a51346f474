"""Renders the figures that two documents print differently: both values, each with a link to its cell."""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup

from core.figures.contradictions.records import Contradiction
from core.figures.measures.wording import period_text
from core.figures.stored.records import StoredFigure
from core.records.answer import CellReference
from core.words import Language
from viz.cell_link import cell_link
from viz.templating import render

FIRST = 20
"""Number of entries that are shown."""


def contradictions_section(pairs: Sequence[Contradiction], language: Language) -> Markup:
    """Returns the HTML of a list of contradictions; empty if there are none."""
    if not pairs:
        return Markup("")
    entries = [
        (
            pair.first.label,
            period_text(pair.first.period, language),
            [(cell.title, cell_link(_reference(cell), _shown(cell), language)) for cell in (pair.first, pair.second)],
        )
        for pair in pairs[:FIRST]
    ]
    return render("contradictions", entries=entries, more=len(pairs) - len(entries), language=language)


def _shown(cell: StoredFigure) -> str:
    return cell.text.strip()


def _reference(cell: StoredFigure) -> CellReference:
    return CellReference(
        number=0, document_id=cell.document_id, table=cell.table, row=cell.row, column=cell.column, label=cell.label,
        header=cell.header, text=cell.text, page=cell.page,
    )  # fmt: skip
