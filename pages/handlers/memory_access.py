"""Memory endpoints for programs: facts, advice, passages of books, small stored values, outcomes of tools."""

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
    """A question, or words to search for."""

    question: Text


class Passages(Asked):
    """A search for passages: their maximum number, their kinds (empty for text passages only), and their categories."""

    limit: Annotated[int, Field(ge=1, le=100)] = 10
    kinds: Annotated[list[BookKind], Field(max_length=4)] = Field([])
    categories: Annotated[list[Category], Field(max_length=40)] = Field([])


class Entities(Call):
    """Names of people, companies, places or things."""

    entities: Annotated[list[Name], Field(min_length=1, max_length=50)]


class ContextType(Call):
    """The kind of question, as returned by ``get_context_insights``."""

    context_type: Name


class Key(Call):
    """The key under which a value is stored."""

    key: Name


class Value(Key):
    """A key, and the JSON value to store under it."""

    value: Any


class OneAnswer(Call):
    """An answer, by its message id."""

    message_id: Id


class Ended(OneAnswer):
    """How a tool or an action within an answer ended. ``result``: the tool's result; ``document_ids``: the documents
    that the action read."""

    name: Name
    kind: Literal["tool", "action"] = "action"
    tier: Tier | None = None
    document_ids: Annotated[list[Id], Field(max_length=300)] = Field([])
    result: Literal["ok", "error", "timeout"] = "ok"
    milliseconds: Annotated[float, Field(ge=0)] = 0.0
    run_id: Name | None = None


class MemoryAccess(Handlers):
    """Memory actions for endpoints only; the pages show the same data in another form."""

    @action(endpoint="get_facts_for_entities", scope="read")
    async def get_facts_for_entities(self, user_id: str, call: Entities) -> Reply:
        """Facts of the memory bank that name one of the given entities, best first."""
        found = await self._workbench.memory.get_facts_for_entities(user_id, call.entities)
        return {"facts": [item_row(item) for item in found]}

    @action(endpoint="get_user_context", scope="read")
    async def get_user_context(self, user_id: str, call: Call) -> Reply:
        """Known facts about the user: who they are and how they like answers, best first."""
        return {"facts": [item_row(item) for item in await self._workbench.memory.get_user_context(user_id)]}

    @action(endpoint="get_cold_start_context", scope="read")
    async def get_cold_start_context(self, user_id: str, call: Call) -> Reply:
        """The context that is added to a conversation's first answer; empty if nothing is known about the user."""
        return {"text": await self._workbench.memory.get_cold_start_context(user_id)}

    @action(endpoint="get_context_insights", scope="read")
    async def get_context_insights(self, user_id: str, call: Asked) -> Reply:
        """What the outcomes of past answers show about a question: what worked, what failed, which memory tier and
        which action helped."""
        return (await self._workbench.memory.get_context_insights(user_id, call.question)).model_dump(mode="json")

    @action(endpoint="get_tier_recommendations", scope="read")
    async def get_tier_recommendations(self, user_id: str, call: Asked) -> Reply:
        """Memory tiers that helped with similar questions, best first."""
        found = await self._workbench.memory.get_tier_recommendations(user_id, call.question)
        return {"recommendations": [each.model_dump(mode="json") for each in found]}

    @action(endpoint="get_action_effectiveness", scope="read")
    async def get_action_effectiveness(self, user_id: str, call: ContextType) -> Reply:
        """How often each action worked for this kind of question."""
        found = await self._workbench.memory.get_action_effectiveness(user_id, call.context_type)
        return {"actions": [each.model_dump(mode="json") for each in found]}

    @action(endpoint="retrieve_from_books", scope="read")
    async def retrieve_from_books(self, user_id: str, call: Passages) -> Reply:
        """Search published documents: passages, or extracted quotes, mental models and summaries, with explanations."""
        result = await self._workbench.memory.retrieve_from_books(
            user_id, call.question, call.limit, kinds=call.kinds, categories=call.categories
        )
        return found_row(result, result.hits, call.ui, self._workbench.memory.bank.tag_of)

    @action("library", endpoint="remember_transcript")
    async def remember_transcript(self, user_id: str, call: OneDocument) -> Reply:
        """Store a document that is a chat or meeting transcript in the memory as a conversation, with each statement
        and its speaker."""
        items = await self._workbench.remember_transcript(user_id, call.id)
        return {"speakers": dict(Counter(item.source.speaker or "" for item in items)), "turns": len(items)}

    @action(endpoint="list_books", scope="read")
    async def list_books(self, user_id: str, call: Call) -> Reply:
        """The published documents that the memory can search."""
        return {"books": [each.model_dump(mode="json") for each in await self._workbench.memory.list_books(user_id)]}

    @action(endpoint="remove_book", noted="deleted")
    async def remove_book(self, user_id: str, call: OneDocument) -> Reply:
        """Remove a published document for all readers, including what the memory learned about actions on it."""
        await self._workbench.memory.remove_book(user_id, call.id)
        return {"removed": call.id}

    @action(endpoint="store_data")
    async def store_data(self, user_id: str, call: Value) -> Reply:
        """Store a small value under a key, replacing the previous value."""
        await self._workbench.memory.store_data(user_id, call.key, call.value)
        return {"key": call.key}

    @action(endpoint="retrieve_data", scope="read")
    async def retrieve_data(self, user_id: str, call: Key) -> Reply:
        """The value stored under a key; ``null`` if there is none."""
        return {"key": call.key, "value": await self._workbench.memory.retrieve_data(user_id, call.key)}

    @action(endpoint="answer_outcomes", scope="read")
    async def answer_outcomes(self, user_id: str, call: OneAnswer) -> Reply:
        """All ratings of an answer, with who gave them and why, oldest first."""
        said = await self._workbench.memory.outcome_events_of(user_id, call.message_id)
        return {"outcomes": [each.model_dump(mode="json", include=TOLD) for each in said]}

    @action(endpoint="record_action_outcome")
    async def record_action_outcome(self, user_id: str, call: Ended) -> Reply:
        """Record how a tool run or an action of an answer ended, to be scored with the answer. ``known``: whether the
        answer exists."""
        done: ToolRun | ActionTaken
        if call.kind == "tool":
            run_id = call.run_id or new_id("tool")
            done = ToolRun(name=call.name, run_id=run_id, result=call.result, milliseconds=call.milliseconds)
        else:
            done = ActionTaken(name=call.name, tier=call.tier, document_ids=call.document_ids)
        return {"known": await self._workbench.memory.record_action_outcome(user_id, call.message_id, done)}
