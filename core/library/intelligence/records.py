"""How far a document has been read out, and what one section of it was found to say."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel

from core.records.findings import FindingKind
from core.words import Words

ExtractionState = Literal["waiting", "reading", "done", "incomplete", "cancelled"]
UNDER_WAY: tuple[ExtractionState, ...] = ("waiting", "reading")


class Extraction(BaseModel):
    """``done`` of ``parts`` have been read by ``model``; a book has ``of_parts``, of which only so many are read.

    ``found`` counts what was kept, ``refused`` what the text does not bear out; ``problem`` says why it is
    *incomplete*, ``attempts`` how often it was begun for that.
    """

    state: ExtractionState = "waiting"
    job_id: str | None = None
    run_id: str | None = None
    model: str | None = None
    parts: int = 0
    of_parts: int = 0
    done: int = 0
    found: dict[FindingKind, int] = {}
    refused: int = 0
    problem: Words | None = None
    attempts: int = 1
    at: float = 0.0


class Estimate(BaseModel):
    """What reading a document out would take: ``calls`` of ``model``, ``tokens`` read by them all."""

    calls: int = 0
    tokens: int = 0
    model: str | None = None


PieceKind = Literal["quote", "concept", "insight", "term"]


class Piece(BaseModel):
    """Something that a section says; ``item_id`` is the passage that bears it out."""

    kind: PieceKind
    text: str
    item_id: str
    page: int | None = None


class SectionContent(BaseModel):
    """``read`` of ``of`` passages went into the one call; ``refused`` counts what they do not bear out."""

    pieces: list[Piece] = []
    refused: int = 0
    read: int = 0
    of: int = 0
