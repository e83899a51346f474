"""Removes a deleted conversation's data when its deletion can no longer be undone.

It removes the conversation's own documents, pending answers, tool permissions, thread and runs. Its record is deleted
last, so that a crash does not lose track of it.
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
from core.store.items import scope_of_fetched
from core.tools.tools import Tools

log = logging.getLogger(__name__)


@dataclass
class ConversationRemoval:
    """Removes deleted conversations; ``forget_thread`` deletes the agent's data on a conversation."""

    _conversations: Conversations
    _library: Library
    _ledger: RunLedger
    _follow_ups: FollowUps
    _tools: Tools
    _forget_thread: Callable[[str], Awaitable[None]]

    async def finish(self, undo_seconds: float) -> None:
        """Remove all conversations that were deleted more than ``undo_seconds`` ago; one failure does not delay the
        others."""
        for each in await self._conversations.expired(undo_seconds):
            try:
                await self._remove(each)
            except Exception:
                log.exception("a deleted conversation is removed in a later round")

    async def _remove(self, conversation: Conversation) -> None:
        user_id = conversation.user_id
        for scope in (conversation.id, scope_of_fetched(conversation.id)):
            await self._library.delete_scope(user_id, scope)
        await self._follow_ups.forget(user_id, conversation.id)
        await self._tools.forget_conversation(user_id, conversation.id)
        for thread in await self._conversations.threads_of(conversation):
            await self._forget_thread(thread)
        await self._ledger.forget(user_id, await self._conversations.runs_of(conversation))
        await self._conversations.remove(conversation)
