"""Stores and changes the memory bank: lasting facts about a user, each stored once, with all earlier texts.

Every change of a user's bank holds that user's lock, and a new item's id is derived from its text. So two requests that
add the same fact at the same time create one item. The lock works within one process. Between processes, the id
prevents storing a text twice, and every change requires that the item's version is still the one that was read.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Literal, Unpack
from weakref import WeakValueDictionary

from pydantic import BaseModel

from core.clock import Clock
from core.ids import id_of
from core.memory.bank import errors as errors
from core.memory.bank.deduplication import Deduplication, Match
from core.memory.bank.reading import ACTIVE, BankReading
from core.memory.bank.versions import Versions
from core.memory.bank.write_guard import (
    LONGEST,
    Given,
    bank_entry,
    check_tags,
    check_text,
    clean,
    normalised_entry,
    tag_of,
    title_of,
    validated_memory,
)
from core.memory.items.making import item_of
from core.memory.items.records import NewMemory, VersionReason
from core.memory.items.writing import MemoryItems
from core.memory.outcomes.scoring import quality
from core.setting_groups import Memory
from core.store.items import MemoryItem, Quality, Status, Versioning
from core.store.truth import Change, DuplicateError, Json, Truth

ATTEMPTS = 5
"""How often a status change is tried when other writers change the item at the same time."""
_MARKS = {"tags", "quality", "always_inject"}


class Stored(BaseModel):
    """The result of adding an entry: the stored ``item``; ``others`` are ids of existing items merged into it."""

    item: MemoryItem
    what: Literal["new", "merged", "updated"]
    others: list[str] = []


class MemoryBank(BankReading):
    """Methods raise ``PalimpsestError`` if an item does not exist ("not_found") or is invalid ("validation")."""

    longest = LONGEST
    tag_of = staticmethod(tag_of)

    def __init__(
        self, truth: Truth, items: MemoryItems, versions: Versions, dedup: Deduplication, clock: Clock, settings: Memory
    ) -> None:
        super().__init__(truth, items, versions, dedup, settings)
        self._clock = clock
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    async def ensure(self) -> None:
        await self._versions.ensure()

    # -- adding ----------------------------------------------------------------------------

    async def remember(self, user_id: str, text: str, **given: Unpack[Given]) -> Stored:
        """Store a user's statement; values that the caller did not give are filled in."""
        return await self.add(user_id, bank_entry(text, **given))

    async def add(self, user_id: str, new: NewMemory) -> Stored:
        """Store a fact, or count it as another mention of an existing one."""
        new = validated_memory(new)
        async with self._lock(user_id):
            matches = await self._dedup.matches(user_id, new.text)
            if not matches:
                return await self._store(user_id, new)
            first = matches[0]
            if first.relation == "update":
                return Stored(item=await self._updated(first.item, new), what="updated")
            merged = await self._merged(first.item, new)
            return Stored(item=merged, what="merged", others=await self._fold_in(merged, matches[1:]))

    async def _store(self, user_id: str, new: NewMemory) -> Stored:
        """Create a new item, or reactivate the archived item with this text. An edited or deleted item's id is never
        reused."""
        number = 0
        while known := await self._items.get(user_id, derived_id(user_id, new.text, number)):
            if known.status != "deleted" and normalised_entry(known.text) == normalised_entry(new.text):
                return Stored(item=await self._mentioned(known, new), what="merged")
            number += 1
        item = item_of(user_id, derived_id(user_id, new.text, number), new, self._clock(), self._settings)
        await self._items.add(user_id, [item])
        return Stored(item=item, what="new")

    async def add_forgotten(self, user_id: str, new: NewMemory) -> MemoryItem:
        """Store what the user said and wants forgotten as an archived item, so that it can be recognised."""
        new = validated_memory(new)
        async with self._lock(user_id):
            stored = await self._store(user_id, new)
            return await self._with_status(stored.item, "archived", ("active",))

    async def _mentioned(self, item: MemoryItem, new: NewMemory) -> MemoryItem:
        """Count the same text as another mention. The same message is counted once, so repeating a call changes
        nothing."""
        repeated = new.message_id is not None and new.message_id == item.source.message_id
        if repeated and item.status == "active":
            return item
        joined = _with_mention(item, new, item.text, _stronger(item.quality, new.quality))
        fields: Json = {"status": "active", "timestamps.archived_at": None}
        fields |= joined.model_dump(mode="json", include={*_MARKS, "kind", "source"})
        changed = await self._changed(item, fields)
        return changed if changed.indexed else await self._revised(changed)

    async def _changed(self, item: MemoryItem, fields: Json) -> MemoryItem:
        changed = await self._items.change(item.user_id, item.id, Change(set=fields), if_version=item.version)
        if changed is None:
            raise errors.conflict()
        return changed

    async def _updated(self, old: MemoryItem, new: NewMemory) -> MemoryItem:
        """Replace the item's text with the newer one; the old text becomes a version."""
        await self._versions.keep(old, "updated")
        return await self._revised(_with_mention(old, new, new.text, new.quality, newest=True))

    async def _merged(self, old: MemoryItem, new: NewMemory) -> MemoryItem:
        """Combine two texts into one. The model writes it; without a model, the text with the higher quality, more
        mentions or the later time is kept."""
        if normalised_entry(old.text) == normalised_entry(new.text):
            return await self._mentioned(old, new)
        loser = item_of(old.user_id, derived_id(old.user_id, new.text, 0), new, self._clock(), self._settings)
        wins = _quality_rank(new.quality) >= _quality_rank(old.quality)
        text = await self._dedup.joined(old.user_id, old.text, new.text) or (new.text if wins else old.text)
        measured = new.quality if wins else old.quality
        if text != new.text:
            await self._versions.keep(loser, "merged", old.id)
        if text == old.text:
            return await self._mentioned(old, new)
        await self._versions.keep(old, "merged")
        return await self._revised(_with_mention(old, new, text, measured, newest=wins))

    async def _fold_in(self, winner: MemoryItem, others: Sequence[Match]) -> list[str]:
        """Store other items with the same meaning as versions of the ``winner`` item."""
        same = [match.item for match in others if match.relation == "same"]
        for item in same:
            await self._versions.keep(item, "merged", winner.id)
            await self._with_status(item, "archived", ("active",))
        return [item.id for item in same]

    # -- changing entries ------------------------------------------------------------------

    async def edit(
        self,
        user_id: str,
        memory_id: str,
        *,
        text: str | None = None,
        tags: Sequence[str] | None = None,
        importance: float | None = None,
        confidence: float | None = None,
        always_inject: bool | None = None,
        if_version: int | None = None,
    ) -> MemoryItem:
        """Change the given fields; the old text becomes a version.

        Args:
            if_version: the ``version`` that was read; the edit is refused if the item has changed since.
        """
        async with self._lock(user_id):
            item = await self.get(user_id, memory_id)
            if if_version is not None and item.version != if_version:
                raise errors.conflict()
            was = item.quality or quality(0.5, 0.5)
            measured = quality(
                was.importance if importance is None else importance,
                was.confidence if confidence is None else confidence,
                was.mentioned_count,
            )
            marks = {
                "tags": item.tags if tags is None else list(check_tags(tags)),
                "quality": measured,
                "always_inject": item.always_inject if always_inject is None else always_inject,
            }
            changed = item.model_copy(update=marks)
            if text is not None and clean(text) != item.text:
                return await self._rewritten(item, changed, clean(text), "edited")
            if changed == item:
                return item
            return await self._changed(item, changed.model_dump(mode="json", include=_MARKS))

    async def _rewritten(self, item: MemoryItem, changed: MemoryItem, text: str, reason: VersionReason) -> MemoryItem:
        check_text(text)
        if item.status == "active":
            await self._refuse_twin(item, text)
        await self._versions.keep(item, reason)
        number = item.versioning.current_version + 1
        wording = {"text": text, "summary": title_of(text), "versioning": Versioning(current_version=number)}
        return await self._revised(changed.model_copy(update=wording))

    async def revert(self, user_id: str, memory_id: str, version_id: str) -> MemoryItem:
        """Give an item the text of an earlier version; the current text becomes a version."""
        record = await self._versions.get(user_id, version_id)
        if record is None or memory_id not in (record.memory_id, record.merged_id):
            raise errors.not_found()
        async with self._lock(user_id):
            item = await self.get(user_id, memory_id)
            if record.archived_text == item.text:
                return item
            return await self._rewritten(item, item, record.archived_text, "edited")

    async def archive(self, user_id: str, memory_id: str) -> MemoryItem:
        """Exclude an item from all contexts until it is restored."""
        async with self._lock(user_id):
            return await self._with_status(await self.get(user_id, memory_id), "archived", ("active",))

    async def restore(self, user_id: str, memory_id: str) -> MemoryItem:
        """Make an item active again, even if the bank then exceeds its capacity; the next promotion reduces it."""
        async with self._lock(user_id):
            return await self._back(await self.get(user_id, memory_id), ("archived",))

    async def delete(self, user_id: str, memory_id: str) -> MemoryItem:
        """Remove an item from every list; ``undelete`` restores it."""
        async with self._lock(user_id):
            item = await self._entry_of_any_status(user_id, memory_id)
            return await self._with_status(item, "deleted", ("active", "archived"))

    async def undelete(self, user_id: str, memory_id: str) -> MemoryItem:
        """Restore an item to its state before deletion."""
        async with self._lock(user_id):
            item = await self._entry_of_any_status(user_id, memory_id)
            if item.timestamps.archived_at is not None:
                return await self._with_status(item, "archived", ("deleted",))
            return await self._back(item, ("deleted",))

    async def _back(self, item: MemoryItem, before: Sequence[Status]) -> MemoryItem:
        if item.status in before:
            await self._refuse_twin(item, item.text)
        moved = await self._with_status(item, "active", before)
        # If an item was deleted before it was indexed, only a repair would index it.
        return moved if moved.indexed else await self._revised(moved)

    async def _with_status(self, item: MemoryItem, status: Status, before: Sequence[Status]) -> MemoryItem:
        """Return ``item`` with the new status, or unchanged if it already has that status."""
        for _ in range(ATTEMPTS):
            if item.status not in before:
                return item
            fields: Json = {"status": status}
            if status != "deleted":
                fields["timestamps.archived_at"] = self._clock() if status == "archived" else None
            moved = await self._items.change(item.user_id, item.id, Change(set=fields), if_version=item.version)
            if moved is not None:
                return moved
            item = await self._entry_of_any_status(item.user_id, item.id)
        raise errors.conflict()

    async def _revised(self, item: MemoryItem) -> MemoryItem:
        times = item.timestamps.model_copy(update={"updated_at": self._clock()})
        try:
            return await self._items.revise(item.model_copy(update={"timestamps": times}))
        except DuplicateError as error:
            raise errors.conflict() from error

    async def _refuse_twin(self, item: MemoryItem, text: str) -> None:
        """Raise an error if another active item has the same text. Only texts are compared, which takes milliseconds
        for a whole bank."""
        rows = await self._collection(item.user_id).find(ACTIVE, fields=["text"])
        for row in rows:
            if normalised_entry(str(row["text"])) == normalised_entry(text) and row["_id"] != item.id:
                raise errors.known_already(str(row["text"]))

    def _lock(self, user_id: str) -> asyncio.Lock:
        return self._locks.setdefault(user_id, asyncio.Lock())


