"""Defines the agent's state: fields that last for one turn (a question and its answer) and fields that last for the
whole conversation (thread).

Its annotations are not strings, since LangGraph would evaluate them again for every branch.
"""

from operator import or_
from typing import Annotated, Any, Literal, NotRequired, Self, TypedDict

from pydantic import BaseModel, SerializerFunctionWrapHandler, model_serializer

from core.events import Action, DocumentRef, Response, Searched, Source
from core.figures.panel.records import SubQuestion
from core.graph.records import Consultation, Intent
from core.language.bounded_text import bounded
from core.memory.corrections.records import Correction, Pin
from core.memory.items.records import ToolRun
from core.personality.rules import Rules
from core.personality.tone import Tone
from core.question.analysed import AnalysedQuestion, analysed, analysed_as
from core.records.answer import Answer
from core.records.memory_meta import MemoryMeta, Tier
from core.records.subject_matter import Completed
from core.runs.records import Ask
from core.search.documents.coverage import SearchCoverage
from core.words import Language

Confidence = Literal["high", "medium", "low", "none"]
Missing = Literal["", "document", "second", "target", "text", "audited", "tag", "subject"]


NO_QUESTION = AnalysedQuestion("", "en", "")
"""The question of a state without a turn."""
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
    document. ``between``: whether the candidates differ by organisation or by document. ``answers`` are the short
    answers that candidates give, by id; ``likeliest`` is the id of the candidate that fits the question best, if it is
    known."""

    name: str
    candidates: list[DocumentRef] = []
    total: int = 0
    between: Literal["organisations", "documents"] = "documents"
    answers: dict[str, str] = {}
    likeliest: str = ""


class ToolResults(BaseModel):
    """The tool results of a turn: the calls, the ids numbered by the latest memory search, the memory tiers of all
    shown items, and the number of repeated memory searches."""

    tool_runs: list[ToolRun] = []
    positions: list[str] = []
    tiers: dict[str, Tier] = {}
    refinements: int = 0


class DataReading(BaseModel):
    """A possible reading of a question over datasets: its name, its query as JSON, and whether it accounts for every
    word that carries meaning."""

    name: str
    query: str
    is_sure: bool = True


class LastAsked(BaseModel):
    """The last question for which documents were searched, with the parts that it took over from earlier ones;
    ``document_ids`` are the documents that the user chose or named for it."""

    text: str
    document_ids: list[str] = []


class Persistent(TypedDict, total=False):
    """Fields that the conversation (thread) keeps from turn to turn.

    ``conversation_docs``: mentioned documents, title → id; ``recent_docs``: the documents of the last answer, in its
    order; ``digest`` summarises the older turns; ``last_asked`` supplies the parts that the next question leaves out.
    ``tone``: the user's writing tone; ``wishes``: what the user said about the form of all answers. ``last_queries``
    are the last queries over datasets as JSON, the newest last; a follow-up question changes the newest, which was an
    unsure reading if ``last_unsure`` is set. ``last_candidates`` are the documents between which the user was asked to
    choose in the last turn.
    """

    conversation_docs: dict[str, str]
    recent_docs: list[str]
    turns: Annotated[list[PastTurn], _append]
    digest: Digest | None
    last_asked: LastAsked | None
    tone: Tone
    wishes: list[str]
    last_queries: list[str]
    last_unsure: bool
    last_candidates: list[str]


class _Group(BaseModel, frozen=True):
    """A group of fields that every turn resets. A node returns a group with only the fields that it changes; the
    reducer ``|`` keeps the others, so that parallel nodes may change different fields of a group."""

    def __or__(self, changes: Self) -> Self:
        """Returns this group with the fields that are set in ``changes``."""
        return self.model_copy(update={name: getattr(changes, name) for name in changes.model_fields_set})

    def complete(self) -> Self:
        """Returns this group with all fields set, so that as a change it replaces the whole group."""
        return self.model_copy(update=dict(self))

    @model_serializer(mode="wrap")
    def _only_set(self, serialize: SerializerFunctionWrapHandler) -> dict[str, Any]:
        """Leaves out fields that are not set, so that a change that was saved is still a change when restored."""
        return {name: value for name, value in serialize(self).items() if name in self.model_fields_set}


class Asked(_Group, frozen=True):
    """What is asked, by whom, and how it was understood.

    ``ask`` is what the user sent, which is stored and which a model reads; ``text`` is the text to interpret, and
    ``question`` the analysed question in full, with the action that it requests and the documents that it names.
    ``completed`` is the question with parts taken over from the previous one. ``later`` are the actions that the user
    asked for but did not choose first; ``source_text`` is the text to audit. ``web``: a web search is wanted,
    ``web_asked``: the user asked for it explicitly. ``rules`` are those of the current personality.
    """

    user_id: str = ""
    run_id: str = ""
    conversation_id: str = ""
    ask: Ask = Ask(question="")
    text: str = ""
    language: Language = "en"
    rules: Rules = Rules()
    intent: Intent | None = None
    later: list[Action] = []
    web: bool = False
    web_asked: bool = False
    question: AnalysedQuestion = NO_QUESTION
    completed: Completed | None = None
    source_text: str = ""

    @property
    def action(self) -> Action:
        return self.question.route

    @property
    def question_language(self) -> Language:
        """The language of the question; the answer's own sentences are in ``language``, which the user may wish."""
        return self.question.language if self.question.text else self.language

    @property
    def document_ids(self) -> list[str] | None:
        """The documents that the user chose or named."""
        return None if self.question.document_ids is None else list(self.question.document_ids)


