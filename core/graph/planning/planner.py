"""Decides whether a turn's question needs a plan, and makes it."""

from __future__ import annotations

import logging

from core.figures.panel.records import SubQuestion
from core.graph.planning.sub_questions import sub_questions
from core.graph.services import Services
from core.graph.state import State, question_of
from core.messages import message
from core.runs.trace import Trace

log = logging.getLogger(__name__)

PLANNED: tuple[str, ...] = ("inquire", "compare")
"""Actions whose question may be answered by a plan: a comparison of companies names no documents."""


async def steps_of(services: Services, state: State, trace: Trace) -> list[SubQuestion]:
    """Returns the sub-questions of a question of several steps; none for any other question, for a question about
    documents that the user chose, or if the stored figures cannot be read."""
    asked = state["asked"]
    if asked.action not in PLANNED or asked.document_ids or asked.ask.follows or state["found"].plan:
        return []
    try:
        documents = await services.turn.known(state)
        steps = await sub_questions(question_of(state), documents, services.figures, asked.user_id)
    except Exception:
        log.warning("a question got no plan", exc_info=True)
        return []
    if steps:
        with trace.step("planning") as step:
            step.detail(message("graph.planning.steps", count=len(steps)))
    return steps
