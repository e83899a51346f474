"""Defines the graph's query results: concepts, edges, and the evidence for them.

``core.knowledge.queries.Knowledge`` returns these; they are not stored.
"""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel

from core.knowledge.records import EntityKind, RelationKind
from core.memory.items.records import AnswerRecord
from core.records.memory_meta import Tier
from core.store.items import Outcome

ConceptKind = Literal[EntityKind, "subject", "action", "context"]
"""Kinds of nodes. ``subject``: a word from questions that is not a concept in any text; ``action`` and ``context`` (a
kind of question) belong to the action graph."""

Colour = Literal["routing", "content", "both", "action"]
"""Groups of nodes by the graph they are in; shown as blue, green, purple and orange."""

EdgeKind = Literal["together", "stated", "asked", "effect", "used", "synonym"] | RelationKind
"""``together``: named together; ``stated``: related by a clause or a figure of a text; ``asked``: subjects of one
answer; ``effect``: a kind of question and an action in it; ``used``: a concept and an action of an answer about it;
``synonym``: two words for one thing; the others are relations that a model found in a text."""

Direction = Literal["none", "a_to_b", "b_to_a"]

Period = Literal["all", "today", "week", "session"]
"""Filter by time; ``session``: only concepts seen in one conversation."""

Order = Literal["importance", "recent", "oldest"]


class OutcomeCounts(BaseModel):
    worked: int = 0
    failed: int = 0
    partial: int = 0
    unknown: int = 0


class TierSuccess(OutcomeCounts):
    """Outcomes of one tier. ``success_rate`` is worked / (worked + failed), one half when neither happened; ``uses``
    counts worked, failed and partial."""

    tier: Tier
    success_rate: float = 0.5
    wilson_score: float = 0.0
    uses: int = 0
    last_used_at: float = 0.0


class Concept(BaseModel):
    """A node. ``labels`` has its name by language, if it has one in each; otherwise ``label`` is shown.
    ``mentions`` counts existing memories and passages that name it; ``answers`` counts answers about it or, for an
    action, answers that took it. ``avg_quality`` is Σ importance × confidence / mentions over the memory bank, 0 if the
    bank does not name it. ``documents`` counts the documents that name it, ``links`` the concepts that texts link it
    to. ``importance`` (0..1) is for size and order. Times are epoch seconds, 0 when unknown.

    ``tiers`` and ``outcomes`` hold the outcomes of answers about it; ``best_tiers`` has the tiers with a decided
    outcome, the best first.
    """

    id: str
    label: str
    kind: ConceptKind
    colour: Colour
    labels: dict[str, str] = {}
    aliases: list[str] = []
    mentions: int = 0
    documents: int = 0
    links: int = 0
    answers: int = 0
    avg_quality: float = 0.0
    importance: float = 0.0
    first_seen: float = 0.0
    last_seen: float = 0.0
    best_tiers: list[Tier] = []
    tiers: list[TierSuccess] = []
    outcomes: OutcomeCounts = OutcomeCounts()

    def called(self, language: str) -> str:
        """The concept's display name in ``language``."""
        return self.labels.get(language, self.label)


class Edge(BaseModel):
    """An edge; ``a`` < ``b`` as text, unless it is ``directed``. ``count`` is the number of texts or answers that it is
    based on, ``strength`` (0..1) the same for drawing. ``evidence`` has some of their ids, newest first: memories
    and passages (``mem_…``) for ``together`` and relations, answers for ``asked``, ``effect`` and ``used``, none for
    ``synonym``.

    ``reason`` says in plain words why the two are linked, in a text's own words ("acquired") or by what was counted;
    ``reasons`` has it by language, if it is not a text's own. It reads from the end that ``direction`` names to the
    other one. A ``weak`` edge only joins concepts that are named together. ``weight`` (0..1) is for the edge's width;
    ``passages`` and ``documents`` count the texts behind it.
    """

    a: str
    b: str
    kind: EdgeKind
    strength: float
    count: int = 1
    directed: bool = False
    evidence: list[str] = []
    reason: str = ""
    reasons: dict[str, str] = {}
    direction: Direction = "none"
    weight: float = 0.0
    weak: bool = False
    passages: int = 0
    documents: int = 0

    def because(self, language: str) -> str:
        """The reason in ``language``."""
        return self.reasons.get(language, self.reason)


