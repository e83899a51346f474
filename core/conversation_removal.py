"""A deleted conversation goes with all that it holds, once it can be undone no more.

Its own documents, the answers that are owed, what tools were allowed in it, its thread and its runs; its record last,
so that a crash loses no trace of it.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from core.graph.full_answers import FollowUps
from core.library.library import Library
from core.runs.conversations import Conversations
from core.runs.ledger import RunLedger
from core.runs.records import Conversation
from core.tools.tools import Tools

log = logging.getLogger(__name__)


@dataclass
class ConversationRemoval:
    """``forget_thread`` removes what the agent knows of a conversation."""

    _conversations: Conversations
    _library: Library
    _ledger: RunLedger
    _follow_ups: FollowUps
    _tools: Tools
    _forget_thread: Callable[[str], Awaitable[None]]

    async def finish(self, undo_seconds: float) -> None:
        """All that were deleted more than ``undo_seconds`` ago; one that cannot be removed now holds up no other."""
        for each in await self._conversations.expired(undo_seconds):
            try:
                await self._remove(each)
            except Exception:
                log.exception("a deleted conversation is removed in a later round")

    async def _remove(self, conversation: Conversation) -> None:
        user_id = conversation.user_id
        await self._library.delete_scope(user_id, conversation.id)
        await self._follow_ups.forget(user_id, conversation.id)
        await self._tools.forget_conversation(user_id, conversation.id)
        await self._forget_thread(conversation.id)
        await self._ledger.forget(user_id, await self._conversations.runs_of(conversation))
        await self._conversations.remove(conversation)