def derived_id(user_id: str, text: str, number: int) -> str:
    """The id of a user's item with this initial text; ``number`` distinguishes items that began with the same text."""
    return id_of("mem", "\0".join((user_id, normalised_entry(text), str(number))))


def _quality_rank(measured: Quality | None) -> tuple[float, int]:
    return (measured.quality_score, measured.mentioned_count) if measured else (0.0, 0)


def _stronger(old: Quality | None, new: Quality | None) -> Quality | None:
    return new if _quality_rank(new) >= _quality_rank(old) else old


def _with_mention(
    old: MemoryItem, new: NewMemory, text: str, measured: Quality | None, *, newest: bool = False
) -> MemoryItem:
    """Return ``old`` with one more mention and the values of ``new``. The kind decides which text is kept; tags are
    combined."""
    mentions = (old.quality.mentioned_count if old.quality else 0) + 1
    strength = measured or quality(0.5, 0.5)
    number = old.versioning.current_version + (text != old.text)
    said_in = {"conversation_id": new.conversation_id, "message_id": new.message_id}
    return old.model_copy(
        update={
            "text": text,
            "summary": (new.summary if text == new.text else title_of(text)) if text != old.text else old.summary,
            "kind": new.kind if new.kind != "fact" else old.kind,
            "tags": list(dict.fromkeys([*new.tags, *old.tags] if newest else [*old.tags, *new.tags])),
            "entities": list(dict.fromkeys(new.entities if text == new.text else [*old.entities, *new.entities])),
            "always_inject": old.always_inject or new.always_inject,
            "quality": quality(strength.importance, strength.confidence, mentions),
            "source": old.source.model_copy(update={name: value for name, value in said_in.items() if value}),
            "versioning": Versioning(current_version=number),
        }
    )
