"""Asks the user which of several actions to run first."""

from __future__ import annotations

from typing import get_args

from core.events import Action, Choice
from core.graph.interrupts import Request, ask
from core.graph.services import Services
from core.graph.state import Asked, State, TurnAnswer, Waiting
from core.graph.understanding.assumptions import assumed_action
from core.messages import message
from core.words import Words

SEVERAL = message("graph.ask_action.several")
UNSURE = message("graph.ask_action.unsure")

ACTIONS: dict[Action, tuple[Words, Words]] = {
    action: (message(f"graph.ask_action.actions.{action}"), message(f"graph.ask_action.actions.{action}_how"))
    for action in get_args(Action)
}
"""Each action's name and description."""


async def ask_action(_: Services, state: State) -> State:
    asked, offered = state["asked"], state["waiting"].doubtful
    question, language, intent = asked.question, asked.language, asked.intent
    several = intent is not None and intent.several
    if asked.rules.assumes:
        likeliest = assumed_action(offered[0], ACTIONS[offered[0]][0])
        return {
            "asked": Asked(question=question.routed(likeliest), later=list(offered[1:]) if several else []),
            "waiting": Waiting(doubtful=[]),
        }
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
        return {"answer": TurnAnswer(cancelled=True)}
    chosen = next(each for each in offered if each == reply.choice_ids[0])
    later = [each for each in offered if each != chosen] if several else []
    return {"asked": Asked(question=question.routed(chosen), later=later), "waiting": Waiting(doubtful=[])}
