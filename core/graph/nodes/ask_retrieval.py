"""Asks the user how to continue if the search results are weak."""

from __future__ import annotations

from core.events import Choice
from core.graph.interrupts import Request, ask
from core.graph.services import Services
from core.graph.state import State, TurnAnswer, Waiting
from core.graph.understanding.assumptions import UNSURE, assumption_notice
from core.messages import message
from core.words import Language, Words

TAG, WEB, CONTINUE = "tag", "web", "continue"

QUESTION = message("graph.ask_retrieval.question")
_CHOICES: dict[str, tuple[Words, Words]] = {
    choice: (message(f"graph.ask_retrieval.{key}"), message(f"graph.ask_retrieval.{key}_how"))
    for choice, key in ((TAG, "documents"), (WEB, "web"), (CONTINUE, "go_on"))
}


async def ask_retrieval(services: Services, state: State) -> State:
    """Lets the user choose how to continue; a web search is offered only if a web search tool is available."""
    if state["asked"].rules.assumes:
        assumption_notice(UNSURE)
        return {"waiting": Waiting(retrieval_choice=CONTINUE, asked_retrieval=True)}
    reply = ask(_request(state["asked"].language, services.tools.searches_web))
    if reply is None:
        return {"answer": TurnAnswer(cancelled=True)}
    if reply.text:
        return {"waiting": Waiting(typed=reply.text, asked_retrieval=True)}
    return {"waiting": Waiting(retrieval_choice=reply.choice_ids[0], asked_retrieval=True)}


def _request(language: Language, web: bool) -> Request:
    offered = [TAG, *([WEB] if web else []), CONTINUE]
    return Request(
        kind="retrieval_low",
        question=QUESTION.to(language),
        choices=[
            Choice(id=each, label=_CHOICES[each][0].to(language), hint=_CHOICES[each][1].to(language))
            for each in offered
        ],
        allows_text=True,
    )