class Found(_Group, frozen=True):
    """What was found for the question, in the documents, the memory, the web and by tools.

    ``searched`` is the question's subject as searched, with names that no document has; ``reach`` is what was searched.
    ``bound``: an organisation in the question limited the search. ``sufficient``: the passages are enough for an
    answer; ``bears``: they are relevant to the question at all. ``reread``: documents were read again, which ``added``
    this many passages. ``awaited`` are documents that were still being processed. ``searched_web``: the web was
    searched. ``memory_context`` is the memory's text for the model, and ``meta`` its record; ``user_context`` is the
    user's profession, expertise and language; ``from_memory`` means that the memory answers by itself. ``consulted``
    holds tool results. ``plan`` are the sub-questions of a question of several steps, ``agreed_plan``: the user has
    agreed to them, ``planned`` are their answers; ``proposed``: a model was asked for the steps.
    ``questions`` are those of a message that asks several, if each is answered apart.
    ``served``: the further wishes of the message were served; ``reported`` is the length of the reports of commands at
    the end of the answer, which no source supports.
    ``line`` is the line that the tables gave before a model wrote. ``unsure_query`` is a query over datasets that may
    be what the question means: a model queries them itself, and it counts only if the model fails. ``correction`` is
    the right answer that the user typed when this question was asked before.
    ``recollecting``: the earlier conversations were searched; ``recollected`` is what they answer without a model.
    """

    searched: Searched | None = None
    sources: list[Source] = []
    confidence: Confidence = "none"
    bound: bool = False
    reach: SearchCoverage = SearchCoverage()
    sufficient: bool = False
    bears: bool = True
    reread: bool = False
    added: int = 0
    awaited: list[str] = []
    searched_web: bool = False
    memory_context: str = ""
    user_context: str = ""
    meta: MemoryMeta | None = None
    from_memory: bool = False
    consulted: ToolResults | None = None
    plan: list[SubQuestion] = []
    agreed_plan: bool = False
    planned: list[Answer] = []
    proposed: bool = False
    questions: list[str] = []
    served: bool = False
    reported: int = 0
    line: Answer | None = None
    unsure_query: str = ""
    correction: Correction | None = None
    recollecting: bool = False
    recollected: Response | None = None


