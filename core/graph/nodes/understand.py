"""Language of the question, and what it asks to be done [spec A3]."""

from __future__ import annotations

from core.events import Action
from core.graph.nodes.ask_action import ACTIONS
from core.graph.services import Services
from core.graph.state import Node, State
from core.graph.tracing import node_trace
from core.graph.wording import asked_actions
from core.language.detection import detect
from core.words import Words


def understand(services: Services) -> Node:
    async def node(state: State) -> State:
        _, trace = node_trace("u")
        with trace.step("understanding") as step:
            language = detect(state["question"])
            tagged = state["tagged"]
            wanted = [tagged] if tagged else asked_actions(state["question"])
            action: Action = wanted[0] if wanted else "inquire"
            step.detail(_said(wanted or ["inquire"], state))
        doubtful = wanted if len(wanted) > 1 else []
        return {"language": language, "action": action, "wanted": wanted, "doubtful": doubtful}

    return node


def _said(wanted: list[Action], state: State) -> Words:
    if wanted == ["inquire"]:
        return _DEPTHS[state["mode"]]
    names = [ACTIONS[each][0] for each in wanted]
    return Words(en=" · ".join(each.en for each in names), he=" · ".join(each.he for each in names))


_DEPTHS = {
    "quick": Words(en="quick: the strongest passages", he="מהיר: הקטעים החזקים ביותר"),
    "enhanced": Words(en="enhanced: a wider net", he="מורחב: רשת רחבה יותר"),
    "deep": Words(en="deep: everything that may bear on it", he="מעמיק: כל מה שעשוי להיות קשור"),
}
