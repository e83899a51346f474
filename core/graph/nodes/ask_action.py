"""Asks which of several actions comes first."""

from __future__ import annotations

from core.events import Action, Choice
from core.graph.interrupts import Request, ask
from core.graph.state import Node, State
from core.graph.understanding.assumptions import assumed_action
from core.messages import message
from core.words import Words

SEVERAL = message("graph.ask_action.several")
UNSURE = message("graph.ask_action.unsure")

ACTIONS: dict[Action, tuple[Words, Words]] = {
    "inquire": (
        message("graph.ask_action.actions.inquire"),
        message("graph.ask_action.actions.inquire_how"),
    ),
    "summarize": (
        message("graph.ask_action.actions.summarize"),
        message("graph.ask_action.actions.summarize_how"),
    ),
    "compare": (
        message("graph.ask_action.actions.compare"),
        message("graph.ask_action.actions.compare_how"),
    ),
    "audit": (
        message("graph.ask_action.actions.audit"),
        message("graph.ask_action.actions.audit_how"),
    ),
    "memory": (
        message("graph.ask_action.actions.memory"),
        message("graph.ask_action.actions.memory_how"),
    ),
}


def ask_action() -> Node:
    async def node(state: State) -> State:
        offered, language, intent = state["doubtful"], state["language"], state["intent"]
        several = intent is not None and intent.several
        if state["rules"].assumes:
            likeliest = assumed_action(offered[0], ACTIONS[offered[0]][0])
            return {"action": likeliest, "doubtful": [], "later": list(offered[1:]) if several else []}
        reply = ask(
            Request(
                kind="action_choice",
                question=(SEVERAL if several else UNSURE).to(language),
                choices=[
                    Choice(id=each, label=ACTIONS[each][0].to(language), hint=ACTIONS[each][1].to(language))
                    for each in offered
                ],
            )
        )
        if reply is None:
            return {"cancelled": True}
        chosen = next(each for each in offered if each == reply.choice_ids[0])
        later = [each for each in offered if each != chosen] if several else []
        return {"action": chosen, "doubtful": [], "later": later}

    return node
