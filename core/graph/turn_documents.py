"""Lists the documents that a turn may use once, so that all its nodes see the same library."""

from __future__ import annotations

import logging
from collections.abc import Sequence

from core.datasets.fetched.rows import fetched_documents
from core.graph.state import State
from core.library.library import Library
from core.library.records import Document
from core.question.known_entities import KnownDocument
from core.search.documents.search import DocumentSearch

log = logging.getLogger(__name__)


class TurnDocuments:
    """The documents that are visible in a turn's conversation: the library's and those attached to it.

    They are listed at the first use, and again after ``renew``, which a node calls when it has waited for documents or
    changed them. A turn that continues after the user's reply starts with a new list.
    """

    def __init__(self, library: Library, search: DocumentSearch) -> None:
        self._library = library
        self._search = search
        self._listed: tuple[Document, ...] | None = None
        self._known: tuple[KnownDocument, ...] | None = None

    async def listed(self, state: State) -> Sequence[Document]:
        """Returns the documents, newest first. Raises ``PalimpsestError`` if the catalogue cannot be read."""
        if self._listed is None:
            asked = state["asked"]
            self._listed = tuple(await self._library.find(asked.user_id, conversation_id=asked.conversation_id))
        return self._listed

    async def fetched(self, state: State) -> Sequence[Document]:
        """Returns the documents with rows that were fetched for the conversation, newest first."""
        asked = state["asked"]
        return await fetched_documents(self._library, asked.user_id, asked.conversation_id)

    async def by_id(self, state: State) -> dict[str, Document]:
        return {each.id: each for each in await self.listed(state)}

    async def known(self, state: State) -> Sequence[KnownDocument]:
        """Returns what the search knows about the documents; none if the catalogue cannot be read."""
        if self._known is None:
            asked = state["asked"]
            self._known = tuple(await self._search.known(asked.user_id, asked.conversation_id))
        return self._known

    def renew(self) -> None:
        self._listed = self._known = None
