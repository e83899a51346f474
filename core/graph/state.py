"""The state of the agent: what lives for a turn and what lives for the thread, declared once.

Its annotations are no strings, which the graph would read again for each of its branches.
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
from core.records.memory_meta import MemoryMeta, Tier
from core.records.subject_matter import Completed
from core.search.documents.coverage import SearchCoverage
from core.setting_groups import ModeName
from core.words import Language

Confidence = Literal["high", "medium", "low", "none"]
Missing = Literal["", "document", "second", "target", "text", "tag", "subject"]


MOST_TURNS = 10
"""Turns that a thread keeps: twenty messages."""


class PastTurn(TypedDict):
    """A question and what was answered, for the history layer of later prompts; ``number`` counts from 1, ``at`` is
    when it was answered (epoch seconds)."""

    question: str
    answer: str
    number: NotRequired[int]
    at: NotRequired[float]


class Digest(TypedDict):
    """What was said up to turn ``through``, in short."""

    text: str
    through: int


def _append(past: list[PastTurn], new: list[PastTurn]) -> list[PastTurn]:
    """A turn of a number that is known takes the place of the earlier one: the full answer that of a partial one."""
    again = {turn["number"]: turn for turn in new if "number" in turn}
    kept = [again.pop(turn.get("number", 0), turn) for turn in past]
    return [*kept, *(turn for turn in new if turn.get("number") in again or "number" not in turn)][-MOST_TURNS:]


class UnclearReference(BaseModel):
    """A name that stands for one of the ``candidates`` (of ``total`` in all), or for no document at all; ``between``:
    what these differ in."""

    name: str
    candidates: list[DocumentRef] = []
    total: int = 0
    between: Literal["organisations", "documents"] = "documents"


class ToolResults(BaseModel):
    """What a turn has looked up with tools: the calls, what the latest search of the memory numbered, the tiers of all
    that was shown, and how often the memory was searched again."""

    tool_runs: list[ToolRun] = []
    positions: list[str] = []
    tiers: dict[str, Tier] = {}
    refinements: int = 0


class LastAsked(BaseModel):
    """The question that was answered last, completed by what it took over itself; ``document_ids`` are those to which
    it was bound by choice or by name."""

    text: str
    document_ids: list[str] = []


class Persistent(TypedDict, total=False):
    """What the thread keeps. ``conversation_docs``: the documents spoken about, title → id; ``recent_docs``: those of
    the last answer, in its order; ``digest`` sums up the turns before those that are told in full; ``last_asked`` is
    what the next question takes over where it leaves it out. ``tone``: in which the person has written."""

    conversation_docs: dict[str, str]
    recent_docs: list[str]
    turns: Annotated[list[PastTurn], _append]
    digest: Digest | None
    last_asked: LastAsked | None
    tone: Tone


class PerTurn(TypedDict, total=False):
    """What every turn sets anew.

    ``question`` is the text to be understood, ``sent`` the same as it was sent: what is kept and what a model reads.
    ``tagged`` is the action that was picked by hand; ``intent`` what the message was understood as, ``doubtful`` the
    actions a person has to choose from, ``later`` those that were not chosen. ``doubts`` are names of
    documents to be asked about, ``typed`` is what a person typed to name them; ``missing`` is what the action lacks,
    ``source_text`` what is audited; ``memory_context`` what the memory tells the model, as text, and ``meta`` the
    record of it; ``from_memory`` that it answers alone; ``user_context`` what is known of the person: profession,
    expertise, language.
    ``web``: the web is wished for, ``web_asked``: in so many words, ``searched_web``: it was searched.
    ``completed`` is the question with what it leaves to the one before it; ``without`` are keys of chips that were
    taken off; ``searched`` is what the question was taken to be about, with what it names and no document has.
    ``rules`` are those of the personality that speaks; ``reach`` is what was searched.
    ``bears``: what was found touches on the question at all.
    ``consulted`` is what was looked up with tools, ``consultation`` how far an answer has come that waits for its
    person's consent to a call.
    ``awaited`` are documents that were still being read when the answer was made; ``follows`` is the run whose partial
    answer this turn completes.
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
    response: Response | None
    cancelled: bool
    awaited: list[str]
    follows: str


class State(Persistent, PerTurn, total=False):
    """The one state of the agent."""


STATE_TYPES = (
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
"""Models of a state that a checkpoint must be able to bring back, beside those of ``core.events``."""


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
    """The input of one turn: all per-turn fields, and none of the thread's."""
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
        # A full answer comes by itself: it asks nobody anything.
        asked_retrieval=bool(follows),
        follows=follows,
    )


def _nothing_known() -> State:
    """What nodes find out, before any of them has run."""
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
        response=None,
        cancelled=False,
        awaited=[],
    )


def asked_in_full(state: State) -> str:
    """The question of the turn, completed by what it leaves to the one before it: what is searched for and answered."""
    completed = state.get("completed")
    return completed.text if completed else state["question"]


def as_sent(state: State) -> str:
    """The question of the turn as its person wrote it: what is kept, and what a model reads."""
    return state.get("sent") or state["question"]


def turns_so_far(state: State) -> int:
    """How many turns the thread has had, those it no longer keeps too."""
    turns = state.get("turns", [])
    return turns[-1].get("number", len(turns)) if turns else 0
