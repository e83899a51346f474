"""The Memory tab: search with explanations, memory tiers, the memory bank, goals and values, and the memories of the
open conversation."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from core.errors import fail
from core.memory.recall.records import MOST, MemoryQuery, SortBy
from core.memory.records import TierSort
from core.records.findings import FINDINGS, Category, FindingKind
from core.records.memory_meta import Tier
from core.store.items import Kind
from pages.actions import Blank, Call, Handlers, Id, Reply, action
from pages.memory_rows import due_row, found_row, history_row, item_row, left_row


class Sought(Call):
    """A search in the memory. Empty ``tiers`` means all tiers. ``kinds`` and ``categories`` refer to findings extracted
    from books; if either is given, only such findings are searched."""

    query: Annotated[str, Field(max_length=2_000)]
    tiers: Annotated[list[Tier], Field(max_length=5)] = Field([])
    sort: SortBy = "relevance"
    limit: Annotated[int, Field(ge=1, le=MOST)] = MOST
    kinds: Annotated[list[FindingKind], Field(max_length=3)] = Field([])
    categories: Annotated[list[Category], Field(max_length=40)] = Field([])


class TierPage(Call):
    """One page of a tier's memories. ``after``: id of the last memory on the previous page."""

    tier: Tier
    sort: TierSort = "newest"
    after: Annotated[Id | None, Blank] = None
    limit: Annotated[int, Field(ge=1, le=200)] = 50


class Promoting(Call):
    """``dry_run``: only report which memories would be promoted, and change nothing."""

    dry_run: bool = True


class OneMemory(Call):
    """A memory of any tier."""

    memory_id: Id


class OneConversation(Call):
    """A conversation from which memories were stored."""

    conversation_id: Id


class MemoryPage(Handlers):
    """Actions that the script of the Memory tab can call, except those on the memory bank."""

    @action("memory", "chat", endpoint="search_memory", scope="read")
    async def search_memory(self, user_id: str, call: Sought) -> Reply:
        """Search the memory; each hit is explained. Working memory is always searched, but shown only on request."""
        if not call.query.strip():
            raise fail("validation", "pages.memory.search_memory")
        taken_out: list[Kind] = [*(call.kinds or (FINDINGS if call.categories else ()))]
        tiers: list[Tier] = ["books"] if taken_out else call.tiers
        query = MemoryQuery(
            user_id,
            call.query,
            tiers=tiers or None,
            sort_by=call.sort,
            limit=MOST if tiers else call.limit,
            kinds=taken_out,
            tags=call.categories,
        )
        result = await self._workbench.memory.search(query)
        wanted = [hit for hit in result.hits if not tiers or hit.tier in tiers][: call.limit]
        hits = [hit.model_copy(update={"position": number}) for number, hit in enumerate(wanted, start=1)]
        return found_row(result, hits, call.ui, self._workbench.memory.bank.tag_of)

    @action("memory", endpoint="memory_stats", scope="read")
    async def memory_stats(self, user_id: str, call: Call) -> Reply:
        """Counts, scores and ages by tier, memories due for promotion, and whether the memory is switched on."""
        settings = self._workbench.settings.memory
        stats = await self._workbench.memory.stats(user_id)
        return {
            "enabled": settings.enabled,
            "tiers": [view.model_dump(mode="json") for view in await self._workbench.memory.inspection.tiers(user_id)],
            "statuses": {**stats.statuses},
            "bank_capacity": stats.bank_capacity,
            "archive_below": settings.archive_below,
            "promote_minutes": settings.promote_minutes,
        }

    @action("memory", scope="read")
    async def memory_state(self, user_id: str, call: Call) -> Reply:
        """Whether the memory is switched on."""
        return {"enabled": self._workbench.settings.memory.enabled}

    @action("memory", endpoint="list_tier", scope="read")
    async def list_tier(self, user_id: str, call: TierPage) -> Reply:
        """One page of a tier's memories. To get the next page, pass the reply's ``next`` as ``after``."""
        found = await self._workbench.memory.inspection.page(user_id, call.tier, call.sort, call.after, call.limit)
        return {
            "items": [item_row(item) for item in found],
            "next": found[-1].id if len(found) == call.limit else None,
        }

    @action("memory", "system", endpoint="promote_memory", noted="changed")
    async def promote_memory(self, user_id: str, call: Promoting) -> Reply:
        """Promote, expire and archive the memories that are due. A dry run only reports which ones are due."""
        due = await self._workbench.memory.inspection.due(user_id)
        items = await self._workbench.memory.inspection.items(user_id, [each.memory_id for each in due.transitions])
        done = due if call.dry_run else await self._workbench.memory.promote_now(user_id)
        return due_row(done, items)

    @action("memory", "chat", endpoint="memory_history", scope="read")
    async def memory_history(self, user_id: str, call: OneMemory) -> Reply:
        """Earlier texts, outcomes and tier changes of one memory."""
        return history_row(await self._workbench.memory.inspection.history(user_id, call.memory_id))

    @action("memory", endpoint="conversation_memory", scope="read")
    async def conversation_memory(self, user_id: str, call: OneConversation) -> Reply:
        """Memories from one conversation: learned facts, exchanges and questions, without replaced versions."""
        conversation = await self._workbench.conversations.get(user_id, call.conversation_id)
        left = await self._workbench.memory.inspection.left_by(user_id, call.conversation_id)
        replaced = await self._workbench.conversations.replaced(user_id, call.conversation_id)
        current = [each for each in left.asked if each.id not in replaced]
        return {"title": conversation.title, **left_row(left.model_copy(update={"asked": current}))}
