"""Passages that an answer stands on though no search found them: sources and the answer → the sources with these too.

A fact of a cover page or a signature is read from the whole document; its citation opens where it stands.
"""

from __future__ import annotations

from collections.abc import Sequence

from core.answer import Answer
from core.events import Source
from core.graph.actions.records import passage_of
from core.graph.services import Services


async def with_cited(services: Services, user_id: str, sources: Sequence[Source], answer: Answer) -> list[Source]:
    """Raises :class:`~core.errors.PalimpsestError` where a document went meanwhile."""
    shown = {passage.item_id for source in sources for passage in source.passages}
    missing = {cell.item_id: cell.document_id for cell in answer.cells if cell.item_id and cell.item_id not in shown}
    found = []
    for source in sources:
        own = {item for item, document in missing.items() if document == source.document_id}
        if own:
            chunks = await services.library.chunks(user_id, source.document_id)
            more = [passage_of(chunk) for chunk in chunks if chunk.id in own]
            source = source.model_copy(update={"passages": [*source.passages, *more]})
        found.append(source)
    return found
