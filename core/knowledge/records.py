"""What the truth keeps of the content graph.

Nothing is counted here: a mention says what one text names, and every node, edge and average follows from the mentions
whose text is alive. So reading a text twice changes nothing, and no edge outlives what it was read from.
"""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, Field

from core.ids import id_of
from core.memory.items.records import Record
from core.records.memory_meta import Tier

MENTIONS = "knowledge_mentions"
CONCEPTS = "knowledge_concepts"

RULES = 2
"""Counts up when texts are to be read again."""

EntityKind = Literal["person", "organisation", "place", "product", "metric", "law", "date", "sum", "identifier", "term"]
"""What a text can name."""

RelationKind = Literal[
    "causes", "leads_to", "triggers", "prevents", "supports", "contradicts", "builds_upon", "influences", "evolves_from"
]
"""What a model can say of two concepts."""


class ConceptRow(Record):
    """A concept under one name, and every other spelling that was met; ``keys`` are their normalised forms, the one
    that its id follows from first."""

    keys: list[str]
    label: str
    kind: EntityKind
    aliases: list[str] = Field(default_factory=list)


class Relation(BaseModel):
    """``a`` does it to ``b``; both are concept ids."""

    a: str
    b: str
    kind: RelationKind


class Mention(Record):
    """What one text names. ``fingerprint`` is of the text, ``rules`` by which it was read; ``seen`` is the item's
    ``updated_at`` when it was, ``read_at`` the time of reading; ``pairs`` are places in ``concepts`` of those that
    stand together."""

    item_id: str
    tier: Tier
    document_id: str | None = None
    fingerprint: str
    rules: int = RULES
    seen: float
    read_at: float
    concepts: list[str] = Field(default_factory=list)
    pairs: list[tuple[int, int]] = Field(default_factory=list)
    relations: list[Relation] = Field(default_factory=list)


def concept_id(user_id: str, key: str) -> str:
    return id_of("conc", user_id, key)


def mention_id(user_id: str, item_id: str) -> str:
    return id_of("know", user_id, item_id)
