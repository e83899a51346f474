"""The memory bank, goals and values, as the Memory tab shows and changes them."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from core.ids import ID_PATTERN
from core.memory.bank.goals import Aim
from core.memory.bank.reading import SortBy
from core.memory.bank.write_guard import LONGEST, filled
from core.memory.items.records import BANK_TAGS
from core.workbench import Workbench
from pages.answers import Call, Handler, Reply
from pages.memory_rows import item_row, version_row

Id = Annotated[str, Field(pattern=ID_PATTERN.pattern)]
Text = Annotated[str, Field(max_length=20 * LONGEST)]
Tags = Annotated[list[Annotated[str, Field(max_length=80)]], Field(max_length=20)]
MOST_LISTED = 5_000
"""Entries that the page holds at once to filter them as one types."""


class Listed(Call):
    status: Literal["active", "archived"] = "active"
    text: Annotated[str, Field(max_length=500)] = ""
    tags: Tags = Field([])
    sort: SortBy = "updated"
    limit: Annotated[int, Field(ge=1, le=MOST_LISTED)] = MOST_LISTED


class NewEntry(Call):
    """Without tags, one that the words suggest; ``conversation_id`` is where it was learned."""

    text: Text
    tags: Tags = Field([])
    always_inject: bool = False
    importance: Annotated[float, Field(ge=0, le=1)] | None = None
    conversation_id: Id | None = None


class Edited(Call):
    """What is ``None`` stays; ``if_version`` refuses the change of what has changed since."""

    memory_id: Id
    text: Text | None = None
    tags: Tags | None = None
    always_inject: bool | None = None
    if_version: int | None = None


class Entry(Call):
    memory_id: Id


class OldText(Entry):
    version_id: Id


class NewAim(Call):
    aim: Aim
    text: Text


class OneAim(Call):
    aim: Aim
    memory_id: Annotated[str, Field(max_length=2_000)]


class BankPage:
    def __init__(self, workbench: Workbench) -> None:
        self._bank = workbench.memory.bank
        self._goals = workbench.memory.goals

    @property
    def handlers(self) -> tuple[Handler, ...]:
        return (
            self.list_bank,
            self.bank_stats,
            self.add_bank_item,
            self.update_bank_item,
            self.archive_bank_item,
            self.restore_bank_item,
            self.delete_bank_item,
            self.undelete_bank_item,
            self.bank_versions,
            self.restore_bank_version,
            self.list_aims,
            self.add_aim,
            self.remove_aim,
        )

    async def list_bank(self, user_id: str, call: Listed) -> Reply:
        """Entries that hold every word of ``text`` and one of ``tags``."""
        found = await self._bank.list(
            user_id, status=call.status, tags=call.tags, text=call.text, sort=call.sort, limit=call.limit
        )
        return {"items": [item_row(item) for item in found], "all_tags": [*BANK_TAGS], "longest": LONGEST}

    async def bank_stats(self, user_id: str, call: Call) -> Reply:
        return (await self._bank.stats(user_id)).model_dump(mode="json")

    async def add_bank_item(self, user_id: str, call: NewEntry) -> Reply:
        """Remember a fact; ``what`` says whether it is new, was merged with one that is there, or updated it."""
        new = filled(
            call.text,
            tags=call.tags,
            importance=call.importance,
            always_inject=call.always_inject,
            conversation_id=call.conversation_id,
        )
        stored = await self._bank.add(user_id, new)
        return {"item": item_row(stored.item), "what": stored.what}

    async def update_bank_item(self, user_id: str, call: Edited) -> Reply:
        """Change what was given; the old text becomes a version."""
        item = await self._bank.edit(
            user_id,
            call.memory_id,
            text=call.text,
            tags=call.tags,
            always_inject=call.always_inject,
            if_version=call.if_version,
        )
        return {"item": item_row(item)}

    async def archive_bank_item(self, user_id: str, call: Entry) -> Reply:
        """Out of every context until it is restored."""
        return {"item": item_row(await self._bank.archive(user_id, call.memory_id))}

    async def restore_bank_item(self, user_id: str, call: Entry) -> Reply:
        """Active again."""
        return {"item": item_row(await self._bank.restore(user_id, call.memory_id))}

    async def delete_bank_item(self, user_id: str, call: Entry) -> Reply:
        """Gone from every list; ``undelete_bank_item`` brings it back."""
        return {"item": item_row(await self._bank.delete(user_id, call.memory_id))}

    async def undelete_bank_item(self, user_id: str, call: Entry) -> Reply:
        """As it was before it was deleted."""
        return {"item": item_row(await self._bank.undelete(user_id, call.memory_id))}

    async def bank_versions(self, user_id: str, call: Entry) -> Reply:
        """The earlier texts of an entry, the newest first."""
        found = await self._bank.versions(user_id, call.memory_id)
        return {"versions": [version_row(each) for each in found]}

    async def restore_bank_version(self, user_id: str, call: OldText) -> Reply:
        """Give an entry an earlier text; the present one becomes a version."""
        return {"item": item_row(await self._bank.revert(user_id, call.memory_id, call.version_id))}

    async def list_aims(self, user_id: str, call: Call) -> Reply:
        """Goals and values, the oldest first."""
        return {
            "goals": [item_row(item) for item in await self._goals.list(user_id, "goal")],
            "values": [item_row(item) for item in await self._goals.list(user_id, "value")],
        }

    async def add_aim(self, user_id: str, call: NewAim) -> Reply:
        return {"item": item_row(await self._goals.add(user_id, call.aim, call.text))}

    async def remove_aim(self, user_id: str, call: OneAim) -> Reply:
        """To the archive, from where ``restore_bank_item`` brings it back."""
        return {"item": item_row(await self._goals.remove(user_id, call.aim, call.memory_id))}
