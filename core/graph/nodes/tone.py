"""Infers the user's writing tone for the next answer, in parallel with the title and the suggestions."""

from __future__ import annotations

import logging

from core.graph.nodes.action import model_for
from core.graph.services import Services
from core.graph.state import State
from core.graph.understanding.tone import infer, tone_of

log = logging.getLogger(__name__)


async def tone(services: Services, state: State) -> State:
    if not services.settings.tasks.tone or state["asked"].ask.follows:
        return {}
    ruled, model = tone_of(state["asked"].text), model_for(services, state, "intent")
    if ruled.sure:
        return {} if ruled.tone == "neutral" else {"tone": ruled.tone}
    if model is None:
        return {}
    try:
        asked = [*(turn["question"] for turn in await services.past_turns(state)), state["asked"].text]
        found = await infer(services.prompts, model, asked)
    except Exception:
        log.warning("the tone was not inferred", exc_info=True)
        return {}
    return {"tone": found} if found else {}
