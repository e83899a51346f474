"""Combines web results with the result of a document action; without a model, the pages appear below it."""

from __future__ import annotations

import logging

from core.graph.answering.blending import blend as blended
from core.graph.nodes.action import model_for
from core.graph.services import Services
from core.graph.state import State, TurnAnswer
from core.graph.tracing import node_trace
from core.messages import message

log = logging.getLogger(__name__)

_FOUND = message("graph.web.found")
"""The heading above the pages."""


async def blend(services: Services, state: State) -> State:
    response, model = state["answer"].response, model_for(services, state, "inquire")
    heading = f"## {_FOUND.to(state['asked'].language)}"
    answer, found, below = response.text.rpartition(f"\n\n{heading}\n\n") if response else ("", "", "")
    pages = [each for each in state["found"].sources if each.kind in ("web", "tool") and f"[{each.number}]" in below]
    if response is None or model is None or not (found and pages) or not services.settings.tasks.blending:
        return {}
    _, trace = node_trace("b")
    with trace.step("blending") as step:
        try:
            memory = state["found"].memory_context
            lines, usage = await blended(services.prompts, model, answer, memory, pages, state["asked"].language)
        except Exception:
            log.warning("the pages stand as they were found", exc_info=True)
            lines = ""
        step.detail(message("graph.blending.joined" if lines else "graph.blending.as_found"))
    if not lines:
        return {}
    changed = {
        "text": f"{answer}\n\n{heading}\n\n{lines}",
        "tokens_in": response.tokens_in + usage.tokens_in,
        "tokens_out": response.tokens_out + usage.tokens_out,
    }
    return {"answer": TurnAnswer(response=response.model_copy(update=changed))}
