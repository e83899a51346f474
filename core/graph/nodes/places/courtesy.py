"""Replies to a message that wants nothing, and that no list of greetings and thanks has."""

from __future__ import annotations

from core.events import Response
from core.graph.nodes.small_talk import abilities, asks_for_abilities
from core.graph.services import Services
from core.graph.state import State, TurnAnswer
from core.language.sentences import split_sentences
from core.messages import message

_REPLY = message("graph.small_talk.reply")


async def courtesy(services: Services, state: State) -> State:
    language = state["asked"].language
    if any(asks_for_abilities(each.text) for each in split_sentences(state["asked"].text)):
        return {"answer": TurnAnswer(response=abilities(services, language))}
    return {"answer": TurnAnswer(response=Response(kind="told", text=_REPLY.to(language), language=language))}
