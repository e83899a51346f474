"""The six memory tools for programs, with their requests and replies."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, Field

from core.memory.items.records import BankTag, OutcomeEffect
from core.memory.recall.records import Citation, Insights
from core.records.memory_meta import Tier
from core.store.items import Outcome
from pages.actions import OURS, Handlers, ProgramCall, Tool, action, alias

INSIGHTS = (
    "Call this before you answer: it returns what past outcomes show about a question. What worked, what failed, "
    "which tiers and actions helped, what is already known. It takes milliseconds and does not search by meaning."
)
SEARCH = (
    "Search the user's memories: facts, earlier conversations, patterns that worked. The hits are numbered; "
    "record_response refers to them by these numbers."
)
RESPONSE = (
    "Record the outcome of your own answer when it is known: the takeaway, the outcome, and the memories from the "
    "latest search_memory that it used (by their numbers or ids). These memories then rank higher or lower. For an "
    "answer of ask, use record_feedback."
)
ADD = "Save a lasting fact that the user stated explicitly about themselves or their work."
UPDATE = (
    "Correct a fact in the memory bank that has changed, by its id or by words from it. The old text is kept as a "
    "version."
)
ARCHIVE = "Archive a fact in the memory bank that is no longer true, by its id or by words from it. It can be restored."

Text = Annotated[str, Field(min_length=1, max_length=2_000)]
Share = Annotated[float, Field(ge=0, le=1)]


class AskedInsights(ProgramCall):
    """The question about which past outcomes are requested."""

    query: Annotated[Text, alias("query", "q")]


class SoughtMemory(ProgramCall):
    """A search in the memory. Empty ``collections`` means all tiers. If ``limit`` is not given, it depends on the kind
    of question."""

    query: Annotated[Text, alias("query", "q")]
    collections: list[Tier] = Field([], max_length=5)
    limit: int | None = Field(None, ge=1, le=20)
    sort_by: Literal["relevance", "recency", "score"] | None = None


class GivenResponse(ProgramCall):
    """A program's answer and its outcome. ``related``: numbers or ids of memories from the latest search; if empty, all
    memories that were returned are scored."""

    key_takeaway: Text
    outcome: Outcome = "unknown"
    related: list[int | str] = Field([], max_length=100)


class NewFact(ProgramCall):
    """A fact to save. ``always_inject``: whether it is added to the context of every answer."""

    content: Text
    tags: list[BankTag] = Field([], max_length=8)
    importance: Share = 0.7
    confidence: Share = 0.7
    always_inject: bool = False


class MeantFact(ProgramCall):
    """A fact, by its id or some of its words."""

    memory_id: str | None = None
    match_query: str | None = Field(None, max_length=2_000)


class ChangedFact(MeantFact):
    """Changes of a fact; fields that are not given stay unchanged."""

    new_content: Text
    tags: list[BankTag] | None = None
    importance: Share | None = None
    confidence: Share | None = None


class RecalledMemory(BaseModel):
    """A memory that was found. ``position``: its number in the result; ``score``: how well it fits the query; ``uses``
    and ``last_outcome``: its history so far."""

    position: int
    memory_id: str
    tier: Tier
    text: str
    age: str
    score: float
    uses: int
    last_outcome: Outcome | None = None
    citation: Citation


class RecalledMemories(BaseModel):
    """The memories that were found, numbered from 1."""

    hits: list[RecalledMemory]


class Fact(BaseModel):
    """An entry of the memory bank."""

    id: str
    status: str
    text: str
    tags: list[str]


class StoredFact(BaseModel):
    """The saved fact. ``what``: whether it was new, was merged with an existing fact, or updated one."""

    item: Fact
    what: Literal["new", "merged", "updated"]


class MemoryToolset(Handlers):
    """Memory tools for one program. An outcome scores the memories that this program received."""

    @action(tool=Tool("get_context_insights", Insights, INSIGHTS, reads=True))
    async def context_insights(self, user_id: str, call: AskedInsights) -> BaseModel:
        """What past outcomes show about a question."""
        return await self._workbench.program_tools.call(user_id, call.program, "get_context_insights", _given(call))

    @action(tool=Tool("search_memory", RecalledMemories, SEARCH, reads=True))
    async def search_of_program(self, user_id: str, call: SoughtMemory) -> BaseModel:
        """Memories relevant to the search words, numbered."""
        return await self._workbench.program_tools.call(user_id, call.program, "search_memory", _given(call))

    @action(tool=Tool("record_response", OutcomeEffect, RESPONSE))
    async def record_response(self, user_id: str, call: GivenResponse) -> BaseModel:
        """Records whether an answer that the program gave worked."""
        return await self._workbench.program_tools.call(user_id, call.program, "record_response", _given(call))

    @action(tool=Tool("add_to_memory_bank", StoredFact, ADD, repeatable=True))
    async def add_to_memory_bank(self, user_id: str, call: NewFact) -> BaseModel:
        """Saves a fact."""
        return await self._workbench.program_tools.call(user_id, call.program, "add_to_memory_bank", _given(call))

    @action(tool=Tool("update_memory", Fact, UPDATE, destroys=True, repeatable=True))
    async def update_memory(self, user_id: str, call: ChangedFact) -> BaseModel:
        """Corrects a fact."""
        return await self._workbench.program_tools.call(user_id, call.program, "update_memory", _given(call))

    @action(tool=Tool("archive_memory", Fact, ARCHIVE, destroys=True, repeatable=True), noted="deleted")
    async def archive_memory(self, user_id: str, call: MeantFact) -> BaseModel:
        """Archives a fact."""
        return await self._workbench.program_tools.call(user_id, call.program, "archive_memory", _given(call))


def _given(call: ProgramCall) -> dict[str, object]:
    """The arguments that the program gave, without those that were omitted."""
    said = call.model_dump(exclude=set(OURS), exclude_none=True)
    return {name: value for name, value in said.items() if value != []}
