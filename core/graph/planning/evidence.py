"""Makes the cells of a panel citable: gives each document a source number, and finds the passages of the rows."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from core.errors import PalimpsestError
from core.events import Passage, Source
from core.figures.panel.records import Panel
from core.figures.stored.records import StoredFigure
from core.library.library import Library
from core.library.records import Document
from core.review.actions.records import passage_of

log = logging.getLogger(__name__)

Row = tuple[str, int | None, int | None]


@dataclass(frozen=True)
class PanelEvidence:
    """``sources`` are all sources of the turn; ``numbers`` the citation number of each document of the panel;
    ``items`` the passage of each row."""

    sources: list[Source]
    numbers: dict[str, int]
    items: dict[Row, str]


async def cited(
    library: Library, user_id: str, panels: Sequence[Panel], known: Mapping[str, Document], sources: Sequence[Source]
) -> PanelEvidence:
    """Returns the sources with the rows of the panels added to their documents."""
    cells = [cell for panel in panels for point in panel.points for cell in point.cells]
    found: dict[Row, Passage] = {}
    for cell in cells:
        row = (cell.document_id, cell.table, cell.row)
        if row not in found and (passage := await _passage(library, user_id, cell)) is not None:
            found[row] = passage
    numbers = {source.document_id: source.number for source in sources if source.kind == "document"}
    merged = {source.number: source for source in sources}
    for document_id in dict.fromkeys(cell.document_id for cell in cells):
        passages = [passage for (owner, _, _), passage in found.items() if owner == document_id]
        number = numbers.get(document_id)
        if number is None:
            number = numbers[document_id] = max(merged, default=0) + 1
            merged[number] = _source(number, document_id, known.get(document_id))
        merged[number] = _with(merged[number], passages)
    return PanelEvidence(list(merged.values()), numbers, {row: each.item_id for row, each in found.items()})


def _with(source: Source, passages: Sequence[Passage]) -> Source:
    fresh = {each.item_id: each for each in passages}
    others = [each for each in source.passages if each.item_id not in fresh]
    return source.model_copy(update={"passages": [*fresh.values(), *others], "score": 1.0})


def _source(number: int, document_id: str, document: Document | None) -> Source:
    title, filename = (document.metadata.title, document.filename) if document else ("", "")
    return Source(number=number, document_id=document_id, title=title, filename=filename, score=1.0, passages=[])


async def _passage(library: Library, user_id: str, cell: StoredFigure) -> Passage | None:
    """Returns the passage that shows the row of a cell; ``None`` if it cannot be read."""
    if cell.table is None:
        return None
    try:
        items = await library.passages_of_table(user_id, cell.document_id, cell.table)
    except PalimpsestError:
        log.warning("the passage of a figure could not be read", exc_info=True)
        return None
    holding = [each for each in items if cell.text in each.text and cell.label in each.text]
    best = next(iter([*holding, *items]), None)
    return passage_of(best) if best is not None else None
