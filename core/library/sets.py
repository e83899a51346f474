"""Manages sets of documents: named selections that a question may mention."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from pydantic import JsonValue

from core.clock import Clock
from core.errors import PalimpsestError, fail
from core.ids import NewId
from core.language.normalisation import fold
from core.library.catalogue import Catalogue
from core.library.records import DocumentSet
from core.store.items import LIBRARY
from core.store.scope import GroupOf, no_group
from core.store.truth import Change, Sorted, Truth
from core.store.typed_collection import TypedCollection, readable_records, records_of

NAME_CHARACTERS = 80
MOST_DOCUMENTS = 1_000

_QUOTES = str.maketrans('"“”„', "''''")
"""Characters not allowed in a name, because a mention is enclosed in quotation marks."""


class Sets:
    """Manages a user's sets of documents. Every method is limited to the given user's data."""

    def __init__(
        self, truth: Truth, catalogue: Catalogue, clock: Clock, new_id: NewId, group_of: GroupOf = no_group
    ) -> None:
        self._group_of = group_of
        self._truth = truth
        self._catalogue = catalogue
        self._clock = clock
        self._new_id = new_id
        self._gate = asyncio.Lock()

    async def ensure(self) -> None:
        await self._truth.collection("sets").ensure(sort=[Sorted(("user_id", "deleted"))])

    async def all(self, user_id: str) -> list[DocumentSet]:
        """All sets sorted by name, including those of the user's group; only documents that are in the library now are
        listed."""
        there = await self._published(user_id)
        sets = readable_records(self._truth, user_id, self._group_of(user_id), "sets", DocumentSet)
        found = [_seen(each, there) for each in await sets.find({"deleted": False})]
        return sorted(found, key=lambda each: fold(each.name))

    async def create(self, user_id: str, name: str, document_ids: Sequence[str] = ()) -> DocumentSet:
        """Create a set. Raises ``PalimpsestError``: the name is empty, too long or taken, or a document is not in the
        library."""
        async with self._gate:
            name = await self._free(user_id, name)
            members = await self._members(user_id, document_ids)
            now = self._clock()
            made = DocumentSet(
                id=self._new_id("set"), user_id=user_id, name=name, document_ids=members, created_at=now, updated_at=now
            )
            await self._of(user_id).put(made)
            return made

    async def rename(self, user_id: str, set_id: str, name: str) -> DocumentSet:
        """Rename a set. Raises ``PalimpsestError``: there is no such set, or the name is empty, too long or taken."""
        async with self._gate:
            await self.own(user_id, set_id)
            return await self._update(user_id, set_id, name=await self._free(user_id, name, but=set_id))

    async def fill(
        self, user_id: str, set_id: str, *, add: Sequence[str] = (), remove: Sequence[str] = ()
    ) -> DocumentSet:
        """Add and remove documents; adding one that is already in the set, or removing one that is not, has no effect.

        Raises:
            PalimpsestError: there is no such set, one of ``add`` is not in the library, or the set would have too many
            documents.
        """
        async with self._gate:
            known = await self.own(user_id, set_id)
            added = await self._members(user_id, add)
            out = set(remove)
            members = [each for each in dict.fromkeys([*known.document_ids, *added]) if each not in out]
            if len(members) > MOST_DOCUMENTS:
                raise _too_many(len(members))
            return await self._update(user_id, set_id, document_ids=[*members])

    async def own(self, user_id: str, set_id: str) -> DocumentSet:
        """One of the user's own sets. Raises ``PalimpsestError`` if there is none."""
        known = await self._of(user_id).get(set_id)
        if known is None or known.deleted:
            raise no_set()
        return known

    async def give_group(self, user_id: str, set_id: str, group: str | None) -> DocumentSet:
        """Let the people of ``group`` see the set; with ``None`` it becomes private. Raises ``PalimpsestError``: there
        is no such set."""
        await self.own(user_id, set_id)
        return await self._update(user_id, set_id, org_id=group)

    async def take_back_all(self, user_id: str) -> None:
        """Make all sets private again, because their owner leaves the group."""
        await self._of(user_id).rows.update_where({"org_id": {"$ne": None}}, Change(set={"org_id": None}))

    async def delete(self, user_id: str, set_id: str) -> None:
        """Delete a set and keep its documents; ``undelete`` can restore it for a while."""
        await self.own(user_id, set_id)
        await self._update(user_id, set_id, deleted=True)

    async def undelete(self, user_id: str, set_id: str) -> DocumentSet:
        """Restore a set. Raises ``PalimpsestError``: it was permanently removed, or another set has its name now."""
        async with self._gate:
            known = await self._of(user_id).get(set_id)
            if known is None:
                raise no_set()
            await self._free(user_id, known.name, but=set_id)
            return await self._update(user_id, set_id, deleted=False)

    async def compact(self, grace_seconds: float) -> int:
        """Permanently remove what was deleted more than ``grace_seconds`` ago (maintenance, all users)."""
        moment = self._clock() - grace_seconds
        return await self._truth.collection("sets").delete({"deleted": True, "updated_at": {"$lt": moment}})

    async def _update(self, user_id: str, set_id: str, **fields: JsonValue) -> DocumentSet:
        updated = await self._of(user_id).update(set_id, Change(set={**fields, "updated_at": self._clock()}))
        if updated is None:
            raise no_set()
        return _seen(updated, await self._published(user_id))

    async def _free(self, user_id: str, name: str, but: str | None = None) -> str:
        """Check that ``name`` is free; return it as it is stored: on one line and without quotation marks."""
        clean = " ".join(name.translate(_QUOTES).split())
        if not clean or len(clean) > NAME_CHARACTERS:
            key = "library.sets.long_name" if clean else "library.sets.no_name"
            raise fail("validation", key, characters=len(clean), name_characters=NAME_CHARACTERS)
        others = [each for each in await self._of(user_id).find({"deleted": False}) if each.id != but]
        if any(fold(each.name) == fold(clean) for each in others):
            raise fail("validation", "library.sets.taken", name=clean)
        return clean

    async def _members(self, user_id: str, document_ids: Sequence[str]) -> list[str]:
        wanted = list(dict.fromkeys(document_ids))
        if len(wanted) > MOST_DOCUMENTS:
            raise _too_many(len(wanted))
        if wanted and not await self._published(user_id) >= set(wanted):
            raise fail("not_found", "library.sets.not_published")
        return wanted

    async def _published(self, user_id: str) -> set[str]:
        return {document.id for document in await self._catalogue.seen(user_id, scope=LIBRARY)}

    def _of(self, user_id: str) -> TypedCollection[DocumentSet]:
        return records_of(self._truth, user_id, "sets", DocumentSet)


def _seen(each: DocumentSet, there: set[str]) -> DocumentSet:
    return each.model_copy(update={"document_ids": [id for id in each.document_ids if id in there]})


def no_set() -> PalimpsestError:
    return fail("not_found", "library.sets.no_set")


def _too_many(count: int) -> PalimpsestError:
    return fail("validation", "library.sets.too_many", count=count, most_documents=MOST_DOCUMENTS)
