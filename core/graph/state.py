"""Defines the agent's state: fields that last for one turn (a question and its answer) and fields that last for the
whole conversation (thread).

Its annotations are not strings, since LangGraph would evaluate them again for every branch.
"""

from collections.abc import Sequence
from typing import Annotated, Literal, NotRequired, TypedDict

from pydantic import BaseModel

from core.events import Action, DocumentRef, Response, Searched, Source
from core.graph.records import Command, Consultation, Intent, ToolRound
from core.language.bounded_text import bounded
from core.memory.items.records import ToolRun
from core.personality.rules import Rules
from core.personality.tone import Tone
from core.records.answer import Answer
from core.records.memory_meta import MemoryMeta, Tier
from core.records.subject_matter import Completed
from core.search.documents.coverage import SearchCoverage
from core.setting_groups import ModeName
from core.words import Language

Confidence = Literal["high", "medium", "low", "none"]
Missing = Literal["", "document", "second", "target", "text", "tag", "subject"]


MOST_TURNS = 10
"""Number of turns that a thread keeps: twenty messages."""


class PastTurn(TypedDict):
    """A past question and its answer, for the history in later prompts; ``number`` counts from 1, ``at`` is the time of
    the answer (epoch seconds)."""

    question: str
    answer: str
    number: NotRequired[int]
    at: NotRequired[float]


class Digest(TypedDict):
    """A summary of the conversation up to turn ``through``."""

    text: str
    through: int


def _append(past: list[PastTurn], new: list[PastTurn]) -> list[PastTurn]:
    """Appends turns. A turn whose number already exists replaces the earlier one, since a full answer replaces the
    partial one."""
    again = {turn["number"]: turn for turn in new if "number" in turn}
    kept = [again.pop(turn.get("number", 0), turn) for turn in past]
    return [*kept, *(turn for turn in new if turn.get("number") in again or "number" not in turn)][-MOST_TURNS:]


class UnclearReference(BaseModel):
    """A document name in a message that is unclear: it matches several ``candidates`` (the first of ``total``), or no
    document. ``between``: whether the candidates differ by organisation or by document."""

    name: str
    candidates: list[DocumentRef] = []
    total: int = 0
    between: Literal["organisations", "documents"] = "documents"


class ToolResults(BaseModel):
    """The tool results of a turn: the calls, the ids numbered by the latest memory search, the memory tiers of all
    shown items, and the number of repeated memory searches."""

    tool_runs: list[ToolRun] = []
    positions: list[str] = []
    tiers: dict[str, Tier] = {}
    refinements: int = 0


class LastAsked(BaseModel):
    """The last question for which documents were searched, with the parts that it took over from earlier ones;
    ``document_ids`` are the documents that the user chose or named for it."""

    text: str
    document_ids: list[str] = []


class Persistent(TypedDict, total=False):
    """Fields that the conversation (thread) keeps from turn to turn.

    ``conversation_docs``: mentioned documents, title → id; ``recent_docs``: the documents of the last answer, in its
    order; ``digest`` summarises the older turns; ``last_asked`` supplies the parts that the next question leaves out.
    ``tone``: the user's writing tone; ``wishes``: what the user said about the form of all answers.
    """

    conversation_docs: dict[str, str]
    recent_docs: list[str]
    turns: Annotated[list[PastTurn], _append]
    digest: Digest | None
    last_asked: LastAsked | None
    tone: Tone
    wishes: list[str]


