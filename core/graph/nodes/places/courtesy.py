"""Replies to a message that wants nothing, and that no list of greetings and thanks has."""

from __future__ import annotations

from core.events import Response
from core.graph.services import Services
from core.graph.state import State, TurnAnswer
from core.messages import message

_REPLY = message("graph.small_talk.reply")


async def courtesy(services: Services, state: State) -> State:
    language = state["asked"].language
    return {"answer": TurnAnswer(response=Response(kind="told", text=_REPLY.to(language), language=language))}
