"""Attachments of a conversation, shown as chips above the message box."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Annotated

from pydantic import Field

from core.errors import fail
from core.library.intake.records import Unpacked
from core.library.records import Choice
from core.runs.records import Conversation
from pages.actions import Blank, Call, Handlers, Id, OneDocument, Reply, UploadPath, action, alias
from pages.document_row import row, unpacked_reply

MOST = 50
"""Maximum number of attachments of one conversation."""


class Attached(Call):
    """``path``: where the interface stored the uploaded file. If no conversation is given, a new one is created and
    named after the file."""

    path: Annotated[UploadPath, alias("file", "path")]
    name: str = Field(max_length=500)
    conversation_id: Annotated[Id | None, Blank] = None


class OfConversation(Call):
    """The conversation whose attachments are meant."""

    id: Annotated[Id, alias("conversation_id", "id")]


class Publication(OneDocument):
    """What to do if the library already has a document with the same name: ask, replace it, or keep both."""

    choice: Choice = "ask"


class AttachmentShelf(Handlers):
    """Actions that the script of the message box can call."""

    @action("chat", endpoint="attach_document")
    async def attach(self, user_id: str, call: Attached) -> Reply:
        """Attach an uploaded file to a conversation. Without a conversation, a new one is created."""
        path = self._workbench.uploads.received(user_id, call.path)
        begun = None
        try:
            if call.conversation_id is None:
                begun = await self._workbench.conversations.start(user_id, Path(call.name).stem)
            conversation = begun or await self._admitting(user_id, call.conversation_id or "")
            if unpacked := await self._unpacked(user_id, path, call.name, conversation.id):
                await asyncio.to_thread(path.unlink, missing_ok=True)
                return {"conversation": conversation.id, **unpacked_reply(unpacked, call.ui)}
            # A second file with the same name may be intentional; otherwise the user can remove one of them.
            submission = await self._workbench.library.submit(
                user_id, path, call.name, scope=conversation.id, choice="keep_both", move=True
            )
        except BaseException:
            await asyncio.to_thread(path.unlink, missing_ok=True)
            if begun:
                await self._workbench.conversations.delete(user_id, begun.id)
            raise
        return {
            "conversation": conversation.id,
            "status": submission.status,
            "document": row(submission.document, call.ui),
        }

    async def _unpacked(self, user_id: str, path: Path, name: str, conversation_id: str) -> Unpacked | None:
        """Attaches each file of an archive, up to the limit. ``None`` if the file is not an archive."""
        library = self._workbench.library
        room = MOST - len(await library.attached(user_id, conversation_id))
        return await library.unpack(user_id, path, name, scope=conversation_id, most=room)

    async def _admitting(self, user_id: str, conversation_id: str) -> Conversation:
        conversation = await self._workbench.conversations.get(user_id, conversation_id)
        count = len(await self._workbench.library.attached(user_id, conversation_id))
        if count >= MOST:
            raise fail("validation", "pages.attachments.admitting", count=count, most=MOST)
        return conversation

    @action("chat", endpoint="list_attachments", scope="read")
    async def attachments(self, user_id: str, call: OfConversation) -> Reply:
        """Attachments of a conversation. Other conversations cannot read them."""
        await self._workbench.conversations.get(user_id, call.id)
        attached = await self._workbench.library.attached(user_id, call.id)
        return {"documents": [row(document, call.ui) for document in attached]}

    @action("chat", endpoint="publish_document")
    async def publish(self, user_id: str, call: Publication) -> Reply:
        """Move an attachment to the library."""
        submission = await self._workbench.library.publish(user_id, call.id, choice=call.choice)
        return {"status": submission.status, "document": row(submission.document, call.ui)}

    @action("chat", noted="deleted")
    async def detach(self, user_id: str, call: OneDocument) -> Reply:
        """Remove an attachment. For a limited time, ``undo_detach`` restores it."""
        await self._workbench.library.delete(user_id, call.id)
        return {}

    @action("chat", noted="restored")
    async def undo_detach(self, user_id: str, call: OneDocument) -> Reply:
        """Restore a removed attachment."""
        return {"document": row(await self._workbench.library.undelete(user_id, call.id), call.ui)}

    @action("chat")
    async def retry_attachment(self, user_id: str, call: OneDocument) -> Reply:
        """Read an attachment again."""
        return {"document": row(await self._workbench.library.retry(user_id, call.id), call.ui)}
