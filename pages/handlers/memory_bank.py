"""The memory bank, goals and values, as the Memory tab shows and changes them."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from core.memory.items.records import BANK_TAGS, Aim, BankSort
from pages.actions import Blank, Call, Handlers, Id, Reply, action
from pages.memory_rows import item_row, version_row

Text = Annotated[str, Field(max_length=40_000)]
Tags = Annotated[list[Annotated[str, Field(max_length=80)]], Field(max_length=20)]
MOST_LISTED = 5_000
"""Entries that the page holds at once to filter them as one types."""


class Listed(Call):
    """Which entries are wanted."""

    status: Literal["active", "archived"] = "active"
    text: Annotated[str, Field(max_length=500)] = ""
    tags: Tags = Field([])
    sort: BankSort = "updated"
    limit: Annotated[int, Field(ge=1, le=MOST_LISTED)] = MOST_LISTED


class NewEntry(Call):
    """Without tags, one that the words suggest; ``conversation_id`` is where it was learned."""

    text: Text
    tags: Tags = Field([])
    always_inject: bool = False
    importance: Annotated[float, Field(ge=0, le=1)] | None = None
    conversation_id: Annotated[Id | None, Blank] = None


class Edited(Call):
    """What is ``None`` stays; ``if_version`` refuses the change of what has changed since."""

    memory_id: Id
    text: Text | None = None
    tags: Tags | None = None
    always_inject: bool | None = None
    if_version: int | None = None


class Entry(Call):
    """An entry of the bank."""

    memory_id: Id


class OldText(Entry):
    """An earlier text of it."""

    version_id: Id


class AimText(Call):
    """A goal or a value in words."""

    text: Text


class NewAim(AimText):
    """Which of the two it is."""

    aim: Aim


class Goal(Call):
    """A goal, by an id, its text or words of it."""

    goal: Annotated[str, Field(max_length=2_000)]


class Value(Call):
    """A value, by an id, its text or words of it."""

    value: Annotated[str, Field(max_length=2_000)]


class OneAim(Call):
    """A goal or a value, meant by an id, its text or words of it."""

    aim: Aim
    memory_id: Annotated[str, Field(max_length=2_000)]


class BankPage(Handlers):
    """What can be done with the bank, with goals and values."""

    @action("memory", endpoint="list_bank", scope="read")
    async def list_bank(self, user_id: str, call: Listed) -> Reply:
        """Entries that hold every word of ``text`` and one of ``tags``."""
        found = await self._workbench.memory.bank.list(
            user_id, status=call.status, tags=call.tags, text=call.text, sort=call.sort, limit=call.limit
        )
        return {
            "items": [item_row(item) for item in found],
            "all_tags": [*BANK_TAGS],
            "longest": self._workbench.memory.bank.longest,
        }

    @action("memory", endpoint="bank_stats", scope="read")
    async def bank_stats(self, user_id: str, call: Call) -> Reply:
        """Counts by status and tag, mean quality and capacity."""
        return (await self._workbench.memory.bank.stats(user_id)).model_dump(mode="json")

    @action("memory", "chat", endpoint="add_bank_item")
    async def add_bank_item(self, user_id: str, call: NewEntry) -> Reply:
        """Remember a fact; ``what`` says whether it is new, was merged with one that is there, or updated it."""
        stored = await self._workbench.memory.bank.remember(
            user_id,
            call.text,
            tags=call.tags,
            importance=call.importance,
            always_inject=call.always_inject,
            conversation_id=call.conversation_id,
        )
        return {"item": item_row(stored.item), "what": stored.what}

    @action("memory", endpoint="update_bank_item")
    async def update_bank_item(self, user_id: str, call: Edited) -> Reply:
        """Change what was given; the old text becomes a version."""
        item = await self._workbench.memory.bank.edit(
            user_id,
            call.memory_id,
            text=call.text,
            tags=call.tags,
            always_inject=call.always_inject,
            if_version=call.if_version,
        )
        return {"item": item_row(item)}

    @action("memory", endpoint="archive_bank_item", noted="deleted")
    async def archive_bank_item(self, user_id: str, call: Entry) -> Reply:
        """Out of every context until it is restored."""
        return {"item": item_row(await self._workbench.memory.bank.archive(user_id, call.memory_id))}

    @action("memory", endpoint="restore_bank_item", noted="restored")
    async def restore_bank_item(self, user_id: str, call: Entry) -> Reply:
        """Active again."""
        return {"item": item_row(await self._workbench.memory.bank.restore(user_id, call.memory_id))}

    @action("memory", "chat", endpoint="delete_bank_item", noted="deleted")
    async def delete_bank_item(self, user_id: str, call: Entry) -> Reply:
        """Gone from every list; ``undelete_bank_item`` brings it back."""
        return {"item": item_row(await self._workbench.memory.bank.delete(user_id, call.memory_id))}

    @action("memory", endpoint="undelete_bank_item", noted="restored")
    async def undelete_bank_item(self, user_id: str, call: Entry) -> Reply:
        """As it was before it was deleted."""
        return {"item": item_row(await self._workbench.memory.bank.undelete(user_id, call.memory_id))}

    @action("memory", endpoint="bank_versions", scope="read")
    async def bank_versions(self, user_id: str, call: Entry) -> Reply:
        """The earlier texts of an entry, the newest first."""
        found = await self._workbench.memory.bank.versions(user_id, call.memory_id)
        return {"versions": [version_row(each) for each in found]}

    @action("memory", endpoint="restore_bank_version", noted="restored")
    async def restore_bank_version(self, user_id: str, call: OldText) -> Reply:
        """Give an entry an earlier text; the present one becomes a version."""
        return {"item": item_row(await self._workbench.memory.bank.revert(user_id, call.memory_id, call.version_id))}

    @action("memory", scope="read")
    async def list_aims(self, user_id: str, call: Call) -> Reply:
        """Goals and values, the oldest first."""
        return {
            "goals": [item_row(item) for item in await self._workbench.memory.goals.list(user_id, "goal")],
            "values": [item_row(item) for item in await self._workbench.memory.goals.list(user_id, "value")],
        }

    @action("memory")
    async def add_aim(self, user_id: str, call: NewAim) -> Reply:
        """Add a goal or a value."""
        return {"item": item_row(await self._workbench.memory.goals.add(user_id, call.aim, call.text))}

    @action("memory", noted="deleted")
    async def remove_aim(self, user_id: str, call: OneAim) -> Reply:
        """To the archive, from where ``restore_bank_item`` brings it back."""
        return {"item": item_row(await self._workbench.memory.goals.remove(user_id, call.aim, call.memory_id))}

    @action(endpoint="list_goals", scope="read")
    async def list_goals(self, user_id: str, call: Call) -> Reply:
        """Goals, the oldest first."""
        return {"goals": (await self.list_aims(user_id, call))["goals"]}

    @action(endpoint="add_goal")
    async def add_goal(self, user_id: str, call: AimText) -> Reply:
        """Add a goal."""
        return await self.add_aim(user_id, NewAim(aim="goal", text=call.text))

    @action(endpoint="remove_goal", noted="deleted")
    async def remove_goal(self, user_id: str, call: Goal) -> Reply:
        """Remove the goal meant by an id, its text or words of it; ``restore_bank_item`` brings it back."""
        return await self.remove_aim(user_id, OneAim(aim="goal", memory_id=call.goal))

    @action(endpoint="list_values", scope="read")
    async def list_values(self, user_id: str, call: Call) -> Reply:
        """Values, the oldest first."""
        return {"values": (await self.list_aims(user_id, call))["values"]}

    @action(endpoint="add_value")
    async def add_value(self, user_id: str, call: AimText) -> Reply:
        """Add a value."""
        return await self.add_aim(user_id, NewAim(aim="value", text=call.text))

    @action(endpoint="remove_value", noted="deleted")
    async def remove_value(self, user_id: str, call: Value) -> Reply:
        """Remove the value meant by an id, its text or words of it; ``restore_bank_item`` brings it back."""
        return await self.remove_aim(user_id, OneAim(aim="value", memory_id=call.value))
