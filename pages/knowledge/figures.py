"""Finds the stored figures of a concept: those of a measure, or those of an organisation in its documents."""

from __future__ import annotations

from core.figures.stored.records import FigureQuery, StoredFigure
from core.knowledge.views import ConceptDetail
from core.workbench import Workbench

SURE = 0.99
"""Least score of a figure whose label names exactly the measure."""
LOOKED_UP = 200
DOCUMENTS = 4
"""Number of documents of an organisation whose figures are read."""


async def figures_of(workbench: Workbench, user_id: str, detail: ConceptDetail) -> list[StoredFigure]:
    """The figures about the concept; none for a concept that is neither a measure nor an organisation."""
    concept = detail.concept
    if concept.kind == "metric":
        query = FigureQuery(measure=concept.label, limit=LOOKED_UP)
        return [each.figure for each in await workbench.figures.find(user_id, query) if each.score >= SURE]
    if concept.kind not in ("company", "organisation"):
        return []
    names = {each.casefold() for each in (concept.label, *concept.labels.values(), *concept.aliases)}
    found: list[StoredFigure] = []
    for document in detail.documents[:DOCUMENTS]:
        figures = await workbench.figures.of_document(user_id, document.document_id)
        found += [each for each in figures if each.entity.casefold() in names]
    return found
