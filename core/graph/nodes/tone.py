"""Infers in which tone a person writes, beside the title and the suggestions: for the next answer."""

from __future__ import annotations

import logging

from core.graph.nodes.action import model_for
from core.graph.services import Services
from core.graph.state import Node, State
from core.graph.understanding.tone import infer, tone_of
from core.prompts.templates import Prompts

log = logging.getLogger(__name__)


def tone(services: Services) -> Node:
    prompts = Prompts(services.settings.folder / "prompts")

    async def node(state: State) -> State:
        if not services.settings.tasks.tone or state["follows"]:
            return {}
        ruled, model = tone_of(state["question"]), model_for(services, state, "intent")
        if ruled.sure:
            return {} if ruled.tone == "neutral" else {"tone": ruled.tone}
        if model is None:
            return {}
        try:
            asked = [*(turn["question"] for turn in state.get("turns", [])), state["question"]]
            found = await infer(prompts, model, asked)
        except Exception:
            log.warning("the tone was not inferred", exc_info=True)
            return {}
        return {"tone": found} if found else {}

    return node
