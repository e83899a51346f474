"""Defines all events of a run, as one discriminated union."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, BeforeValidator, Field, TypeAdapter

from core.errors import Problem
from core.records.answer import MOST_QUOTES, Answer, CellReference, Manner, Sureness
from core.records.data_answer import DataAnswer
from core.records.interrupts import InterruptKind, PlanStep
from core.records.memory_meta import MemoryMeta
from core.records.quotations import Meanwhile as Meanwhile
from core.records.quotations import Quote as Quote
from core.records.source_table import SourceTable
from core.records.spent import Spent
from core.records.subject_matter import Absent, Chip
from core.words import Language, Words

StepState = Literal["queued", "running", "done", "error"]
RunKind = Literal["question", "ingestion"]
RunOutcome = Literal["answered", "interrupted", "cancelled", "failed", "completed"]
Action = Literal["inquire", "summarize", "compare", "audit", "memory"]
SentenceVerdict = Literal["supported", "contradicted", "not_checked"]
_EARLIER = {"unsupported": "contradicted", "weak": "not_checked"}  # verdicts of earlier versions


class _Event(BaseModel, frozen=True):
    """Base of a run's events; immutable."""


class RunCreated(_Event):
    type: Literal["run.created"] = "run.created"
    kind: RunKind
    subject: str
    conversation_id: str | None = None
    language: Language = "en"


class StepCreated(_Event):
    type: Literal["step.created"] = "step.created"
    step_id: str
    parent_id: str | None = None
    label: Words
    status: StepState = "running"


class StepStatus(_Event):
    """A step's status. If a stage was skipped, ``skipped`` gives the reason and the status is ``done``."""

    type: Literal["step.status"] = "step.status"
    step_id: str
    status: StepState
    milliseconds: float | None = None
    skipped: Words | None = None


class StepDetail(_Event):
    type: Literal["step.detail"] = "step.detail"
    step_id: str
    detail: Words
    done: int | None = None
    total: int | None = None


class DocumentRef(_Event):
    """A document; ``hint`` distinguishes it from others with the same title."""

    document_id: str
    title: str
    hint: str = ""


class DocumentsFound(_Event):
    type: Literal["documents.found"] = "documents.found"
    documents: list[DocumentRef]


class Passage(_Event):
    """A piece of a source that an answer may quote. Positions are those of the chunk in its document; ``table`` is the
    number of the document's table whose rows it shows.

    ``outcomes`` is a factor from feedback on past answers to this question; 1 means that there was none.
    ``precedence``: 1 if the passage is known to answer this very question, -1 if it is known not to.
    ``near``: related, but not similar enough to be quoted. ``nearest``: matched no criterion, but none was nearer.
    """

    item_id: str
    text: str
    page: int | None = None
    section: str | None = None
    table: int | None = None
    position: int = 0
    score: float = 0.0
    outcomes: float = 1.0
    precedence: Literal[-1, 0, 1] = 0
    dense_rank: int | None = None
    lexical_rank: int | None = None
    dense: float | None = None
    lexical: float | None = None
    accepted_by: Literal["document", "all_terms", "filename", "strength", "nearest", "outcome"] = "strength"
    near: bool = False


class Source(_Event):
    """One citation: a document and its passages; for a model, one passage. ``number`` is the N of [N]. ``attached``:
    only to the conversation. Of a web page, ``filename`` is the host, ``url`` the address. Of a tool's result,
    ``filename`` is its server, ``table`` its rows, ``tool`` its title. ``cell``: a table row; ``data``: a query. What
    was said earlier has its day as ``period`` and its conversation as ``document_id``."""

    kind: Literal["document", "web", "tool", "conversation", "memory"] = "document"
    number: int
    document_id: str
    title: str
    filename: str
    score: float
    passages: list[Passage]
    attached: bool = False
    period: str = ""
    url: str = ""
    table: SourceTable | None = None
    tool: Words | None = None
    cell: CellReference | None = None
    data: DataAnswer | None = None


