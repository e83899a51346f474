"""Language of the question and what must be true before anything is looked up."""

from __future__ import annotations

from core.graph.services import Services
from core.graph.state import Node, State
from core.graph.tracing import node_trace
from core.language.detection import detect
from core.words import Words


def understand(services: Services) -> Node:
    async def node(state: State) -> State:
        _, trace = node_trace("u")
        with trace.step("understanding") as step:
            language = detect(state["question"])
            step.detail(_WORDS[state["mode"]])
        return {"language": language}

    return node


_WORDS = {
    "quick": Words(en="quick: the strongest passages", he="מהיר: הקטעים החזקים ביותר"),
    "enhanced": Words(en="enhanced: a wider net", he="מורחב: רשת רחבה יותר"),
    "deep": Words(en="deep: everything that may bear on it", he="מעמיק: כל מה שעשוי להיות קשור"),
}
