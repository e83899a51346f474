"""Attachments, publishing and sets as named endpoints."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import gradio as gr

from core.library.correction import CorrectedField
from core.library.library import Choice
from core.workbench import Workbench
from pages.answers import Call, Reply, problem_of, user_of
from pages.attachments import Attached, Attachment, AttachmentShelf, Publication
from pages.identity import Identity
from pages.library import Correction, Shelf
from pages.limits import ChangedLimit, LimitsPanel
from pages.sets import ChosenSet, FilledSet, NewSet, RenamedSet, SetShelf

Endpoint = Callable[..., Awaitable[Reply]]


class LibraryApi:
    """The endpoints; their names are the methods'."""

    def __init__(self, workbench: Workbench, identity: Identity) -> None:
        self._attachments = AttachmentShelf(workbench)
        self._sets = SetShelf(workbench)
        self._shelf = Shelf(workbench)
        self._limits = LimitsPanel(workbench, identity)
        self._identity = identity

    @property
    def endpoints(self) -> tuple[Endpoint, ...]:
        return (
            self.attach_document,
            self.list_attachments,
            self.publish_document,
            self.correct_document,
            self.list_sets,
            self.create_set,
            self.rename_set,
            self.fill_set,
            self.delete_set,
            self.list_limits,
            self.change_limit,
        )

    async def attach_document(
        self,
        file: gr.FileData,
        name: str,
        conversation_id: str = "",
        request: gr.Request = None,  # type: ignore[assignment]
    ) -> Reply:
        """Attach a file (uploaded through the client) to a conversation; without one a conversation begins."""
        try:
            call = Attached(path=file["path"], name=name, conversation_id=conversation_id or None)
            return await self._attachments.attach(user_of(self._identity, request), call)
        except Exception as error:
            return problem_of(error, "en")

    async def list_attachments(self, conversation_id: str, request: gr.Request = None) -> Reply:  # type: ignore[assignment]
        """What a conversation alone may read."""
        try:
            call = Attachment(id=conversation_id)
            return await self._attachments.attachments(user_of(self._identity, request), call)
        except Exception as error:
            return problem_of(error, "en")

    async def publish_document(
        self,
        document_id: str,
        choice: Choice = "ask",
        request: gr.Request = None,  # type: ignore[assignment]
    ) -> Reply:
        """Move an attachment into the library."""
        try:
            call = Publication(id=document_id, choice=choice)
            return await self._attachments.publish(user_of(self._identity, request), call)
        except Exception as error:
            return problem_of(error, "en")

    async def correct_document(
        self,
        document_id: str,
        field: CorrectedField,
        value: str,
        request: gr.Request = None,  # type: ignore[assignment]
    ) -> Reply:
        """Say what a document is: several organisations or periods with ";" between them, nothing for none."""
        try:
            call = Correction(id=document_id, field=field, value=value)
            return await self._shelf.correct(user_of(self._identity, request), call)
        except Exception as error:
            return problem_of(error, "en")

    async def list_sets(self, request: gr.Request = None) -> Reply:  # type: ignore[assignment]
        """The sets and their documents, by name."""
        try:
            return await self._sets.sets(user_of(self._identity, request), Call())
        except Exception as error:
            return problem_of(error, "en")

    async def create_set(
        self,
        name: str,
        document_ids: list[str],
        request: gr.Request = None,  # type: ignore[assignment]
    ) -> Reply:
        """A set of documents of the library, to be mentioned as ``@"name"``."""
        try:
            call = NewSet(name=name, documents=document_ids)
            return await self._sets.create_set(user_of(self._identity, request), call)
        except Exception as error:
            return problem_of(error, "en")

    async def rename_set(self, set_id: str, name: str, request: gr.Request = None) -> Reply:  # type: ignore[assignment]
        """Give a set another name."""
        try:
            call = RenamedSet(id=set_id, name=name)
            return await self._sets.rename_set(user_of(self._identity, request), call)
        except Exception as error:
            return problem_of(error, "en")

    async def fill_set(
        self,
        set_id: str,
        add: list[str],
        remove: list[str],
        request: gr.Request = None,  # type: ignore[assignment]
    ) -> Reply:
        """Put documents into a set and take others out."""
        try:
            call = FilledSet(id=set_id, add=add, remove=remove)
            return await self._sets.fill_set(user_of(self._identity, request), call)
        except Exception as error:
            return problem_of(error, "en")

    async def delete_set(self, set_id: str, request: gr.Request = None) -> Reply:  # type: ignore[assignment]
        """Delete a set; its documents stay."""
        try:
            return await self._sets.delete_set(user_of(self._identity, request), ChosenSet(id=set_id))
        except Exception as error:
            return problem_of(error, "en")

    async def list_limits(self, request: gr.Request = None) -> Reply:  # type: ignore[assignment]
        """What may be uploaded, and whether the caller may change it."""
        try:
            return await self._limits.limits(user_of(self._identity, request), Call())
        except Exception as error:
            return problem_of(error, "en")

    async def change_limit(self, name: str, value: int, request: gr.Request = None) -> Reply:  # type: ignore[assignment]
        """Change a limit, for the administrator alone; it holds at once."""
        try:
            call = ChangedLimit(name=name, value=value)
            return await self._limits.change_limit(user_of(self._identity, request), call)
        except Exception as error:
            return problem_of(error, "en")