class Sources(_Event):
    type: Literal["sources"] = "sources"
    sources: list[Source]
    confidence: Literal["high", "medium", "low", "none"]
    searchable_share: float = 1.0


class Searched(_Event):
    """How the question was understood, as chips (labels) that the user can remove; ``confidence`` (0..1) is for all.
    ``question`` is the text that was searched, if the previous question completed it or a relative period was replaced.
    ``absent`` are names that no document contains; ``without`` are the keys of removed chips. ``from_memory``: nothing
    was searched, because the memory is enough to answer.
    """

    type: Literal["searched"] = "searched"
    chips: list[Chip] = []
    confidence: float = 1.0
    question: str = ""
    absent: list[Absent] = []
    without: list[str] = []
    from_memory: bool = False


class AnswerNow(_Event):
    """While ``open``, an answer can be had now: ``ready`` of ``total`` documents or rounds of tool calls."""

    type: Literal["answer.now"] = "answer.now"
    of: Literal["documents", "rounds"] = "documents"
    open: bool
    ready: int
    total: int


class PartlyRead(_Event):
    """The answer uses ``ready`` of ``total`` documents; a new answer follows when the others can be searched too."""

    type: Literal["documents.partly_read"] = "documents.partly_read"
    ready: int
    total: int
    document_ids: list[str]
    meaning: bool = False


class FollowedUp(_Event):
    """This run answers ``question`` again, because the run ``follows`` used only part of the documents."""

    type: Literal["answer.followed_up"] = "answer.followed_up"
    follows: str
    question: str
    ready: int
    total: int


class WebSearched(_Event):
    """The web was searched for ``queries``, with this number of results."""

    type: Literal["web.query"] = "web.query"
    engine: str
    queries: list[str]
    results: int


class Notice(_Event):
    """Information for the reader that is not an error: a skipped stage, a partial library."""

    type: Literal["notice"] = "notice"
    words: Words


class Choice(_Event):
    """One choice to click; in a ``doc_choice`` the id is a document's id, or ``all``. ``samples``: column values."""

    id: str
    label: str
    hint: str = ""
    samples: list[str] = []


class Detail(BaseModel):
    """One labelled part of the question that the run asks the user."""

    name: str
    text: str


class Interrupted(_Event):
    """The run asks the user something and waits for the reply; the texts are in the language of the user's question.

    ``several``: more than one choice is allowed. ``allows_text``: the user may type a text. ``details`` has the full
    text of what is asked about; ``question`` has its first line and a short form of the rest. ``steps`` are a plan's.
    """

    type: Literal["interrupt"] = "interrupt"
    interrupt_id: str
    kind: InterruptKind
    question: str
    details: list[Detail] = []
    choices: list[Choice] = []
    steps: list[PlanStep] = []
    allows_text: bool = False
    several: bool = False


class Answered(_Event):
    """What the user chose, typed, or made of a plan's ``steps``; all empty if the user cancelled."""

    type: Literal["interrupt.answered"] = "interrupt.answered"
    interrupt_id: str
    labels: list[str] = []
    text: str = ""
    steps: list[PlanStep] = []


class AssistantDelta(_Event):
    type: Literal["assistant.delta"] = "assistant.delta"
    text: str


class FirstLine(_Event):
    """The answer line that the tables give for certain, before a model writes below it."""

    type: Literal["answer.line"] = "answer.line"
    answer: Answer


class Reasoning(_Event):
    """The model's thinking, or its text before a tool call; never part of the answer, its history or the memory.
    ``retracted``: the number of the last characters of the streamed answer that this replaces."""

    type: Literal["assistant.reasoning"] = "assistant.reasoning"
    text: str
    retracted: int = 0


