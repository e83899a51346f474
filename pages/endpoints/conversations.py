"""What can be done with conversations, as named endpoints."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import gradio as gr

from core.runs.conversations import Conversation
from core.words import Language
from core.workbench import Workbench
from pages.answers import Reply, problem_of, user_of
from pages.conversations import Format, exported, transcript_of
from pages.identity import Identity

Endpoint = Callable[..., Awaitable[Reply]]


class ConversationsApi:
    """The endpoints; their names are the methods'."""

    def __init__(self, workbench: Workbench, identity: Identity) -> None:
        self._workbench = workbench
        self._identity = identity

    @property
    def endpoints(self) -> tuple[Endpoint, ...]:
        return (
            self.list_conversations,
            self.rename_conversation,
            self.delete_conversation,
            self.restore_conversation,
            self.export_conversation,
        )

    async def list_conversations(self, search: str = "", request: gr.Request = None) -> Reply:  # type: ignore[assignment]
        """Newest first; ``question`` is the one that holds the words, when the title does not."""
        try:
            hits = await self._workbench.conversations.search(user_of(self._identity, request), search[:200])
            return {"conversations": [{**_row(hit.conversation), "question": hit.question} for hit in hits]}
        except Exception as error:
            return problem_of(error, "en")

    async def rename_conversation(self, id: str, title: str, request: gr.Request = None) -> Reply:  # type: ignore[assignment]
        """Give it a title that no model overwrites."""
        try:
            return _row(await self._workbench.conversations.rename(user_of(self._identity, request), id, title))
        except Exception as error:
            return problem_of(error, "en")

    async def delete_conversation(self, id: str, request: gr.Request = None) -> Reply:  # type: ignore[assignment]
        """Gone at once; for a minute ``/restore_conversation`` brings it back."""
        try:
            return _row(await self._workbench.delete_conversation(user_of(self._identity, request), id))
        except Exception as error:
            return problem_of(error, "en")

    async def restore_conversation(self, id: str, request: gr.Request = None) -> Reply:  # type: ignore[assignment]
        """Undo a deletion."""
        try:
            return _row(await self._workbench.conversations.restore(user_of(self._identity, request), id))
        except Exception as error:
            return problem_of(error, "en")

    async def export_conversation(
        self,
        id: str,
        format: Format = "markdown",
        language: Language = "en",
        request: gr.Request = None,  # type: ignore[assignment]
    ) -> Reply:
        """The whole conversation as the text of a file: Markdown to read, or JSON with a version."""
        try:
            transcript = await transcript_of(self._workbench, user_of(self._identity, request), id)
            return {"title": transcript.title, "text": exported(transcript, format, language)}
        except Exception as error:
            return problem_of(error, "en")


def _row(conversation: Conversation) -> Reply:
    return {"id": conversation.id, "title": conversation.title, "updated_at": conversation.updated_at}
