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
    entries = []
    for cells in by_figure(pairs):
        name = " · ".join((*cells[0].parents[-1:], cells[0].label))
        values = [(cell.title, cell_link(_reference(cell), _shown(cell), language)) for cell in cells]
        entries.append((name, period_text(cells[0].period, language), values))
    more = len(entries) - FIRST
    return render("contradictions", entries=entries[:FIRST], more=more, language=language)


def by_figure(pairs: Sequence[Contradiction]) -> list[list[StoredFigure]]:
    """Returns the cells of each figure, by document: three documents with two values are two pairs, but one figure."""
    found: dict[tuple[str, ...], dict[str, StoredFigure]] = {}
    for pair in pairs:
        first = pair.first
        key = (first.entity, *first.parents[-1:], first.label, first.period, first.unit, str(first.scale))
        cells = found.setdefault(tuple(part.casefold() for part in key), {})
        cells |= {cell.document_id: cell for cell in (first, pair.second) if cell.document_id not in cells}
    return [sorted(cells.values(), key=lambda cell: cell.title) for cells in found.values()]


def _shown(cell: StoredFigure) -> str:
    return cell.text.strip()


def _reference(cell: StoredFigure) -> CellReference:
    return CellReference(
        number=0, document_id=cell.document_id, table=cell.table, row=cell.row, column=cell.column, label=cell.label,
        header=cell.header, text=cell.text, page=cell.page,
    )  # fmt: skip
