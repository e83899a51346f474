"""Defines the memory's tools as plain typed functions; the agent offers them to a model."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime, time
from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import AliasChoices, BaseModel, BeforeValidator, Field

from core.clock import DAY
from core.errors import fail
from core.memory.bank.bank import Stored
from core.memory.items.records import BankTag, OutcomeEffect
from core.memory.recall.records import Insights, MemoryHit, MemoryQuery, SortBy
from core.memory.recall.turn import Turn
from core.records.memory_meta import Tier
from core.store.items import TIERS, Kind, MemoryItem, Outcome
from core.words import Words

if TYPE_CHECKING:
    from core.memory.memory import Memory


"""Time limit in seconds."""


def _as_list(value: object) -> object:
    """The value as a list; it may be a list, one name, or several names separated by commas."""
    if isinstance(value, str):
        return [part.strip() for part in value.split(",") if part.strip()]
    return value


def _collections(value: object) -> object:
    listed = _as_list(value)
    return list(TIERS) if isinstance(listed, list) and "all" in listed else listed


class _Arguments(BaseModel, extra="ignore", populate_by_name=True):
    """Base of tool arguments; unknown arguments from a model are ignored."""


_Query = Annotated[str, Field(min_length=1, validation_alias=AliasChoices("query", "q", "search", "text"))]


class InsightsArguments(_Arguments):
    query: _Query


class MetadataFilter(_Arguments):
    """Conditions on a memory: it has any of the tags and kinds, is from these days (both included), is from this
    conversation."""

    tags: Annotated[list[str], BeforeValidator(_as_list)] = []
    kinds: Annotated[list[Kind], BeforeValidator(_as_list)] = []
    since: date | None = None
    until: date | None = None
    conversation_id: str | None = None

    def query(self, query: MemoryQuery) -> MemoryQuery:
        return replace(
            query,
            tags=self.tags,
            kinds=self.kinds,
            since=_midnight(self.since) if self.since else None,
            until=_midnight(self.until) + DAY if self.until else None,
            conversation_ids=[self.conversation_id] if self.conversation_id else [],
        )


def _midnight(day: date) -> float:
    return datetime.combine(day, time(), UTC).timestamp()


class SearchArguments(_Arguments):
    query: _Query
    collections: Annotated[list[Tier] | None, BeforeValidator(_collections)] = None
    limit: int | None = Field(None, ge=1, le=20)
    sort_by: SortBy | None = None
    metadata: MetadataFilter = MetadataFilter()


class ResponseArguments(_Arguments):
    key_takeaway: str = Field(min_length=1, validation_alias=AliasChoices("key_takeaway", "takeaway", "summary"))
    outcome: Outcome = "unknown"
    related: list[int | str] | None = None


class BankArguments(_Arguments):
    content: str = Field(min_length=1, validation_alias=AliasChoices("content", "text", "memory"))
    tags: Annotated[list[BankTag], BeforeValidator(_as_list)] = []
    importance: float = Field(0.7, ge=0, le=1)
    confidence: float = Field(0.7, ge=0, le=1)
    always_inject: bool = False


class _Target(_Arguments):
    memory_id: str | None = Field(None, validation_alias=AliasChoices("memory_id", "id"))
    match_query: str | None = Field(None, validation_alias=AliasChoices("match_query", "old_content", "query", "q"))


class UpdateArguments(_Target):
    new_content: str = Field(min_length=1, validation_alias=AliasChoices("new_content", "content", "text"))
    tags: Annotated[list[BankTag] | None, BeforeValidator(_as_list)] = None
    importance: float | None = Field(None, ge=0, le=1)
    confidence: float | None = Field(None, ge=0, le=1)


class ArchiveArguments(_Target):
    pass


class Found(BaseModel):
    """A search's result. ``hits`` have their full text, numbered from 1; ``skipped`` lists tiers or stages that could
    not be searched."""

    hits: list[MemoryHit]
    skipped: list[Words] = []


class MemoryTools:
    """The memory tools for one question; they share the numbering of memories with the prefetch before them."""

    def __init__(self, memory: Memory, turn: Turn) -> None:
        self._memory = memory
        self._turn = turn

    async def get_context_insights(self, arguments: InsightsArguments) -> Insights:
        return await self._memory.get_context_insights(self._turn.user_id, arguments.query)

    async def search_memory(self, arguments: SearchArguments) -> Found:
        """Search the memory again. Raises ``PalimpsestError`` ("validation") when the extra search was already used."""
        turn = self._turn
        if not turn.may_search():
            raise fail("validation", "memory.tools.searched_enough")
        turn.refinements += 1
        query = MemoryQuery(
            user_id=turn.user_id,
            text=arguments.query,
            tiers=arguments.collections,
            limit=arguments.limit,
            sort_by=arguments.sort_by,
        )
        result = await self._memory.search(arguments.metadata.query(query))
        turn.shown([(hit.memory_id, hit.tier) for hit in result.hits])
        return Found(hits=result.hits, skipped=result.record.skipped)

    async def record_response(self, arguments: ResponseArguments) -> OutcomeEffect:
        return await self._memory.record_response(
            self._turn, arguments.key_takeaway, arguments.outcome, arguments.related
        )

    async def add_to_memory_bank(self, arguments: BankArguments) -> Stored:
        """Store a fact in the memory bank. Values that are not given are filled in, because the bank requires them."""
        return await self._memory.bank.remember(
            self._turn.user_id,
            arguments.content,
            tags=arguments.tags,
            importance=arguments.importance,
            confidence=arguments.confidence,
            always_inject=arguments.always_inject,
            conversation_id=self._turn.conversation_id,
        )

    async def update_memory(self, arguments: UpdateArguments) -> MemoryItem:
        user_id = self._turn.user_id
        item = await self._memory.bank.resolve(user_id, arguments.memory_id, arguments.match_query)
        return await self._memory.bank.edit(
            user_id,
            item.id,
            text=arguments.new_content,
            tags=arguments.tags,
            importance=arguments.importance,
            confidence=arguments.confidence,
        )

    async def archive_memory(self, arguments: ArchiveArguments) -> MemoryItem:
        user_id = self._turn.user_id
        item = await self._memory.bank.resolve(user_id, arguments.memory_id, arguments.match_query)
        return await self._memory.bank.archive(user_id, item.id)


ToolName = Literal[
    "get_context_insights",
    "search_memory",
    "record_response",
    "add_to_memory_bank",
    "update_memory",
    "archive_memory",
]

ARGUMENTS: dict[ToolName, type[BaseModel]] = {
    "get_context_insights": InsightsArguments,
    "search_memory": SearchArguments,
    "record_response": ResponseArguments,
    "add_to_memory_bank": BankArguments,
    "update_memory": UpdateArguments,
    "archive_memory": ArchiveArguments,
}
