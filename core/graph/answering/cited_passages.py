"""Passages that an answer stands on though no search found them: sources and the answer → the sources with these too.

A fact of a cover page or a signature is read from the whole document; its citation opens where it stands.
"""

from __future__ import annotations

import logging
from collections.abc import Collection, Sequence

from core.errors import PalimpsestError
from core.events import Source
from core.graph.actions.records import passage_of
from core.library.library import Library
from core.records.answer import Answer

log = logging.getLogger(__name__)


async def with_cited(library: Library, user_id: str, sources: Sequence[Source], answer: Answer) -> list[Source]:
    """A document that went meanwhile is left as it was found: the line stands without its quotation."""
    shown = {passage.item_id for source in sources for passage in source.passages}
    missing = {cell.item_id: cell.document_id for cell in answer.cells if cell.item_id and cell.item_id not in shown}
    found = []
    for source in sources:
        own = {item for item, document in missing.items() if document == source.document_id}
        if own:
            source = await _with_passages(library, user_id, source, own)
        found.append(source)
    return found


async def _with_passages(library: Library, user_id: str, source: Source, item_ids: Collection[str]) -> Source:
    try:
        chunks = await library.chunks(user_id, source.document_id)
    except PalimpsestError:
        log.warning("the passage that an answer stands on could not be read", exc_info=True)
        return source
    more = [passage_of(chunk) for chunk in chunks if chunk.id in item_ids]
    return source.model_copy(update={"passages": [*source.passages, *more]})
