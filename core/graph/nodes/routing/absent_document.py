"""Says that a document which the message names is not there, instead of asking for it or quoting another one."""

from __future__ import annotations

from collections.abc import Sequence

from core.graph.services import Services
from core.graph.state import State
from core.graph.understanding.documents.records import NotThere
from core.language.normalisation import fold
from core.language.terms import content_terms, covers
from core.messages import message
from core.resilience.dependencies import Deadline
from core.search.documents.search import DocumentQuery
from core.store.items import LIBRARY
from core.words import Words

MOST_NAMED = 3
"""Maximum number of other documents of the kind that are named."""


async def absent_document(services: Services, state: State, absent: Sequence[NotThere]) -> Words | None:
    """Returns a sentence about the first document that is not there; ``None`` if there is none, if a passage has its
    name (then the document may only have another title), or if the web or an attachment may have it."""
    library = await services.turn.listed(state)
    if not absent or not library or state["asked"].web or any(each.scope != LIBRARY for each in library):
        return None
    first = absent[0]
    if first.dated:
        others = ", ".join(each.title for each in first.others[:MOST_NAMED])
        return message("graph.absent_document.others", name=first.name, others=others)
    if await _is_spoken_of(services, state, first.name):
        return None
    return message("graph.absent_document.none", name=first.name)


async def _is_spoken_of(services: Services, state: State, name: str) -> bool:
    """Returns whether a passage has the words of the name."""
    query = DocumentQuery(
        state["asked"].user_id, name, "quick", state["asked"].conversation_id, known=await services.turn.known(state)
    )
    found = await services.documents.find(query, Deadline(services.settings.deadlines.retrieval))
    terms = content_terms(name)
    texts = [fold(passage.text) for source in found.sources for passage in source.passages]
    return any(all(covers(term, text) for term in terms) for text in texts)
