"""Shares documents with a group: *a user, their document or collection* → readable by everyone in the user's group.

The document's entry decides who may read it; ``passages_follow`` copies that decision to its passages, outline and
findings. Unsharing changes the passages first, and sharing changes them last, so that a crash in between can only hide
text and never expose it.
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
    """Copy the document's readers to its items; repeat if the sharing has changed in between."""
    given: str | None = None
    while (document := await catalogue.find(user_id, document_id)) and document.org_id != given:
        given = document.org_id
        await items.give_document_group(user_id, document_id, given)


class GroupSharing:
    """Shares and unshares documents; every method is limited to the given owner's documents."""

    def __init__(self, catalogue: Catalogue, items: MemoryItems, sets: Sets, group_of: GroupOf) -> None:
        self._catalogue = catalogue
        self._items = items
        self._sets = sets
        self._group_of = group_of
        self._gate = asyncio.Lock()

    async def share(self, user_id: str, document_id: str) -> Document:
        """Share a document with the owner's group; sharing it twice changes nothing.

        Raises:
            PalimpsestError: the owner has no such document, it is not in the library or not read yet, or the owner is
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
        """Make the document private again. Raises ``PalimpsestError`` if the owner has no such document."""
        async with self._gate:
            document = await self._catalogue.get(user_id, document_id)
            return await self._take_back(document)

    async def share_set(self, user_id: str, set_id: str) -> DocumentSet:
        """Share the set of documents, and each of its documents that belongs to the owner and has been read. Raises
        ``PalimpsestError``."""
        group = self._group(user_id)
        for document in await self._own(user_id, set_id):
            if document.is_stored:
                await self.share(user_id, document.id)
        return await self._sets.give_group(user_id, set_id, group)

    async def take_back_set(self, user_id: str, set_id: str) -> DocumentSet:
        """Unshare the set of documents and each of its documents that belongs to the owner, even if the document was
        also shared separately. Raises ``PalimpsestError``."""
        taken = await self._sets.give_group(user_id, set_id, None)
        for document in await self._own(user_id, set_id):
            await self.take_back(user_id, document.id)
        return taken

    async def take_back_all(self, user_id: str) -> None:
        """Unshare everything of a user who leaves their group; their documents become private again."""
        async with self._gate:
            for document in await self._catalogue.shared(user_id):
                await self._take_back(document)
            await self._sets.take_back_all(user_id)

    async def _take_back(self, document: Document) -> Document:
        owner, document_id = document.user_id, document.id
        await self._items.give_document_group(owner, document_id, None)
        taken = await self._catalogue.change(owner, document_id, among=(document.state,), org_id=None)
        # A concurrent ``passages_follow`` may have shared them again in between.
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
