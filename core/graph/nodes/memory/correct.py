"""Looks up whether the user has typed the right answer to this question before."""

from __future__ import annotations

import logging

from core.events import Sources
from core.graph.answering.corrections import pinned_source, standings
from core.graph.services import Services
from core.graph.state import Found, State
from core.graph.tracing import node_trace
from core.messages import message

log = logging.getLogger(__name__)

_FOUND = message("graph.correct.found")


async def correct(services: Services, state: State) -> State:
    """Without a model, the answer needs no other source. With one, the documents are searched too."""
    if services.memory is None or state["asked"].action != "inquire":
        return {}
    try:
        correction = await services.memory.correction(state, lambda pins: standings(services, state, pins))
    except Exception:
        log.warning("corrections were not looked up", exc_info=True)
        return {}
    if correction is None:
        return {}
    emit, trace = node_trace("c")
    with trace.step("remembering") as step:
        step.detail(_FOUND)
        pinned = await pinned_source(services, state["asked"].user_id, correction)
    if services.models.configured:
        return {"found": Found(correction=correction)}
    sources = [pinned] if pinned else []
    emit(Sources(sources=sources, confidence="high"))
    return {"found": Found(correction=correction, sources=sources, confidence="high", from_memory=not sources)}