class Totals(BaseModel):
    """Counts: ``concepts`` and ``colours`` of all concepts that match the filters, shown or not; ``edges`` only of
    those shown."""

    concepts: int = 0
    edges: int = 0
    shown: int = 0
    colours: dict[Colour, int] = {}


class GraphState(BaseModel):
    """The graph's state: ``version`` changes when the graph does; ``pending`` counts texts that are not yet read into
    it."""

    version: str = ""
    pending: int = 0


class GraphView(GraphState):
    """The top concepts in the requested order, and the edges among them."""

    nodes: list[Concept] = []
    edges: list[Edge] = []
    totals: Totals = Totals()


class Passage(BaseModel):
    """A memory or book passage that names a concept; ``text`` is complete."""

    item_id: str
    tier: Tier
    text: str
    preview: str
    document_id: str | None = None
    title: str | None = None
    page: int | None = None
    conversation_id: str | None = None
    quality: float = 0.0
    created_at: float = 0.0


class DocumentRef(BaseModel):
    """A published document, and how many of its passages name the concept."""

    document_id: str
    title: str
    passages: int


class AnswerRef(BaseModel):
    """An answer about the concept; ``run_id`` is given if the answer's page is known."""

    answer_id: str
    question: str
    outcome: Outcome | None = None
    at: float = 0.0
    conversation_id: str | None = None
    run_id: str | None = None


class Definition(BaseModel):
    """A sentence about the concept, in a text's own words, with its source."""

    text: str
    item_id: str
    document_id: str | None = None
    title: str | None = None
    page: int | None = None


class Related(BaseModel):
    """A related concept; ``sentence``: a sentence of a text that names both."""

    concept: Concept
    edge: Edge
    sentence: Definition | None = None


class ConceptDetail(BaseModel):
    """A concept's details panel. Lists are bounded (``MOST_SHOWN``), the best or newest first. ``first_sentence``
    is the first sentence that names the concept, for one without a definition."""

    concept: Concept
    definition: Definition | None = None
    first_sentence: Definition | None = None
    related: list[Related] = []
    memories: list[Passage] = []
    passages: list[Passage] = []
    documents: list[DocumentRef] = []
    answers: list[AnswerRef] = []


class Path(BaseModel):
    """The shortest path: ``edges[i]`` joins ``nodes[i]`` and ``nodes[i + 1]``. Both are empty if there is none.
    ``shared``: other concepts that are linked to both ends, the strongest first."""

    nodes: list[Concept] = []
    edges: list[Edge] = []
    shared: list[Concept] = []

    @property
    def found(self) -> bool:
        return bool(self.nodes)


class Within(BaseModel, frozen=True):
    """Limits of a view. Empty ``kinds`` and ``None`` mean all; ``documents`` are ids."""

    kinds: frozenset[ConceptKind] = frozenset()
    documents: frozenset[str] | None = None
    tier: Tier | None = None


class Event(BaseModel):
    """A dated event. ``when`` is a day, a month or a year (``YYYY[-MM[-DD]]``), ``text`` the sentence; ``who`` are the
    people and organisations in it."""

    when: str
    text: str
    who: list[Concept] = []
    item_id: str
    document_id: str
    title: str
    page: int | None = None


class AnswerConcepts(BaseModel):
    """The concepts of an answer: its question's subjects, and the concepts in the memories it used."""

    answer: AnswerRecord | None = None
    concepts: list[Concept] = []


class DayOutcomes(OutcomeCounts):
    """A day's outcomes; ``day`` is ``YYYY-MM-DD``, UTC."""

    day: str


class DayTiers(BaseModel):
    """How many of the memories that still exist each tier had at the end of a day."""

    day: str
    tiers: dict[Tier, int]


class History(BaseModel):
    """Data for charts: outcomes by day, tiers over time, success by tier over all subjects."""

    outcomes: list[DayOutcomes] = []
    tiers: list[DayTiers] = []
    routing: list[TierSuccess] = []
