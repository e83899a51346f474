"""Suggests facts about the user to remember, from the user's message."""

from __future__ import annotations

import logging

from core.events import Offered, OfferMade
from core.graph.nodes.action import model_for
from core.graph.profile_extraction import extract_profile
from core.graph.services import Services
from core.graph.state import State
from core.graph.tracing import node_trace
from core.memory.profile.records import ProfileSuggestion
from core.messages import message

COMMANDS = ("remember", "forget", "correct")
"""Destinations at which the memory is changed."""

log = logging.getLogger(__name__)


async def suggest_memories(services: Services, state: State) -> State:
    if state["asked"].ask.follows:
        return {}
    try:
        offers = await _offers(services, state)
    except Exception:
        log.warning("nothing was offered to be remembered", exc_info=True)
        return {}
    if offers:
        emit, trace = node_trace("o")
        with trace.step("offering") as step:
            count = len(offers)
            step.detail(message("graph.suggest_memories.node", count=count))
        emit(Offered(offers=[_made(each) for each in offers]))
    return {}


def _made(each: ProfileSuggestion) -> OfferMade:
    kept = each.command == "forget" and each.state == "declined"
    return OfferMade(offer_id=each.id, text=each.text, was=each.was, command="known" if kept else each.command)


async def _offers(services: Services, state: State) -> list[ProfileSuggestion]:
    if services.profile is None:
        return []
    user_id, conversation_id = state["asked"].user_id, state["asked"].conversation_id
    if state["asked"].action == "memory" or state["asked"].question.destination.place in COMMANDS:
        return await services.profile.of_message(user_id, state["asked"].run_id)  # Cards of what was done.
    if state["asked"].action == "audit" and state["asked"].source_text:
        return []  # The message is a text to audit.
    message = await services.conversations.of_run(user_id, state["asked"].run_id)
    found = await extract_profile(
        services.prompts, model_for(services, state, "detection"), state["asked"].text, state["asked"].question_language
    )
    return await services.profile.make(
        user_id, conversation_id, message.id if message else state["asked"].run_id, found
    )