class PerTurn(TypedDict, total=False):
    """Fields that every turn resets.

    ``question`` is the text to interpret, ``sent`` the original text, which is stored and which a model reads.
    ``tagged`` is the action that the user selected; ``intent`` the interpretation, ``doubtful`` the actions that the
    user must choose from, ``later`` those not chosen. ``doubts`` are document names to ask about, ``typed`` is the
    user's typed reply; ``missing`` is what the action still needs, ``source_text`` the text to audit;
    ``memory_context`` is the memory's text for the model, and ``meta`` its record; ``from_memory`` means that the
    memory answers by itself; ``user_context`` is the user's profession, expertise and language.
    ``web``: a web search is wanted, ``web_asked``: the user asked for it explicitly, ``searched_web``: it was done.
    ``completed`` is the question with parts taken over from the previous one; ``without`` are the keys of removed chips
    (search filters); ``searched`` is the question's subject as searched, with names that no document has.
    ``rules`` are those of the current personality; ``reach`` is what was searched.
    ``bears``: the results are relevant to the question at all.
    ``consulted`` holds tool results, ``consultation`` the progress of an answer that waits for the user's consent to a
    call.
    ``line`` is the answer line that the tables gave before a model wrote.
    ``awaited`` are documents that were still being processed at the time of the answer; ``follows`` is the run whose
    partial answer this turn completes.
    """

    user_id: str
    run_id: str
    conversation_id: str
    question: str
    sent: str
    mode: ModeName
    model: str | None
    tagged: Action | None
    language: Language
    rules: Rules
    action: Action
    intent: Intent | None
    doubtful: list[Action]
    later: list[Action]
    web: bool
    web_asked: bool
    searched_web: bool
    focus: str
    completed: Completed | None
    without: list[str]
    searched: Searched | None
    document_ids: list[str] | None
    doubts: list[UnclearReference]
    typed: str
    tries: int
    missing: Missing
    source_text: str
    memory_context: str
    user_context: str
    meta: MemoryMeta | None
    from_memory: bool
    consulted: ToolResults | None
    consultation: Consultation | None
    sources: list[Source]
    confidence: Confidence
    bound: bool
    reach: SearchCoverage
    sufficient: bool
    bears: bool
    reread: bool
    added: int
    asked_retrieval: bool
    retrieval_choice: str
    line: Answer | None
    response: Response | None
    cancelled: bool
    awaited: list[str]
    follows: str


class State(Persistent, PerTurn, total=False):
    """The agent's complete state."""


STATE_TYPES = (
    Answer,
    Intent,
    Command,
    UnclearReference,
    MemoryMeta,
    ToolResults,
    Completed,
    LastAsked,
    SearchCoverage,
    Rules,
    Consultation,
    ToolRound,
)
"""State classes that must be restorable from a saved checkpoint, besides those of ``core.events``."""


def fresh_turn(
    *,
    user_id: str,
    run_id: str,
    conversation_id: str,
    question: str,
    mode: ModeName,
    model: str | None,
    document_ids: list[str] | None = None,
    tagged: Action | None = None,
    web: bool = False,
    follows: str = "",
    without: Sequence[str] = (),
    completed: Completed | None = None,
) -> State:
    """Returns the input of one turn: all per-turn fields and no thread fields."""
    return _nothing_known() | State(
        user_id=user_id,
        run_id=run_id,
        conversation_id=conversation_id,
        question=bounded(question),
        sent=question,
        mode=mode,
        model=model,
        tagged=tagged,
        action=tagged or "inquire",
        web=web,
        web_asked=web,
        completed=completed,
        without=list(without),
        document_ids=document_ids,
        # A full answer starts automatically, so it asks the user nothing.
        asked_retrieval=bool(follows),
        follows=follows,
    )


def _nothing_known() -> State:
    """Returns the initial values of fields that nodes fill in."""
    return State(
        language="en",
        rules=Rules(),
        intent=None,
        doubtful=[],
        later=[],
        searched_web=False,
        focus="",
        searched=None,
        doubts=[],
        typed="",
        tries=0,
        missing="",
        source_text="",
        memory_context="",
        user_context="",
        meta=None,
        from_memory=False,
        consulted=None,
        consultation=None,
        sources=[],
        confidence="none",
        bound=False,
        reach=SearchCoverage(),
        sufficient=False,
        bears=True,
        reread=False,
        added=0,
        retrieval_choice="",
        line=None,
        response=None,
        cancelled=False,
        awaited=[],
    )


def asked_in_full(state: State) -> str:
    """Returns the question completed with parts of the previous one; this is searched for and answered."""
    completed = state.get("completed")
    return completed.text if completed else state["question"]


def as_sent(state: State) -> str:
    """Returns the question as the user wrote it; this is stored and read by a model."""
    return state.get("sent") or state["question"]


def turns_so_far(state: State) -> int:
    """Returns the number of turns in the thread, including those no longer kept."""
    turns = state.get("turns", [])
    return turns[-1].get("number", len(turns)) if turns else 0
