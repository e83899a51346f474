"""Puts a conversation's attachments before all other sources, as whole documents if they fit."""

from __future__ import annotations

from collections.abc import Sequence

from core.events import Passage, Source
from core.graph.services import Services
from core.graph.state import State
from core.library.records import Document
from core.library.rereading import AGAIN
from core.review.actions.records import whole_source


async def readable_attachments(services: Services, state: State) -> list[Document]:
    """Returns the attachments whose text is available, in the order they were attached."""
    attached = await services.library.attached(state["asked"].user_id, state["asked"].conversation_id)
    return [each for each in attached if each.is_stored]


async def with_attachments(services: Services, state: State, found: Sequence[Source]) -> list[Source]:
    """Puts attachments before the sources that the search found, and renumbers all sources.

    An attachment is included whole if it fits the remaining token budget; from a larger one, only the found passages
    are included. If the user named documents, other attachments are left out.
    """
    named = state["asked"].document_ids
    attached = [each for each in await readable_attachments(services, state) if not named or each.id in named]
    by_id = {source.document_id: source for source in found}
    left = await services.models.share_of_window(services.settings.budget.retrieved, state["asked"].ask.model)
    first: list[Source] = []
    for document in attached:
        hit = by_id.pop(document.id, None)
        if document.tokens <= left:
            left -= document.tokens
            whole = await _whole_document(services, document, hit)
            first += [whole] if whole else []
        elif hit:
            first.append(hit.model_copy(update={"attached": True}))
    numbered = enumerate([*first, *by_id.values()], start=1)
    return [source.model_copy(update={"number": number}) for number, source in numbered]


async def text_of(services: Services, user_id: str, document_id: str) -> str:
    """Returns a document's text without the overlap of neighbouring passages."""
    chunks = await services.library.chunks(user_id, document_id)
    pieces: list[str] = []
    read = 0
    for item in (each for each in chunks if each.place.order < AGAIN):
        book = item.source.book
        repeated = max(0, read - book.start) if book and book.end - book.start == len(item.text) else 0
        pieces.append(item.text[repeated:])
        read = book.end if book else read
    return "\n\n".join(piece for piece in pieces if piece.strip())


async def _whole_document(services: Services, document: Document, hit: Source | None) -> Source | None:
    """Returns all passages of the document in reading order; passages that the search found keep their score, the
    others rank below them."""
    chunks = [item for item in await services.library.chunks(document.user_id, document.id) if item.place.order < AGAIN]
    if not chunks:
        return None
    scored: dict[str, Passage] = {passage.item_id: passage for passage in hit.passages} if hit else {}
    whole = whole_source(1, chunks)
    passages = [
        scored.get(each.item_id, each.model_copy(update={"score": 0.0})).model_copy(update={"near": False})
        for each in whole.passages
    ]
    return whole.model_copy(
        update={"passages": passages, "score": max(each.score for each in passages), "attached": True}
    )
