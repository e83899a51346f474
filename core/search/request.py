"""What a search is asked and what it says: every hit with every part of its score."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import Literal

from core.language.bounded_text import bounded
from core.records.memory_meta import Tier
from core.runs.trace import Step, Trace
from core.search.query.focus import Focus
from core.search.scoring import calibration
from core.search.scoring.calibration import Confidence
from core.store.items import MemoryItem
from core.words import Language, Words

Precedence = Literal[-1, 0, 1]

Steps = Callable[[str], AbstractContextManager[Step]]
"""Opens a step of the run that is being traced, by the name of its label."""

silent: Steps = Trace(lambda event: None).step
"""For searches that nobody watches."""


@dataclass(frozen=True)
class SearchRequest:
    """``scopes``: the library, a conversation, what is remembered; ``document_ids`` restricts further when given.

    ``depths`` says how many candidates each lane fetches from a tier; a tier that it does not name gets the
    pipeline's usual depth.

    ``episodic`` searches find a memory by itself, its neighbourhood and its episode (``core.search.scoring.episodes``);
    ``names`` are those who speak in what is searched: they say whose words are meant, and nothing of the subject.
    ``org_id``: the group whose published documents are searched too; the pipeline fills it in.
    ``focus`` is what a question to documents asks, without what ``document_ids`` already stand for.
    """

    user_id: str
    text: str
    limit: int
    tiers: Sequence[Tier]
    scopes: Sequence[str]
    document_ids: Sequence[str] | None = None
    depths: Mapping[Tier, int] = field(default_factory=dict)
    episodic: bool = False
    names: Sequence[str] = ()
    org_id: str | None = None
    focus: Focus | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "text", bounded(self.text))


@dataclass
class OutcomeScore:
    """What a ranking profile made of a hit beyond its relevance.

    ``similarity`` (0..1) and ``score`` (0..1) with their weights, then ``boosts``: factors by name, 1.0 means none.
    """

    similarity: float
    score: float
    similarity_weight: float = 1.0
    score_weight: float = 0.0
    boosts: dict[str, float] = field(default_factory=dict)


@dataclass
class ScoredHit:
    """One hit and every part of its score.

    Ranks count from 1; ``cosine`` and ``bm25`` are raw, ``dense`` and ``lexical`` the same as strengths in 0..1.
    ``figures`` is how far it prints the figures that the question seeks (``core.search.scoring.figure_rows``),
    ``heading`` how far the headings above it say what is asked.
    ``None`` means that the lane did not see the item, or that the item has no vector yet. ``fused`` joins the lanes,
    ``company`` is what the item's episode adds to it, ``weighed`` is what the ranking profile made of both (``learned``
    says how), ``final`` is that blended with ``cross_encoder``, times ``authority``.

    ``precedence`` goes before every score: 1 where it is known to have answered this very question, -1 where it is
    known not to have.
    """

    item: MemoryItem
    dense_rank: int | None = None
    cosine: float | None = None
    dense: float | None = None
    lexical_rank: int | None = None
    bm25: float | None = None
    lexical: float = 0.0
    figures: float = 0.0
    heading: float = 0.0
    fused: float = 0.0
    company: float = 0.0
    weighed: float = 0.0
    learned: OutcomeScore | None = None
    cross_encoder: float | None = None
    authority: float = 1.0
    final: float = 0.0
    precedence: Precedence = 0

    @property
    def strength(self) -> float:
        """How sure the lanes are of this hit by itself, 0..1."""
        return calibration.joint_confidence(self.dense, self.lexical, self.figures)

    @property
    def outcomes(self) -> float:
        """The factor that past answers have earned it for this question."""
        return self.learned.boosts.get("outcomes", 1.0) if self.learned else 1.0

    @property
    def relevance(self) -> float:
        """Its score without what outcomes made of it."""
        return self.final / self.outcomes


@dataclass
class Stage:
    name: str
    milliseconds: float
    count: int


@dataclass
class SearchRecord:
    """What a search did: its stages, what was left out and why.

    ``confidence`` is that of the best hit by strength; ``trust`` is how far meaning was believed, 0..1.
    """

    language: Language
    stages: list[Stage] = field(default_factory=list)
    skipped: list[Words] = field(default_factory=list)
    candidates: int = 0
    confidence: Confidence = "none"
    trust: float = 0.0


@dataclass
class SearchResult:
    hits: list[ScoredHit]
    record: SearchRecord
