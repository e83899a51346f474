"""Writes a conversation title with a model after the first answer."""

from __future__ import annotations

import logging

from core.events import Title
from core.graph.nodes.action import model_for
from core.graph.services import Services
from core.graph.state import State
from core.graph.tracing import node_trace
from core.graph.understanding.mentions import readable
from core.review.actions.titles import title as write_title

log = logging.getLogger(__name__)


async def title(services: Services, state: State) -> State:
    response, model = state["answer"].response, model_for(services, state, "titles")
    if state.get("turns") or model is None or response is None or response.kind in ("told", "nothing_found"):
        return {}
    try:
        question = readable(state["asked"].text)
        written = await write_title(services.prompts, model, question, response.text, state["asked"].language)
        if written and await services.conversations.name(
            state["asked"].user_id, state["asked"].conversation_id, written
        ):
            node_trace("t")[0](Title(title=written))
    except Exception:
        log.warning("the conversation keeps its first words for a title", exc_info=True)
    return {}