class TurnAnswer(_Group, frozen=True):
    """The answer. ``cancelled``: the user cancelled the question, so that it has none."""

    response: Response | None = None
    cancelled: bool = False


class Waiting(_Group, frozen=True):
    """What the user is asked, and has replied, before the answer.

    ``doubtful`` are the actions that the user must choose from, ``doubts`` the document names to ask about, ``missing``
    is what the action still needs. ``typed`` is the user's typed reply, ``tries`` counts replies that name no document.
    ``retrieval_choice`` is the user's choice after a weak search; ``asked_retrieval``: do not ask (again) how to go on
    after it. ``consultation`` is the progress of an answer that waits for the user's consent to a tool call.
    ``waited``: the turn has already waited for documents that are being processed. ``data_readings`` are the readings
    of ``data_word`` in a question over datasets, ``data_reading`` the chosen one. ``candidates`` are the documents
    between which the user was asked to choose.
    """

    doubtful: list[Action] = []
    doubts: list[UnclearReference] = []
    missing: Missing = ""
    typed: str = ""
    tries: int = 0
    asked_retrieval: bool = False
    retrieval_choice: str = ""
    consultation: Consultation | None = None
    waited: bool = False
    data_readings: list[DataReading] = []
    data_word: str = ""
    data_reading: DataReading | None = None
    candidates: list[str] = []


class PerTurn(TypedDict, total=False):
    """Fields that every turn resets, in four groups; see ``_Group`` for how a node changes them."""

    asked: Annotated[Asked, or_]
    found: Annotated[Found, or_]
    answer: Annotated[TurnAnswer, or_]
    waiting: Annotated[Waiting, or_]


class State(Persistent, PerTurn, total=False):
    """The agent's complete state."""


STATE_TYPES = (
    Asked,
    Found,
    TurnAnswer,
    Waiting,
    LastAsked,
    DataReading,
    *(Correction, Pin),
    *(Intent, UnclearReference, MemoryMeta, ToolResults, Completed, SearchCoverage, Rules, Consultation),
)
"""State classes that must be restorable from a saved checkpoint, besides those of ``core.events``. The last ones are in
checkpoints of earlier versions, which had no groups."""


def fresh_turn(user_id: str, run_id: str, conversation_id: str, ask: Ask) -> State:
    """Returns the input of one turn: all per-turn fields and no thread fields."""
    text = bounded(ask.question)
    asked = Asked(
        user_id=user_id,
        run_id=run_id,
        conversation_id=conversation_id,
        ask=ask,
        text=text,
        question=analysed(text).routed(ask.action or "inquire").naming(ask.document_ids),
        web=ask.web,
        web_asked=ask.web,
        completed=ask.completed,
    )
    # A full answer starts automatically, so it asks the user nothing.
    waiting = Waiting(asked_retrieval=bool(ask.follows))
    return State(
        asked=asked.complete(),
        found=Found().complete(),
        answer=TurnAnswer().complete(),
        waiting=waiting.complete(),
    )


def asked_in_full(state: State) -> str:
    """Returns the question completed with parts of the previous one; this is searched for and answered."""
    completed = state["asked"].completed
    return completed.text if completed else state["asked"].text


def question_of(state: State) -> AnalysedQuestion:
    """Returns the analysed question in full; it is analysed here only if no node has done so."""
    asked = state["asked"]
    return analysed_as(asked.question, asked_in_full(state), asked.question_language)


def called_before(state: State) -> bool:
    """Returns whether a model has already been called for this question: the answer waits for one call at most."""
    intent, completed = state["asked"].intent, state["asked"].completed
    by_model = (intent is not None and intent.how == "model") or (completed is not None and completed.by_model)
    return by_model or state["found"].proposed


def turns_so_far(state: State) -> int:
    """Returns the number of turns in the thread, including those no longer kept."""
    turns = state.get("turns", [])
    return turns[-1].get("number", len(turns)) if turns else 0
