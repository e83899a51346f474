"""What programs ask of the memory and tell it: facts, advice, passages of books, small data, how a tool ended."""

from __future__ import annotations

from collections import Counter
from typing import Annotated, Any, Literal

from pydantic import Field

from core.ids import new_id
from core.memory.items.records import ActionTaken, ToolRun
from core.records.findings import BookKind, Category
from core.records.memory_meta import Tier
from pages.actions import Call, Handlers, Id, OneDocument, Reply, action
from pages.memory_rows import found_row, item_row

Text = Annotated[str, Field(min_length=1, max_length=2_000)]
Name = Annotated[str, Field(min_length=1, max_length=200)]

TOLD = {"outcome", "authority", "confidence", "indicators", "reasoning", "why", "timestamp"}


class Asked(Call):
    """A question, or the words of one."""

    question: Text


class Passages(Asked):
    """How many of them, at most; of which kinds (none for passages alone), and of which categories."""

    limit: Annotated[int, Field(ge=1, le=100)] = 10
    kinds: Annotated[list[BookKind], Field(max_length=4)] = Field([])
    categories: Annotated[list[Category], Field(max_length=40)] = Field([])


class Entities(Call):
    """Names of people, companies, places or things."""

    entities: Annotated[list[Name], Field(min_length=1, max_length=50)]


class ContextType(Call):
    """The kind of question, as ``get_context_insights`` names it."""

    context_type: Name


class Key(Call):
    """The name under which a value is kept."""

    key: Name


class Value(Key):
    """Any JSON."""

    value: Any


class OneAnswer(Call):
    """An answer, by the id of its message."""

    message_id: Id


class Ended(OneAnswer):
    """How a tool or an action within an answer ended; ``result`` is a tool's, ``document_ids`` are what an action
    read."""

    name: Name
    kind: Literal["tool", "action"] = "action"
    tier: Tier | None = None
    document_ids: Annotated[list[Id], Field(max_length=300)] = Field([])
    result: Literal["ok", "error", "timeout"] = "ok"
    milliseconds: Annotated[float, Field(ge=0)] = 0.0
    run_id: Name | None = None


class MemoryAccess(Handlers):
    """Endpoints alone: the pages show the same in other forms."""

    @action(endpoint="get_facts_for_entities", scope="read")
    async def get_facts_for_entities(self, user_id: str, call: Entities) -> Reply:
        """Facts of the bank that name one of the entities, the best first."""
        found = await self._workbench.memory.get_facts_for_entities(user_id, call.entities)
        return {"facts": [item_row(item) for item in found]}

    @action(endpoint="get_user_context", scope="read")
    async def get_user_context(self, user_id: str, call: Call) -> Reply:
        """What is known of the person: who they are and how they like answers, the best first."""
        return {"facts": [item_row(item) for item in await self._workbench.memory.get_user_context(user_id)]}

    @action(endpoint="get_cold_start_context", scope="read")
    async def get_cold_start_context(self, user_id: str, call: Call) -> Reply:
        """The block that stands before the first answer of a conversation; empty when nothing is known."""
        return {"text": await self._workbench.memory.get_cold_start_context(user_id)}

    @action(endpoint="get_context_insights", scope="read")
    async def get_context_insights(self, user_id: str, call: Asked) -> Reply:
        """What past outcomes say of a question: what worked, what failed, which tier and which action helped."""
        return (await self._workbench.memory.get_context_insights(user_id, call.question)).model_dump(mode="json")

    @action(endpoint="get_tier_recommendations", scope="read")
    async def get_tier_recommendations(self, user_id: str, call: Asked) -> Reply:
        """The tiers that helped with questions like this one, the best first."""
        found = await self._workbench.memory.get_tier_recommendations(user_id, call.question)
        return {"recommendations": [each.model_dump(mode="json") for each in found]}

    @action(endpoint="get_action_effectiveness", scope="read")
    async def get_action_effectiveness(self, user_id: str, call: ContextType) -> Reply:
        """How often each action did well on this kind of question."""
        found = await self._workbench.memory.get_action_effectiveness(user_id, call.context_type)
        return {"actions": [each.model_dump(mode="json") for each in found]}

    @action(endpoint="retrieve_from_books", scope="read")
    async def retrieve_from_books(self, user_id: str, call: Passages) -> Reply:
        """Passages of published documents, or quotes, mental models and summaries taken out of them, explained."""
        result = await self._workbench.memory.retrieve_from_books(
            user_id, call.question, call.limit, kinds=call.kinds, categories=call.categories
        )
        return found_row(result, result.hits, call.ui, self._workbench.memory.bank.tag_of)

    @action("library", endpoint="remember_transcript")
    async def remember_transcript(self, user_id: str, call: OneDocument) -> Reply:
        """A document that is a transcript of a chat or a meeting, remembered as a conversation: turns by speaker."""
        items = await self._workbench.remember_transcript(user_id, call.id)
        return {"speakers": dict(Counter(item.source.speaker or "" for item in items)), "turns": len(items)}

    @action(endpoint="list_books", scope="read")
    async def list_books(self, user_id: str, call: Call) -> Reply:
        """The published documents as the memory lists them."""
        return {"books": [each.model_dump(mode="json") for each in await self._workbench.memory.list_books(user_id)]}

    @action(endpoint="remove_book", noted="deleted")
    async def remove_book(self, user_id: str, call: OneDocument) -> Reply:
        """Gone for every reader at once, with what actions remember of it."""
        await self._workbench.memory.remove_book(user_id, call.id)
        return {"removed": call.id}

    @action(endpoint="store_data")
    async def store_data(self, user_id: str, call: Value) -> Reply:
        """Keep a small value under a key; what stood there before is gone."""
        await self._workbench.memory.store_data(user_id, call.key, call.value)
        return {"key": call.key}

    @action(endpoint="retrieve_data", scope="read")
    async def retrieve_data(self, user_id: str, call: Key) -> Reply:
        """The value that is kept under a key, or nothing."""
        return {"key": call.key, "value": await self._workbench.memory.retrieve_data(user_id, call.key)}

    @action(endpoint="answer_outcomes", scope="read")
    async def answer_outcomes(self, user_id: str, call: OneAnswer) -> Reply:
        """All that was said of how an answer did, by whom and why, the earliest first."""
        said = await self._workbench.memory.outcome_events_of(user_id, call.message_id)
        return {"outcomes": [each.model_dump(mode="json", include=TOLD) for each in said]}

    @action(endpoint="record_action_outcome")
    async def record_action_outcome(self, user_id: str, call: Ended) -> Reply:
        """Note a tool run or an action of an answer, to be scored with it; ``known``: whether there is this answer."""
        done: ToolRun | ActionTaken
        if call.kind == "tool":
            run_id = call.run_id or new_id("tool")
            done = ToolRun(name=call.name, run_id=run_id, result=call.result, milliseconds=call.milliseconds)
        else:
            done = ActionTaken(name=call.name, tier=call.tier, document_ids=call.document_ids)
        return {"known": await self._workbench.memory.record_action_outcome(user_id, call.message_id, done)}
