"""The memory bank (facts that are kept permanently), goals and values: actions of the Memory tab."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from core.memory.items.records import BANK_TAGS, Aim, BankSort
from pages.actions import Blank, Call, Handlers, Id, Reply, action
from pages.memory_rows import item_row, version_row

Text = Annotated[str, Field(max_length=40_000)]
Tags = Annotated[list[Annotated[str, Field(max_length=80)]], Field(max_length=20)]
MOST_LISTED = 5_000
"""Maximum number of entries that the page loads, so that it can filter them while the user types."""


class Listed(Call):
    """Filters and order for the list of entries."""

    status: Literal["active", "archived"] = "active"
    text: Annotated[str, Field(max_length=500)] = ""
    tags: Tags = Field([])
    sort: BankSort = "updated"
    limit: Annotated[int, Field(ge=1, le=MOST_LISTED)] = MOST_LISTED


class NewEntry(Call):
    """An entry to add. Without tags, one is suggested from the text. ``conversation_id``: the conversation from which
    the fact was learned."""

    text: Text
    tags: Tags = Field([])
    always_inject: bool = False
    importance: Annotated[float, Field(ge=0, le=1)] | None = None
    conversation_id: Annotated[Id | None, Blank] = None


class Edited(Call):
    """Changes of an entry. ``None`` leaves a field unchanged. If the entry's version is no longer ``if_version``, the
    changes are refused."""

    memory_id: Id
    text: Text | None = None
    tags: Tags | None = None
    always_inject: bool | None = None
    if_version: int | None = None


class Entry(Call):
    """An entry of the memory bank, by its id."""

    memory_id: Id


class OldText(Entry):
    """An earlier version of an entry's text."""

    version_id: Id


class AimText(Call):
    """The text of a goal or value."""

    text: Text


class NewAim(AimText):
    """A goal or value to add."""

    aim: Aim


class Goal(Call):
    """A goal, by its id, its text or some words of its text."""

    goal: Annotated[str, Field(max_length=2_000)]


class Value(Call):
    """A value, by its id, its text or some words of its text."""

    value: Annotated[str, Field(max_length=2_000)]


class OneAim(Call):
    """A goal or value, by its id, its text or some words of its text."""

    aim: Aim
    memory_id: Annotated[str, Field(max_length=2_000)]


class BankPage(Handlers):
    """Actions on the memory bank, goals and values."""

    @action("memory", endpoint="list_bank", scope="read")
    async def list_bank(self, user_id: str, call: Listed) -> Reply:
        """Entries that contain every word of ``text`` and have one of ``tags``."""
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
        """Counts by status and tag, mean quality and capacity of the memory bank."""
        return (await self._workbench.memory.bank.stats(user_id)).model_dump(mode="json")

    @action("memory", "chat", endpoint="add_bank_item")
    async def add_bank_item(self, user_id: str, call: NewEntry) -> Reply:
        """Add a fact to the memory bank. ``what`` in the reply says whether it was new, was merged with an existing
        fact, or updated one."""
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
        """Change the given fields of an entry. The old text is kept as an earlier version."""
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
        """Archive an entry: it is not used in any context until it is restored."""
        return {"item": item_row(await self._workbench.memory.bank.archive(user_id, call.memory_id))}

    @action("memory", endpoint="restore_bank_item", noted="restored")
    async def restore_bank_item(self, user_id: str, call: Entry) -> Reply:
        """Make an archived entry active again."""
        return {"item": item_row(await self._workbench.memory.bank.restore(user_id, call.memory_id))}

    @action("memory", "chat", endpoint="delete_bank_item", noted="deleted")
    async def delete_bank_item(self, user_id: str, call: Entry) -> Reply:
        """Delete an entry; no list shows it any more. ``undelete_bank_item`` restores it."""
        return {"item": item_row(await self._workbench.memory.bank.delete(user_id, call.memory_id))}

    @action("memory", endpoint="undelete_bank_item", noted="restored")
    async def undelete_bank_item(self, user_id: str, call: Entry) -> Reply:
        """Restore a deleted entry as it was."""
        return {"item": item_row(await self._workbench.memory.bank.undelete(user_id, call.memory_id))}

    @action("memory", endpoint="bank_versions", scope="read")
    async def bank_versions(self, user_id: str, call: Entry) -> Reply:
        """The earlier texts of an entry, newest first."""
        found = await self._workbench.memory.bank.versions(user_id, call.memory_id)
        return {"versions": [version_row(each) for each in found]}

    @action("memory", endpoint="restore_bank_version", noted="restored")
    async def restore_bank_version(self, user_id: str, call: OldText) -> Reply:
        """Restore an earlier text of an entry. The current text is kept as an earlier version."""
        return {"item": item_row(await self._workbench.memory.bank.revert(user_id, call.memory_id, call.version_id))}

    @action("memory", scope="read")
    async def list_aims(self, user_id: str, call: Call) -> Reply:
        """Goals and values, oldest first."""
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
        """Archive a goal or value. ``restore_bank_item`` restores it."""
        return {"item": item_row(await self._workbench.memory.goals.remove(user_id, call.aim, call.memory_id))}

    @action(endpoint="list_goals", scope="read")
    async def list_goals(self, user_id: str, call: Call) -> Reply:
        """Goals, oldest first."""
        return {"goals": (await self.list_aims(user_id, call))["goals"]}

    @action(endpoint="add_goal")
    async def add_goal(self, user_id: str, call: AimText) -> Reply:
        """Add a goal."""
        return await self.add_aim(user_id, NewAim(aim="goal", text=call.text))

    @action(endpoint="remove_goal", noted="deleted")
    async def remove_goal(self, user_id: str, call: Goal) -> Reply:
        """Remove a goal, by its id, its text or some words of its text. ``restore_bank_item`` restores it."""
        return await self.remove_aim(user_id, OneAim(aim="goal", memory_id=call.goal))

    @action(endpoint="list_values", scope="read")
    async def list_values(self, user_id: str, call: Call) -> Reply:
        """Values, oldest first."""
        return {"values": (await self.list_aims(user_id, call))["values"]}

    @action(endpoint="add_value")
    async def add_value(self, user_id: str, call: AimText) -> Reply:
        """Add a value."""
        return await self.add_aim(user_id, NewAim(aim="value", text=call.text))

    @action(endpoint="remove_value", noted="deleted")
    async def remove_value(self, user_id: str, call: Value) -> Reply:
        """Remove a value, by its id, its text or some words of its text. ``restore_bank_item`` restores it."""
        return await self.remove_aim(user_id, OneAim(aim="value", memory_id=call.value))
