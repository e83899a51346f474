"""Language of the question and what must be true before anything is looked up."""

from __future__ import annotations

from langgraph.config import get_stream_writer

from core.graph.services import Services
from core.graph.state import Node, State
from core.language.detection import detect
from core.runs.trace import Trace
from core.words import Words


def understand(services: Services) -> Node:
    async def node(state: State) -> State:
        trace = Trace(get_stream_writer(), prefix="u")
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
