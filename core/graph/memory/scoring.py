"""Refuses a new question until the user has rated the last answer, if this setting is switched on."""

from __future__ import annotations

from core.errors import fail
from core.memory.memory import Memory
from core.runs.conversations import Conversations
from core.runs.versions import current_messages


async def refuse_unscored(conversations: Conversations, memory: Memory, user_id: str, conversation_id: str) -> None:
    """Raises an error if the last answer is unrated; interrupted answers and answers without sources need no rating.

    Raises:
        PalimpsestError: the last answer of the conversation needs a rating ("validation").
    """
    messages = current_messages(await conversations.messages(user_id, conversation_id))
    answers = [message.id for message in messages if message.role == "assistant"]
    last = await memory.answer(user_id, answers[-1]) if answers else None
    if last and last.used and last.outcome is None:
        raise fail("validation", "graph.scoring.last_answer_scored")
