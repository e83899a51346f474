"""Defines a search request and its result: hits with every part of their score."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import Literal

from core.language.bounded_text import bounded
from core.question.focus import Focus
from core.records.memory_meta import Tier
from core.runs.trace import Step, Trace
from core.search.scoring import calibration
from core.search.scoring.calibration import Confidence
from core.store.items import MemoryItem
from core.words import Language, Words

Precedence = Literal[-1, 0, 1]

Steps = Callable[[str], AbstractContextManager[Step]]
"""Opens a step of the user's trace; takes the name of the step's label."""

silent: Steps = Trace(lambda event: None).step
"""Used by searches that show no trace."""


@dataclass(frozen=True)
class SearchRequest:
    """A search request.

    ``scopes`` says what to search: the library, a conversation, the memory; ``document_ids``, if given, limits the
    search to these documents.

    ``depths`` is the number of candidates that each retriever fetches from a tier (a group of items); other tiers use
    the pipeline's default.

    ``episodic`` searches score a memory by itself, by its neighbours and by its conversation
    (``core.search.scoring.episodes``); ``names`` are the speakers in the searched texts: they show whose words are
    meant, not the subject. ``org_id`` is the group whose published documents are searched too; the pipeline fills it
    in. ``focus`` is the part of a question about documents that asks, without the words that ``document_ids`` already
    cover.
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
    """The changes that a ranking profile makes to a hit's relevance.

    ``similarity`` (0..1) and ``score`` (0..1) with their weights, then ``boosts``: factors by name; a factor of 1.0
    changes nothing.
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
    ``figures`` says how many of the requested figures the passage prints (``core.search.scoring.figure_rows``),
    ``heading`` how well the headings above it match the question. ``None`` means that the retriever did not return the
    item, or that the item has no embedding yet.

    ``fused`` combines the retrievers' scores; ``company`` is a bonus from the item's context (its document or
    conversation); ``weighed`` is the score that the ranking profile makes of both (``learned`` says how); ``final``
    combines that with ``cross_encoder`` and is multiplied by ``authority``.

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
        """The retrievers' confidence in this hit, 0..1, without regard to other hits."""
        return calibration.joint_confidence(self.dense, self.lexical, self.figures)

    @property
    def outcomes(self) -> float:
        """The factor by which outcomes of past answers to this question change the hit's score."""
        return self.learned.boosts.get("outcomes", 1.0) if self.learned else 1.0

    @property
    def relevance(self) -> float:
        """The score without the effect of past answers' outcomes."""
        return self.final / self.outcomes


@dataclass
class Stage:
    name: str
    milliseconds: float
    count: int


@dataclass
class SearchRecord:
    """A record of a search: its stages, and which of them were skipped and why.

    ``confidence`` is that of the strongest hit; ``trust`` is how reliable the embedding search is for this question,
    0..1.
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
