"""Document sets in the Library tab."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from core.library.records import DocumentSet
from pages.actions import Call, Handlers, Id, Reply, action, alias

Ids = Annotated[list[Id], Field(max_length=1_000)]


class ChosenSet(Call):
    """A set of documents."""

    id: Annotated[Id, alias("set_id", "id")]


class NewSet(Call):
    """The set's name and its first documents."""

    name: str = Field(max_length=500)
    documents: Annotated[Ids, alias("document_ids", "documents"), Field(default_factory=list)]


class RenamedSet(ChosenSet):
    """The set's new name."""

    name: str = Field(max_length=500)


class FilledSet(ChosenSet):
    """A document set, with the ids of documents to add to it and to remove from it."""

    add: Ids = Field([])
    remove: Ids = Field([])


class SetShelf(Handlers):
    """Actions that the script of the list of sets can call."""

    @action("library", endpoint="list_sets", scope="read")
    async def sets(self, user_id: str, call: Call) -> Reply:
        """The document sets with their documents, sorted by name."""
        return {"sets": [shown(each, user_id) for each in await self._workbench.sets.all(user_id)]}

    @action("library", endpoint="create_set")
    async def create_set(self, user_id: str, call: NewSet) -> Reply:
        """Create a set of documents of the library. Questions can mention it as ``@"name"``."""
        return {"set": shown(await self._workbench.sets.create(user_id, call.name, call.documents))}

    @action("library", endpoint="rename_set")
    async def rename_set(self, user_id: str, call: RenamedSet) -> Reply:
        """Rename a set. Questions mention it by the new name from then on."""
        return {"set": shown(await self._workbench.sets.rename(user_id, call.id, call.name))}

    @action("library", endpoint="fill_set")
    async def fill_set(self, user_id: str, call: FilledSet) -> Reply:
        """Add documents to a set and remove others from it."""
        return {"set": shown(await self._workbench.sets.fill(user_id, call.id, add=call.add, remove=call.remove))}

    @action("library", endpoint="delete_set", noted="deleted")
    async def delete_set(self, user_id: str, call: ChosenSet) -> Reply:
        """Delete a set, but not its documents. For a limited time, ``undo_delete_set`` restores it."""
        await self._workbench.sets.delete(user_id, call.id)
        return {}

    @action("library", endpoint="share_set", noted="changed")
    async def share_set(self, user_id: str, call: ChosenSet) -> Reply:
        """Share a set, and the caller's own documents in it, with the members of the caller's group."""
        return {"set": shown(await self._workbench.sharing.share_set(user_id, call.id))}

    @action("library", endpoint="take_back_set", noted="changed")
    async def take_back_set(self, user_id: str, call: ChosenSet) -> Reply:
        """Stop sharing a set and the caller's own documents in it."""
        return {"set": shown(await self._workbench.sharing.take_back_set(user_id, call.id))}

    @action("library", endpoint="undelete_set", noted="restored")
    async def undo_delete_set(self, user_id: str, call: ChosenSet) -> Reply:
        """Restore a deleted set."""
        return {"set": shown(await self._workbench.sets.undelete(user_id, call.id))}


def shown(each: DocumentSet, reader: str = "") -> Reply:
    """A set as the page shows it. ``owner`` is set only if the owner is not ``reader``; ``group`` is the group that the
    owner shares it with."""
    return {
        "id": each.id,
        "name": each.name,
        "documents": [*each.document_ids],
        "owner": each.user_id if reader and reader != each.user_id else None,
        "group": each.org_id,
    }
