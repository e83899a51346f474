"""Reads the original documents again for the question. This is the third tier of retrieval, used if the passages found
are insufficient.

The new text is given directly to the answer together with the insufficient passages, since another search for the same
words would find the same passages. It uses the remaining space and replaces no passage: if a model wrongly calls
passages insufficient, the one that answers is still there.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence

from core.events import Passage, Source, Sources
from core.graph.answering.budget import shares_for
from core.graph.services import Services
from core.graph.state import Found, State, asked_in_full
from core.graph.tracing import node_trace
from core.messages import message
from core.search.documents.acceptance import firmly_accepted
from core.search.documents.context import shown_passages
from core.search.documents.sources import cite
from core.search.request import ScoredHit
from core.store.items import MemoryItem

log = logging.getLogger(__name__)

MOST_DOCUMENTS = 2
JUST_BELOW = 0.001
"""Reread text gets a score this much lower (relative) than the shown passages, and each further piece this much lower
than the one before."""


async def reread(services: Services, state: State) -> State:
    if not services.settings.search.rereading:
        return {"found": Found(reread=True, added=0)}
    emit, trace = node_trace("l")
    with trace.step("augmenting") as step:
        sources, found = list(state["found"].sources), 0
        shown = await _shown(services, state)
        for document_id in _documents_to_reread(state):
            items = await _read_again(services, state, document_id, [each.text for each in shown])
            sources = with_passages(sources, document_id, items, shown)
            found += len(items)
        step.detail(message("graph.reread.node", added=found))
    if sources != state["found"].sources:
        emit(Sources(sources=sources, confidence=state["found"].confidence))
    return {"found": Found(reread=True, added=found, sources=sources)}


def _documents_to_reread(state: State) -> list[str]:
    """Returns the documents that the user asked about, or the closest ones."""
    found = [source.document_id for source in state["found"].sources if source.kind == "document"]
    named = state["asked"].document_ids or []
    return (found or named)[:MOST_DOCUMENTS]


async def _shown(services: Services, state: State) -> list[Passage]:
    """Returns the passages that the answer would use."""
    sources = firmly_accepted(state["found"].sources)
    if not services.models.configured:
        return [passage for source in sources for passage in source.passages]
    shares = await shares_for(services, state, state["asked"].text)
    return shown_passages(sources, shares.retrieved, shares.width)


async def _read_again(services: Services, state: State, document_id: str, shown: Sequence[str]) -> list[MemoryItem]:
    try:
        again = await services.rereading.reread(state["asked"].user_id, document_id, asked_in_full(state), shown)
    except Exception:
        log.warning("%s was not read again", document_id, exc_info=True)
        return []
    return again.items


def with_passages(
    sources: Sequence[Source], document_id: str, items: Sequence[MemoryItem], shown: Sequence[Passage]
) -> list[Source]:
    """Inserts ``items`` into ``sources`` directly after all ``shown`` passages, or, if none was shown, after their
    document's best passage. If none of the document's passages was a firm match, the new ones are marked as loosely
    related too."""
    place = next((n for n, each in enumerate(sources) if each.document_id == document_id), None)
    if place is None or not items:
        return list(sources)
    source = sources[place]
    known = {each.item_id for each in source.passages}
    before_them = min((each.score for each in shown), default=max(each.score for each in source.passages))
    raised = {item.id: before_them * (1 - JUST_BELOW * n) for n, item in enumerate(items, 1)}
    scored = [ScoredHit(item, final=raised[item.id]) for item in items if item.id not in known]
    before = [
        each.model_copy(update={"score": max(each.score, raised.get(each.item_id, 0.0))}) for each in source.passages
    ]
    near = all(each.near for each in source.passages)
    more: list[Passage] = [
        passage.model_copy(update={"near": near})
        for cited in cite([(hit, "document") for hit in scored], 1)
        for passage in cited.passages
    ]
    passages = sorted([*before, *more], key=lambda each: (-each.precedence, -each.score))
    changed = source.model_copy(update={"passages": passages})
    return [*sources[:place], changed, *sources[place + 1 :]]
