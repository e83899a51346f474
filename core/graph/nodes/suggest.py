"""Questions that may come next [spec A8]."""

from __future__ import annotations

import logging

from core.events import Suggested
from core.graph.actions.followups import followups
from core.graph.services import Services
from core.graph.state import Node, State
from core.graph.tracing import node_trace
from core.prompts.templates import Prompts
from core.search.nearness import firm

log = logging.getLogger(__name__)


def suggest(services: Services) -> Node:
    prompts = Prompts(services.settings.folder / "prompts")

    async def node(state: State) -> State:
        response = state.get("response")
        if response is None or response.kind == "told" or not firm(state["sources"]):
            return {}
        emit, _ = node_trace("s")
        asked = [*(turn["question"] for turn in state.get("turns", [])), state["question"]]
        try:
            # By rule: nobody should wait for a model once the answer is there.
            found = await followups(prompts, None, asked, response.text, firm(state["sources"]), state["language"])
        except Exception:
            log.warning("nothing was suggested", exc_info=True)
            return {}
        if found.questions or state["later"]:
            emit(Suggested(questions=found.questions, actions=state["later"]))
        return {}

    return node
