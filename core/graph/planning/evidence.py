"""Makes the cells of a panel citable: finds the passages of its rows, and gives each passage a source number."""

from __future__ import annotations

import logging
from collections.abc import Collection, Mapping, Sequence
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
    """``sources`` are all sources of the turn; ``numbers`` the citation number of each row of the panel; ``items`` the
    passage of each row."""

    sources: list[Source]
    numbers: dict[Row, int]
    items: dict[Row, str]


async def cited(
    library: Library, user_id: str, panels: Sequence[Panel], known: Mapping[str, Document], sources: Sequence[Source]
) -> PanelEvidence:
    """Returns the sources: first one for each passage that shows a row of the panels, then the others, renumbered
    (nothing cites them yet)."""
    cells = [cell for panel in panels for cell in panel.cells]
    found: dict[Row, Passage] = {}
    for cell in cells:
        row = (cell.document_id, cell.table, cell.row)
        if row not in found and (passage := await _passage(library, user_id, cell)) is not None:
            found[row] = passage
    items = {row: passage.item_id for row, passage in found.items()}
    shown = set(items.values())
    kept = [_without(source, shown) for source in sources]
    passages: dict[str, Source] = {}
    numbers: dict[Row, int] = {}
    for cell in cells:
        row = (cell.document_id, cell.table, cell.row)
        key = items.get(row, cell.document_id)
        if key not in passages:
            passages[key] = _source(len(passages) + 1, cell.document_id, known.get(cell.document_id), found.get(row))
        numbers[row] = passages[key].number
    others = [each for each in kept if each.passages or each.kind != "document"]
    renumbered = [
        each.model_copy(update={"number": number}) for number, each in enumerate(others, start=len(passages) + 1)
    ]
    return PanelEvidence([*passages.values(), *renumbered], numbers, items)


def _without(source: Source, shown: Collection[str]) -> Source:
    """Returns ``source`` without the passages that have a number of their own."""
    if source.kind != "document" or not any(each.item_id in shown for each in source.passages):
        return source
    return source.model_copy(update={"passages": [each for each in source.passages if each.item_id not in shown]})


def _source(number: int, document_id: str, document: Document | None, passage: Passage | None) -> Source:
    title, filename = (document.metadata.title, document.filename) if document else ("", "")
    passages = [passage] if passage else []
    return Source(number=number, document_id=document_id, title=title, filename=filename, score=1.0, passages=passages)


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
