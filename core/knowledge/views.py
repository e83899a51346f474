"""What readers of the graphs are given: concepts, edges, and what stands behind them.

``core.knowledge.queries.Knowledge`` answers with these; nothing here is stored.
"""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel

from core.knowledge.records import EntityKind, RelationKind
from core.memory.items.records import AnswerRecord
from core.records.memory_meta import Tier
from core.store.items import Outcome

ConceptKind = Literal[EntityKind, "subject", "action", "context"]
"""``subject``: a word that was asked about and names no thing of a text; ``action`` and ``context`` belong to the
action graph."""

Colour = Literal["routing", "content", "both", "action"]
"""Blue, green, purple, orange."""

EdgeKind = Literal["together", "asked", "effect", "used", "synonym"] | RelationKind
"""``together``: named in one sentence; ``asked``: subjects of one answer; ``effect``: a kind of question and an action
in it; ``used``: a concept and an action of an answer about it; ``synonym``: two words for one thing; the rest
is what a model has read out of a text."""

Period = Literal["all", "today", "week", "session"]
"""``session``: seen in one conversation."""

Order = Literal["importance", "recent", "oldest"]


class OutcomeCounts(BaseModel):
    worked: int = 0
    failed: int = 0
    partial: int = 0
    unknown: int = 0


class TierSuccess(OutcomeCounts):
    """``success_rate`` is worked / (worked + failed), one half when neither happened; ``uses`` counts worked, failed
    and partial."""

    tier: Tier
    success_rate: float = 0.5
    wilson_score: float = 0.0
    uses: int = 0
    last_used_at: float = 0.0


class Concept(BaseModel):
    """A node. ``labels`` are by language, for what has a name in each; ``label`` is for every other reader.
    ``mentions`` counts living memories and passages that name it, ``answers`` those that were about it or, for an
    action, took it. ``avg_quality`` is Σ importance × confidence / mentions over the bank, 0 where the bank does not
    name it. ``importance`` (0..1) is for size and order. Times are epoch seconds, 0 when unknown.

    ``tiers`` and ``outcomes`` hold what answers about it came to; ``best_tiers`` the best first, only with a decided
    outcome.
    """

    id: str
    label: str
    kind: ConceptKind
    colour: Colour
    labels: dict[str, str] = {}
    aliases: list[str] = []
    mentions: int = 0
    answers: int = 0
    avg_quality: float = 0.0
    importance: float = 0.0
    first_seen: float = 0.0
    last_seen: float = 0.0
    best_tiers: list[Tier] = []
    tiers: list[TierSuccess] = []
    outcomes: OutcomeCounts = OutcomeCounts()

    def called(self, language: str) -> str:
        """Its name for a reader of ``language``."""
        return self.labels.get(language, self.label)


class Edge(BaseModel):
    """``a`` < ``b`` as text, except where ``directed``. ``count`` is how much stands behind it, ``strength`` (0..1) the
    same for drawing, ``evidence`` the ids of some of it, newest first: memories and passages (``mem_…``) for
    ``together`` and relations, answers for ``asked``, ``effect`` and ``used``, none for ``synonym``."""

    a: str
    b: str
    kind: EdgeKind
    strength: float
    count: int = 1
    directed: bool = False
    evidence: list[str] = []


class Totals(BaseModel):
    """``concepts`` and ``colours`` count all that passes the filters, shown or not; ``edges`` are those shown."""

    concepts: int = 0
    edges: int = 0
    shown: int = 0
    colours: dict[Colour, int] = {}


class GraphState(BaseModel):
    """``version`` changes when the graph does; ``pending`` counts texts that have not been read into it yet."""

    version: str = ""
    pending: int = 0


class GraphView(GraphState):
    """The best concepts in the order asked for, and the edges among them."""

    nodes: list[Concept] = []
    edges: list[Edge] = []
    totals: Totals = Totals()


class Passage(BaseModel):
    """A living memory or passage of a book that names a concept; ``text`` is whole."""

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
    """An answer that was about the concept; ``run_id`` where the answer's page is known."""

    answer_id: str
    question: str
    outcome: Outcome | None = None
    at: float = 0.0
    conversation_id: str | None = None
    run_id: str | None = None


class Related(BaseModel):
    concept: Concept
    edge: Edge


class Definition(BaseModel):
    """What a text says that the concept is, in its own words."""

    text: str
    item_id: str


class ConceptDetail(BaseModel):
    """Everything of the panel. Lists are bounded (``MOST_SHOWN``), the best or newest first."""

    concept: Concept
    definition: Definition | None = None
    related: list[Related] = []
    memories: list[Passage] = []
    passages: list[Passage] = []
    documents: list[DocumentRef] = []
    answers: list[AnswerRef] = []


class Path(BaseModel):
    """The shortest way: ``edges[i]`` joins ``nodes[i]`` and ``nodes[i + 1]``. Both are empty where there is none."""

    nodes: list[Concept] = []
    edges: list[Edge] = []

    @property
    def found(self) -> bool:
        return bool(self.nodes)


class AnswerConcepts(BaseModel):
    """What an answer was about: its question's subjects, and what its used memories name."""

    answer: AnswerRecord | None = None
    concepts: list[Concept] = []


class DayOutcomes(OutcomeCounts):
    """``day`` is ``YYYY-MM-DD``, UTC."""

    day: str


class DayTiers(BaseModel):
    """How many memories of each tier there were at the end of a day, of those that are still kept."""

    day: str
    tiers: dict[Tier, int]


class History(BaseModel):
    """For charts: outcomes by day, tiers over time, success by tier over all subjects."""

    outcomes: list[DayOutcomes] = []
    tiers: list[DayTiers] = []
    routing: list[TierSuccess] = []
