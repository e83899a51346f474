"""Everything a run can say, as one discriminated union."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, BeforeValidator, Field, TypeAdapter

from core.errors import Problem
from core.records.answer import MOST_QUOTES, Answer, Manner, Sureness
from core.records.memory_meta import MemoryMeta
from core.records.spent import Spent
from core.records.subject_matter import Absent, Chip
from core.words import Language, Words

StepState = Literal["queued", "running", "done", "error"]
RunKind = Literal["question", "ingestion"]
RunOutcome = Literal["answered", "interrupted", "cancelled", "failed", "completed"]
Action = Literal["inquire", "summarize", "compare", "audit", "memory"]
InterruptKind = Literal["action_choice", "doc_choice", "text_input", "retrieval_low", "tool_choice"]


class _Event(BaseModel, frozen=True):
    """What a run says; it never changes."""


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
    """``skipped`` says why a stage did not happen; its status is then ``done``."""

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
    """``hint`` tells it from others of its title."""

    document_id: str
    title: str
    hint: str = ""


class DocumentsFound(_Event):
    type: Literal["documents.found"] = "documents.found"
    documents: list[DocumentRef]


class Passage(_Event):
    """A piece of a source that an answer may quote; positions are those of the chunk in its document, ``table`` the
    number of the document's table that it shows rows of.

    ``outcomes`` is the factor that past answers of it have earned it for this question; 1 says that there were none.
    ``precedence``: 1 where it is known to have answered this very question, -1 where it is known not to have.
    ``near``: close to the question, but not so close that it may be quoted as an answer; ``nearest`` says that nothing
    let it in but that nothing came closer.
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


class SourceTable(_Event):
    """Rows that a tool found; ``total`` is its own count of what matched, of which these may be a part. ``changed``:
    when its source says that it last changed; ``roles``: as what the columns may be drawn, where the source tells."""

    columns: list[str]
    rows: list[list[str | int | float | bool | None]]
    total: int | None = None
    changed: str = ""
    roles: list[str] = []


class Source(_Event):
    """One citation: a document and its passages; ``number`` is the N of [N]. ``attached`` to the conversation alone.

    Of a page of the web ``filename`` is its host and ``url`` its address; of what a tool found ``filename`` is the name
    of its server, and ``table`` the rows, where it found any. ``tool`` is the title of the tool that found it.
    """

    kind: Literal["document", "web", "tool"] = "document"
    number: int
    document_id: str
    title: str
    filename: str
    score: float
    passages: list[Passage]
    attached: bool = False
    url: str = ""
    table: SourceTable | None = None
    tool: Words | None = None


class Sources(_Event):
    type: Literal["sources"] = "sources"
    sources: list[Source]
    confidence: Literal["high", "medium", "low", "none"]
    searchable_share: float = 1.0


class Searched(_Event):
    """What the question was taken to be about, as chips that can be taken off; ``confidence`` 0..1 of all together.

    ``question`` is what was searched for, where a part of it was carried on from the question before, or a relative
    period was given its name. ``absent`` is what was named and no document has; ``without`` are the keys of the chips
    that were taken off. ``from_memory``: nothing was searched, for what is remembered answers alone.
    """

    type: Literal["searched"] = "searched"
    chips: list[Chip] = []
    confidence: float = 1.0
    question: str = ""
    absent: list[Absent] = []
    without: list[str] = []
    from_memory: bool = False


class AnswerNow(_Event):
    """The run waits for documents that are being read; while ``open`` an answer from ``ready`` of ``total`` may be had
    at once."""

    type: Literal["answer.now"] = "answer.now"
    open: bool
    ready: int
    total: int


class PartlyRead(_Event):
    """The answer rests on ``ready`` of ``total`` documents; it is given anew when the others can be found too."""

    type: Literal["documents.partly_read"] = "documents.partly_read"
    ready: int
    total: int
    document_ids: list[str]
    meaning: bool = False


