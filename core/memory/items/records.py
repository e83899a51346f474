"""Defines the memory's other records: versions, answers, outcomes, transitions."""

from __future__ import annotations

from typing import Literal, Self, get_args

from pydantic import BaseModel, Field, model_validator

from core.memory.items.problem_signature import signature
from core.memory.items.reasons import FailureReason
from core.records.memory_meta import Tier
from core.store.items import Kind, MemoryItem, Outcome, Place, Quality, Status

Authority = Literal["person", "detector", "model"]
"""Sources of outcome reports by priority: the first one in this list that has reported decides."""

AUTHORITIES: tuple[Authority, ...] = get_args(Authority)

BankTag = Literal["identity", "preference", "goal", "project", "system_mastery", "agent_growth", "workflow", "context"]
BANK_TAGS: tuple[BankTag, ...] = get_args(BankTag)
VersionReason = Literal["edited", "updated", "merged", "rewritten"]
Reason = Literal["promoted", "expired", "garbage", "capacity", "rewritten", "person"]


class Record(BaseModel, populate_by_name=True):
    """A document in the record store."""

    id: str = Field(alias="_id")
    user_id: str
    version: int = 0


class NewMemory(BaseModel):
    """A new memory. ``initial_score``: see docs/specification.md, "Outcomes"; ``place`` is its position in its
    episode."""

    tier: Tier
    text: str
    kind: Kind = "fact"
    summary: str | None = None
    tags: list[str] = []
    quality: Quality | None = None
    always_inject: bool = False
    initial_score: float = Field(0.5, ge=0, le=1)
    conversation_id: str | None = None
    message_id: str | None = None
    place: Place = Place()
    question: str | None = None
    answer: str | None = None
    memory_ids: list[str] = []
    tools: list[str] = []
    entities: list[str] = []


class VersionRecord(Record):
    """An item's earlier text, or an item that was merged into another (``merged_id``)."""

    memory_id: str
    number: int
    archived_text: str
    archived_at: float
    archived_quality: Quality | None = None
    archived_tags: list[str] = []
    reason: VersionReason
    merged_id: str | None = None


class ToolRun(BaseModel):
    """A tool run's result."""

    name: str
    run_id: str
    result: Literal["ok", "error", "timeout"]
    milliseconds: float = 0.0


class ActionTaken(BaseModel):
    """An action that was taken for an answer, with its tier and the documents it read."""

    name: str
    tier: Tier | None = None
    document_ids: list[str] = []


class AnswerRecord(Record):
    """The sources that were available to an answer; its outcome is applied only to what this record lists.

    ``positions`` are the memories in the order shown, ``used`` those that the answer refers to. ``cited`` has the
    passages that it cites, with their numbers in the answer. ``rests_on`` is everything that the answer used, even if
    an outcome was limited to a part. ``question_in_full`` has the parts that a follow-up question took over from
    earlier ones. The ``_id`` is the message's id.
    """

    conversation_id: str | None = None
    question: str
    question_in_full: str = ""
    context_type: str = "general"
    concepts: list[str] = []
    positions: list[str] = []
    used: list[str] | None = None
    rests_on: list[str] = []
    cited: dict[str, int] = {}
    tiers: dict[str, Tier] = {}
    actions: list[ActionTaken] = []
    tool_runs: list[ToolRun] = []
    created_at: float
    outcome: Outcome | None = None
    authority: Authority | None = None
    learned: Outcome | None = None
    """The outcome that is already counted in the routing and action statistics."""


class OutcomeEvent(Record):
    """A reported outcome of an answer; ``applied`` when all scores include it."""

    answer_id: str
    conversation_id: str | None = None
    outcome: Outcome
    authority: Authority
    confidence: float = 1.0
    used: list[str] | None = None
    """Ids of the memories that the outcome is about; ``None`` for all that the answer had available."""
    indicators: list[str] = []
    reasoning: str = ""
    why: FailureReason | None = None
    timestamp: float
    applied: bool = False


class OutcomeExample(Record):
    """An answer's effective outcome for one memory: the question, the memory used, the outcome.

    ``_id`` is derived from answer and memory, so applying the outcome twice has no further effect. ``vector`` (float16,
    base64) is the question's vector, if a model was available. ``direct``: the feedback was about this source only, and
    not about everything the answer used.
    """

    answer_id: str
    memory_id: str
    question: str
    signature: str = ""
    outcome: Outcome
    authority: Authority
    at: float
    vector: str | None = None
    direct: bool = False
    why: FailureReason | None = None

    @model_validator(mode="after")
    def _sign(self) -> Self:
        self.signature = self.signature or signature(self.question)
        return self


TRANSITIONS = "memory_transitions"
"""The collection of :class:`Transition`."""


class Transition(Record):
    """A change of an item's tier or status, with the reason."""

    memory_id: str
    at: float
    from_tier: Tier
    to_tier: Tier
    from_status: Status
    to_status: Status
    reason: Reason
    score: float = 0.5
    uses: int = 0
    done: bool = False
    """Whether the change was also carried out on the item; ``version`` is the item's version at the decision."""


class ScoreChange(BaseModel):
    """An outcome's effect on one memory, as the page shows it."""

    memory_id: str
    preview: str
    tier: Tier
    to_tier: Tier
    status: Status = "active"
    before: float
    after: float
    uses: int


class OutcomeEffect(BaseModel):
    """An outcome's effect. ``unscored`` are books and bank items, which outcomes never score; ``ignored`` is the reason
    if nothing changed."""

    answer_id: str
    outcome: Outcome
    moved: list[ScoreChange] = []
    unscored: list[str] = []
    ignored: Literal["lower authority", "same as before"] | None = None


def preview(item: MemoryItem, characters: int = 160) -> str:
    """The beginning of the text, for lists; the stored text is never cut."""
    line = " ".join(item.text.split())
    return line if len(line) <= characters else f"{line[: characters - 1].rstrip()}…"


class PromotionReport(BaseModel):
    """A promotion run's result. ``checked`` counts the items examined; ``busy``: another process is
    running promotion."""

    transitions: list[Transition] = []
    checked: int = 0
    busy: bool = False

    def count(self, reason: Reason) -> int:
        return sum(each.reason == reason for each in self.transitions)


Aim = Literal["goal", "value"]


def text_of(question: str, answer: str) -> str:
    """A question and its answer as one text."""
    return f"User: {question}\nAssistant: {answer}"


BankSort = Literal["updated", "created", "quality", "mentions"]
