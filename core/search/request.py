"""Defines a search's request and result: every hit with every part of its score."""

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
"""Opens a trace step by the name of its label."""

silent: Steps = Trace(lambda event: None).step
"""For searches without a trace."""


@dataclass(frozen=True)
class SearchRequest:
    """A search request.

    ``scopes``: the library, a conversation, the memory; ``document_ids`` restricts further if given.

    ``depths`` says how many candidates each retriever fetches from a tier; other tiers use the pipeline's default
    depth.

    ``episodic`` searches find a memory by itself, by its neighbours and by its episode
    (``core.search.scoring.episodes``); ``names`` are the speakers in the searched texts: they say whose words are
    meant, and nothing about the subject. ``org_id``: the group whose published documents are searched too; the pipeline
    fills it in. ``focus`` is what a question to documents asks, without what ``document_ids`` already cover.
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
    """A ranking profile's changes to a hit's relevance.

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

    Ranks count from 1; ``cosine`` and ``bm25`` are raw scores, ``dense`` and ``lexical`` the same calibrated to 0..1.
    ``figures`` is how many of the requested figures it prints (``core.search.scoring.figure_rows``), ``heading`` how
    well the headings above it match the question. ``None`` means that the retriever did not return the item, or that
    the item has no embedding yet. ``fused`` combines the retrievers, ``company`` is added by the item's episode,
    ``weighed`` is the ranking profile's result from both (``learned`` says how), ``final`` blends that with
    ``cross_encoder``, times ``authority``.

    ``precedence`` ranks before every score: 1 if the hit is known to have answered this question, -1 if it is known not
    to have.
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
        """The retrievers' confidence in this hit by itself, 0..1."""
        return calibration.joint_confidence(self.dense, self.lexical, self.figures)

    @property
    def outcomes(self) -> float:
        """The factor from past answers' outcomes for this question."""
        return self.learned.boosts.get("outcomes", 1.0) if self.learned else 1.0

    @property
    def relevance(self) -> float:
        """The score without the effect of outcomes."""
        return self.final / self.outcomes


@dataclass
class Stage:
    name: str
    milliseconds: float
    count: int


@dataclass
class SearchRecord:
    """A record of a search: its stages, and what was skipped and why.

    ``confidence`` is that of the strongest hit; ``trust`` is how far the embedding search was trusted, 0..1.
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
