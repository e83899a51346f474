"""Makes a plan for a question of several steps: figures of several organisations, or of one over several periods."""

from __future__ import annotations

import logging

from core.graph.planning.sub_questions import sub_questions
from core.graph.services import Services
from core.graph.state import Found, State, question_of
from core.graph.tracing import node_trace
from core.messages import message

log = logging.getLogger(__name__)


async def plan(services: Services, state: State) -> State:
    """Finds no steps for any other question, or if the stored figures cannot be read."""
    asked = state["asked"]
    if asked.action != "inquire" or state["found"].from_memory or state["found"].plan or asked.ask.follows:
        return {}
    documents = [
        each for each in await services.turn.known(state) if asked.document_ids is None or each.id in asked.document_ids
    ]
    try:
        steps = await sub_questions(question_of(state), documents, services.figures, asked.user_id)
    except Exception:
        log.warning("a question got no plan", exc_info=True)
        return {}
    if steps:
        _, trace = node_trace("n")
        with trace.step("planning") as step:
            step.detail(message("graph.planning.steps", count=len(steps)))
    return {"found": Found(plan=steps)} if steps else {}