class Sentence(_Event):
    """A sentence of an answer, ``text[start:end]``, and whether the passages it cites support it."""

    start: int
    end: int
    verdict: Annotated[SentenceVerdict, BeforeValidator(lambda given: _EARLIER.get(given, given))]
    why: Words


class Response(_Event):
    """The finished answer. ``kind`` says how it was made (*told*: by the workbench itself; *remembered*: only from the
    memory). ``removed`` lists citations that referred to no source. ``answer`` is the answer's first line as data.
    ``confidence`` is the certainty that it answers the question, ``None`` if it makes no claim. In an answer that
    quotes, ``opening`` comes before the quotations (if nothing was found, it says what was searched) and ``remarks``
    after them (where sources agree or differ). ``manner``: how to display quotations. ``support``: a verdict per claim;
    ``supported``: share of supported ones. ``export`` is the answer as a table (CSV), if it is one. Tokens and cost are
    those of writing and checking the answer; :class:`Spent` has the whole run's. ``instead``: the answer is quoted
    because the model failed to write one. ``repeats``: number of characters at the beginning of a model's ``text`` that
    only repeat ``answer.line``."""

    type: Literal["response"] = "response"
    kind: Literal["generated", "extractive", "remembered", "nothing_found", "told"]
    text: str
    language: Language
    answer: Answer | None = None
    instead: bool = False
    repeats: int = 0
    confidence: Sureness | None = None
    opening: str = ""
    quotes: Annotated[list[Quote], BeforeValidator(lambda quotes: quotes[:MOST_QUOTES])] = []
    remarks: list[str] = []
    manner: Manner = Manner()
    removed: list[int] = []
    action: Action = "inquire"
    support: list[Sentence] = []
    supported: float | None = None
    export: str = ""
    disclaimers: list[Words] = []
    model: str | None = None
    tokens_in: int = 0
    tokens_out: int = 0
    cost: float | None = None
    milliseconds: float = 0.0


class Suggested(_Event):
    """Questions, actions that the user asked for but did not choose, and a model's questions that are not tried yet."""

    type: Literal["suggestions"] = "suggestions"
    questions: list[str] = []
    candidates: list[str] = []
    actions: list[Action] = []


class Remembered(_Event):
    """The memory's contribution to the answer."""

    type: Literal["memory.meta"] = "memory.meta"
    meta: MemoryMeta


class OfferMade(_Event):
    """A user's statement to remember; ``was``: the known text that it would replace; ``command``: what was ordered."""

    offer_id: str
    text: str
    was: str | None = None
    command: Literal["", "remember", "forget", "known"] = ""


class Offered(_Event):
    """Statements that the memory suggests remembering."""

    type: Literal["memory.offers"] = "memory.offers"
    offers: list[OfferMade]


class Title(_Event):
    type: Literal["title"] = "title"
    title: str


class Failure(_Event):
    type: Literal["error"] = "error"
    problem: Problem


class Heartbeat(_Event):
    type: Literal["heartbeat"] = "heartbeat"


class RunCompleted(_Event):
    """A run's final event."""

    type: Literal["run.completed"] = "run.completed"
    outcome: RunOutcome


Event = Annotated[
    RunCreated
    | StepCreated
    | StepStatus
    | StepDetail
    | DocumentsFound
    | Sources
    | Searched
    | AnswerNow
    | PartlyRead
    | FollowedUp
    | WebSearched
    | Notice
    | Interrupted
    | Answered
    | AssistantDelta
    | FirstLine
    | Reasoning
    | Meanwhile
    | Spent
    | Response
    | Suggested
    | Remembered
    | Offered
    | Title
    | Failure
    | Heartbeat
    | RunCompleted,
    Field(discriminator="type"),
]

event_adapter: TypeAdapter[Event] = TypeAdapter(Event)


class Entry(BaseModel, frozen=True):
    """An event in the ledger: ``sequence`` counts from 1 within the run, ``at`` is epoch seconds."""

    run_id: str
    sequence: int
    at: float
    event: Event
