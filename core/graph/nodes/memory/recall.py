"""Adds relevant memories to the state of the turn; adds nothing if there is no memory."""

from __future__ import annotations

import logging

from core.events import Notice
from core.graph.memory.other_subjects import about_others
from core.graph.services import Services
from core.graph.state import State
from core.graph.tracing import node_trace
from core.messages import message
from core.records.memory_meta import MemoryMeta
from core.words import Words

log = logging.getLogger(__name__)

LEFT_OUT = message("graph.recall.left_out")


async def recall(services: Services, state: State) -> State:
    if services.memory is None:
        return {}
    emit, trace = node_trace("m")
    with trace.step("remembering") as step:
        try:
            known = await services.turn.known(state)
            others = about_others(state["asked"].text, known)
            forgotten = await services.memory.forgotten(state["asked"].user_id)
            found = await services.memory.recall(state, lambda text: others(text) or forgotten.are_in(text))
        except Exception:
            log.warning("nothing was recalled", exc_info=True)
            emit(Notice(words=LEFT_OUT))
            return {}
        step.detail(_step_words(found["found"].meta))
    return found


def _step_words(meta: MemoryMeta | None) -> Words:
    known = len(meta.known_context.known_context_items) if meta else 0
    if not known:
        return message("graph.recall.nothing_bears_yet")
    return message("graph.recall.remembered", known=known)
