"""Defines the state of a document's extraction, and the findings in one of its sections."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel

from core.records.findings import FindingKind
from core.words import Words

ExtractionState = Literal["waiting", "reading", "done", "incomplete", "cancelled"]
UNDER_WAY: tuple[ExtractionState, ...] = ("waiting", "reading")


class Extraction(BaseModel):
    """The state of a document's extraction. ``done`` of ``parts`` were read by ``model``; a long document has
    ``of_parts`` in total, of which only ``parts`` are read.

    ``found`` counts the findings that were kept, ``refused`` the ones that the text does not support; ``problem`` is
    the reason if it is *incomplete*, ``attempts`` the number of incomplete tries.
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
    """The estimated cost of an extraction: ``calls`` of ``model``, and the total of ``tokens`` read."""

    calls: int = 0
    tokens: int = 0
    model: str | None = None


PieceKind = Literal["quote", "concept", "insight", "term"]


class Piece(BaseModel):
    """A finding in a section; ``item_id`` is the supporting passage."""

    kind: PieceKind
    text: str
    item_id: str
    page: int | None = None


class SectionContent(BaseModel):
    """The findings of a section. The only model call contained ``read`` of the section's ``of`` passages; ``refused``
    counts findings that the passages do not support."""

    pieces: list[Piece] = []
    refused: int = 0
    read: int = 0
    of: int = 0
