"""Sharing with a group: *a person, a document or set of theirs* → read by all people of the group that they are in.

Only the document decides: ``passages_follow`` gives its passages, outline and findings to whoever may read it. What is
taken back is taken from its passages first, and what is shared given to them last, so that a crash between the two
leaves less to be read and never more.
"""

from __future__ import annotations

import asyncio

from core.errors import fail
from core.library.catalogue import Catalogue
from core.library.records import Document, DocumentSet
from core.library.refusals import not_read_yet
from core.library.sets import Sets
from core.memory.items.writing import MemoryItems
from core.store.items import LIBRARY
from core.store.scope import GroupOf


async def passages_follow(catalogue: Catalogue, items: MemoryItems, user_id: str, document_id: str) -> None:
    """Let a document's items be read by whom it is shared with; told anew where that was changed meanwhile."""
    given: str | None = None
    while (document := await catalogue.find(user_id, document_id)) and document.org_id != given:
        given = document.org_id
        await items.give_document_group(user_id, document_id, given)


class GroupSharing:
    """Every method is bound to the owner that it is called for."""

    def __init__(self, catalogue: Catalogue, items: MemoryItems, sets: Sets, group_of: GroupOf) -> None:
        self._catalogue = catalogue
        self._items = items
        self._sets = sets
        self._group_of = group_of
        self._gate = asyncio.Lock()

    async def share(self, user_id: str, document_id: str) -> Document:
        """Let the owner's group read it; sharing it twice changes nothing.

        Raises:
            PalimpsestError: there is no such document of theirs, it is not in the library or not read yet, or they are
                in no group.
        """
        async with self._gate:
            group = self._group(user_id)
            document = await self._catalogue.get(user_id, document_id)
            if document.scope != LIBRARY or not document.is_stored:
                raise not_read_yet(document)
            shared = await self._catalogue.change(user_id, document_id, org_id=group)
            await passages_follow(self._catalogue, self._items, user_id, document_id)
            return shared

    async def take_back(self, user_id: str, document_id: str) -> Document:
        """Nobody else reads it from now on. Raises ``PalimpsestError``: there is no such document of theirs."""
        async with self._gate:
            document = await self._catalogue.get(user_id, document_id)
            return await self._take_back(document)

    async def share_set(self, user_id: str, set_id: str) -> DocumentSet:
        """The set, and each document in it that is the owner's and has been read. Raises ``PalimpsestError``."""
        group = self._group(user_id)
        for document in await self._own(user_id, set_id):
            if document.is_stored:
                await self.share(user_id, document.id)
        return await self._sets.give_group(user_id, set_id, group)

    async def take_back_set(self, user_id: str, set_id: str) -> DocumentSet:
        """The set, and each document in it that is the owner's, also where it was shared by itself. Raises
        ``PalimpsestError``."""
        taken = await self._sets.give_group(user_id, set_id, None)
        for document in await self._own(user_id, set_id):
            await self.take_back(user_id, document.id)
        return taken

    async def take_back_all(self, user_id: str) -> None:
        """Of somebody who leaves their group: what they shared stays theirs alone."""
        async with self._gate:
            for document in await self._catalogue.shared(user_id):
                await self._take_back(document)
            await self._sets.take_back_all(user_id)

    async def _take_back(self, document: Document) -> Document:
        owner, document_id = document.user_id, document.id
        await self._items.give_document_group(owner, document_id, None)
        taken = await self._catalogue.change(owner, document_id, among=(document.state,), org_id=None)
        # What follows the document at this moment may have given them back in between.
        await self._items.give_document_group(owner, document_id, None)
        return taken

    async def _own(self, user_id: str, set_id: str) -> list[Document]:
        wanted = set((await self._sets.own(user_id, set_id)).document_ids)
        return [each for each in await self._catalogue.all(user_id, scope=LIBRARY) if each.id in wanted]

    def _group(self, user_id: str) -> str:
        group = self._group_of(user_id)
        if group is None:
            raise fail("validation", "library.group_sharing.no_group")
        return group