class FollowedUp(_Event):
    """This run answers ``question`` anew, which ``follows`` (a run) answered from part of the documents."""

    type: Literal["answer.followed_up"] = "answer.followed_up"
    follows: str
    question: str
    ready: int
    total: int


class WebSearched(_Event):
    """The web was searched for ``queries`` and told of so many pages."""

    type: Literal["web.query"] = "web.query"
    engine: str
    queries: list[str]
    results: int


class Notice(_Event):
    """Something the reader should know that is not an error: a stage that was left out, a partial library."""

    type: Literal["notice"] = "notice"
    words: Words


class Choice(_Event):
    """One answer that may be clicked; of a ``doc_choice`` the id is the document's, or ``all``."""

    id: str
    label: str
    hint: str = ""


class Detail(BaseModel):
    """A part of what is asked about, under its name."""

    name: str
    text: str


class Interrupted(_Event):
    """The run waits for a person; the words are in the language of the question it stopped at.

    ``several``: more than one choice may be taken. ``allows_text``: words may be typed instead. ``details`` is what the
    question is about at full length, where its first line alone is the question and the others tell it in short.
    """

    type: Literal["interrupt"] = "interrupt"
    interrupt_id: str
    kind: InterruptKind
    question: str
    details: list[Detail] = []
    choices: list[Choice] = []
    allows_text: bool = False
    several: bool = False


class Answered(_Event):
    """What the person chose or typed; neither, when they cancelled."""

    type: Literal["interrupt.answered"] = "interrupt.answered"
    interrupt_id: str
    labels: list[str] = []
    text: str = ""


class AssistantDelta(_Event):
    type: Literal["assistant.delta"] = "assistant.delta"
    text: str


class Reasoning(_Event):
    """What the model thought aloud before it answered; never part of the answer, of its history or of the memory."""

    type: Literal["assistant.reasoning"] = "assistant.reasoning"
    text: str


class Quote(_Event):
    """A sentence taken verbatim from a passage."""

    number: int
    item_id: str
    text: str


class Sentence(_Event):
    """A sentence of an answer, ``text[start:end]``, and whether the passages it cites support it."""

    start: int
    end: int
    verdict: Literal["supported", "weak", "unsupported", "not_checked"]
    why: Words


class Response(_Event):
    """The finished answer. ``kind`` says how it was made (*told*: by the workbench itself; *remembered*: of the memory
    alone); ``removed`` lists citations that named no source.

    ``answer`` is what its first line says, as data; ``confidence`` how sure it is that this answers what was asked, and
    ``None`` where nothing is claimed. Of an answer that quotes, ``opening`` is said before the quotations (where
    nothing was found, what was searched) and ``remarks`` after them: where sources agree, differ or are silent;
    ``text`` holds all of it. ``manner`` is how the quotations are to be drawn. ``support`` judges the sentences that
    claim something; ``supported`` is the share of them that are supported.
    ``export`` is the answer as a table (CSV), where it is one. Tokens and cost are those of writing and checking it;
    :class:`Spent` has the whole run's. ``instead``: it is quoted because the model that was to write it did not.
    """

    type: Literal["response"] = "response"
    kind: Literal["generated", "extractive", "remembered", "nothing_found", "told"]
    text: str
    language: Language
    answer: Answer | None = None
    instead: bool = False
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
    """What may come next: questions, and actions that were asked for and not chosen."""

    type: Literal["suggestions"] = "suggestions"
    questions: list[str] = []
    actions: list[Action] = []


class Remembered(_Event):
    """What the memory gave to the answer."""

    type: Literal["memory.meta"] = "memory.meta"
    meta: MemoryMeta


class OfferMade(_Event):
    """A statement of the person's; ``was`` is the known text that it would replace."""

    offer_id: str
    text: str
    was: str | None = None


class Offered(_Event):
    """What the memory would keep, if the person wants it."""

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
    """The one terminal event of a run."""

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
    | Reasoning
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
    """An event as the ledger keeps it: ``sequence`` counts from 1 within the run, ``at`` is epoch seconds."""

    run_id: str
    sequence: int
    at: float
    event: Event
