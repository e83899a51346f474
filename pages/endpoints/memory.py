"""What the Memory tab can do, as named endpoints."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import gradio as gr

from core.memory.bank.goals import Aim
from core.memory.bank.reading import SortBy as BankSort
from core.memory.inspection import TierSort
from core.memory.recall.search import MOST, SortBy
from core.store.items import Tier
from core.workbench import Workbench
from pages.answers import Call, Handler, Reply, problem_of, user_of
from pages.identity import Identity
from pages.memory import MemoryPage, OneConversation, OneMemory, Promoting, Sought, TierPage
from pages.memory_bank import BankPage, Edited, Entry, Listed, NewAim, NewEntry, OldText, OneAim

Endpoint = Callable[..., Awaitable[Reply]]


class MemoryApi:
    """The endpoints; their names are the methods'."""

    def __init__(self, workbench: Workbench, identity: Identity) -> None:
        self._page = MemoryPage(workbench)
        self._bank = BankPage(workbench)
        self._identity = identity

    @property
    def endpoints(self) -> tuple[Endpoint, ...]:
        return (
            self.search_memory,
            self.memory_stats,
            self.list_tier,
            self.promote_memory,
            self.memory_history,
            self.conversation_memory,
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
            self.list_goals,
            self.add_goal,
            self.remove_goal,
            self.list_values,
            self.add_value,
            self.remove_value,
        )

    async def _answer(self, handler: Handler, takes: type[Call], request: gr.Request, **given: object) -> Reply:
        try:
            return await handler(user_of(self._identity, request), takes.model_validate(given))
        except Exception as error:
            return problem_of(error, "en")

    async def search_memory(
        self,
        query: str,
        tiers: list[Tier] | None = None,
        sort: SortBy = "relevance",
        limit: int = MOST,
        request: gr.Request = None,  # type: ignore[assignment]
    ) -> Reply:
        """Hits with whole texts and every part of their scores; without ``tiers``, of all of them."""
        given = {"query": query, "tiers": tiers or [], "sort": sort, "limit": limit}
        return await self._answer(self._page.search_memory, Sought, request, **given)

    async def memory_stats(self, request: gr.Request = None) -> Reply:  # type: ignore[assignment]
        """Counts, scores and ages by tier."""
        return await self._answer(self._page.memory_stats, Call, request)

    async def list_tier(
        self,
        tier: Tier,
        sort: TierSort = "newest",
        after: str = "",
        limit: int = 50,
        request: gr.Request = None,  # type: ignore[assignment]
    ) -> Reply:
        """A page of a tier; pass ``next`` as ``after`` for the one after it."""
        given = {"tier": tier, "sort": sort, "after": after or None, "limit": limit}
        return await self._answer(self._page.list_tier, TierPage, request, **given)

    async def promote_memory(self, dry_run: bool = True, request: gr.Request = None) -> Reply:  # type: ignore[assignment]
        """Promote, expire and archive what is due; a dry run says what that would be."""
        return await self._answer(self._page.promote_memory, Promoting, request, dry_run=dry_run)

    async def memory_history(self, memory_id: str, request: gr.Request = None) -> Reply:  # type: ignore[assignment]
        """Earlier texts, outcomes and changes of tier of one memory."""
        return await self._answer(self._page.memory_history, OneMemory, request, memory_id=memory_id)

    async def conversation_memory(self, conversation_id: str, request: gr.Request = None) -> Reply:  # type: ignore[assignment]
        """What one conversation left: learned facts, what was said, what was asked."""
        given = {"conversation_id": conversation_id}
        return await self._answer(self._page.conversation_memory, OneConversation, request, **given)

    async def list_bank(
        self,
        status: str = "active",
        text: str = "",
        tags: list[str] | None = None,
        sort: BankSort = "updated",
        limit: int = 200,
        request: gr.Request = None,  # type: ignore[assignment]
    ) -> Reply:
        """Entries of the bank that hold every word of ``text`` and one of ``tags``; ``status``: active or archived."""
        given = {"status": status, "text": text, "tags": tags or [], "sort": sort, "limit": limit}
        return await self._answer(self._bank.list_bank, Listed, request, **given)

    async def bank_stats(self, request: gr.Request = None) -> Reply:  # type: ignore[assignment]
        """Counts by status and tag, mean quality and capacity."""
        return await self._answer(self._bank.bank_stats, Call, request)

    async def add_bank_item(
        self,
        text: str,
        tags: list[str] | None = None,
        always_inject: bool = False,
        request: gr.Request = None,  # type: ignore[assignment]
    ) -> Reply:
        """Remember a fact; ``what``: new, merged or updated."""
        given = {"text": text, "tags": tags or [], "always_inject": always_inject}
        return await self._answer(self._bank.add_bank_item, NewEntry, request, **given)

    async def update_bank_item(
        self,
        memory_id: str,
        text: str | None = None,
        tags: list[str] | None = None,
        always_inject: bool | None = None,
        request: gr.Request = None,  # type: ignore[assignment]
    ) -> Reply:
        """Change what is given; the old text becomes a version."""
        given = {"memory_id": memory_id, "text": text, "tags": tags, "always_inject": always_inject}
        return await self._answer(self._bank.update_bank_item, Edited, request, **given)

    async def archive_bank_item(self, memory_id: str, request: gr.Request = None) -> Reply:  # type: ignore[assignment]
        """Out of every context until it is restored."""
        return await self._answer(self._bank.archive_bank_item, Entry, request, memory_id=memory_id)

    async def restore_bank_item(self, memory_id: str, request: gr.Request = None) -> Reply:  # type: ignore[assignment]
        """Active again: from the archive, or a goal or value that was removed."""
        return await self._answer(self._bank.restore_bank_item, Entry, request, memory_id=memory_id)

    async def delete_bank_item(self, memory_id: str, request: gr.Request = None) -> Reply:  # type: ignore[assignment]
        """Gone from every list; ``undelete_bank_item`` brings it back."""
        return await self._answer(self._bank.delete_bank_item, Entry, request, memory_id=memory_id)

    async def undelete_bank_item(self, memory_id: str, request: gr.Request = None) -> Reply:  # type: ignore[assignment]
        """As it was before it was deleted."""
        return await self._answer(self._bank.undelete_bank_item, Entry, request, memory_id=memory_id)

    async def bank_versions(self, memory_id: str, request: gr.Request = None) -> Reply:  # type: ignore[assignment]
        """The earlier texts of an entry, the newest first."""
        return await self._answer(self._bank.bank_versions, Entry, request, memory_id=memory_id)

    async def restore_bank_version(
        self,
        memory_id: str,
        version_id: str,
        request: gr.Request = None,  # type: ignore[assignment]
    ) -> Reply:
        """Give an entry an earlier text; the present one becomes a version."""
        given = {"memory_id": memory_id, "version_id": version_id}
        return await self._answer(self._bank.restore_bank_version, OldText, request, **given)

    async def list_goals(self, request: gr.Request = None) -> Reply:  # type: ignore[assignment]
        """Goals, the oldest first."""
        return _only("goals", await self._answer(self._bank.list_aims, Call, request))

    async def add_goal(self, text: str, request: gr.Request = None) -> Reply:  # type: ignore[assignment]
        """Add a goal."""
        return await self._add("goal", text, request)

    async def remove_goal(self, goal: str, request: gr.Request = None) -> Reply:  # type: ignore[assignment]
        """Remove the goal meant by an id, its text or words of it; ``restore_bank_item`` brings it back."""
        return await self._remove("goal", goal, request)

    async def list_values(self, request: gr.Request = None) -> Reply:  # type: ignore[assignment]
        """Values, the oldest first."""
        return _only("values", await self._answer(self._bank.list_aims, Call, request))

    async def add_value(self, text: str, request: gr.Request = None) -> Reply:  # type: ignore[assignment]
        """Add a value."""
        return await self._add("value", text, request)

    async def remove_value(self, value: str, request: gr.Request = None) -> Reply:  # type: ignore[assignment]
        """Remove the value meant by an id, its text or words of it; ``restore_bank_item`` brings it back."""
        return await self._remove("value", value, request)

    async def _add(self, aim: Aim, text: str, request: gr.Request) -> Reply:
        return await self._answer(self._bank.add_aim, NewAim, request, aim=aim, text=text)

    async def _remove(self, aim: Aim, meant: str, request: gr.Request) -> Reply:
        return await self._answer(self._bank.remove_aim, OneAim, request, aim=aim, memory_id=meant)


def _only(name: str, reply: Reply) -> Reply:
    return reply if "problem" in reply else {name: reply[name]}
