"""Defines the content graph's stored records.

They contain no counts: a mention record lists the concepts in one text, and all nodes, edges and averages are computed
from the mention records of existing texts. So reading a text twice changes nothing, and an edge disappears with its
text.
"""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, Field

from core.ids import id_of
from core.memory.items.records import Record
from core.records.memory_meta import Tier

MENTIONS = "knowledge_mentions"
CONCEPTS = "knowledge_concepts"

RULES = 3
"""The version of the extraction rules; it is increased when texts must be read again."""

EntityKind = Literal[
    "person", "company", "organisation", "place", "product", "programme", "event", "metric", "law", "date", "sum",
    "identifier", "term",
]  # fmt: skip
"""Kinds of things that a text can name. ``metric``: a measure of figures; ``date``: a day or a period."""

RelationKind = Literal[
    "causes", "leads_to", "triggers", "prevents", "supports", "contradicts", "builds_upon", "influences", "evolves_from"
]
"""Relations between two concepts that a model can find."""


class ConceptRow(Record):
    """A concept with its name and all other spellings that were found; ``keys`` are their normalised forms, and the
    first key determines the concept's id."""

    keys: list[str]
    label: str
    kind: EntityKind
    aliases: list[str] = Field(default_factory=list)


class Relation(BaseModel):
    """A relation from ``a`` to ``b``; both are concept ids."""

    a: str
    b: str
    kind: RelationKind


class Mention(Record):
    """The concepts that one text names. ``fingerprint`` is the text's hash, ``rules`` the version of the rules;
    ``seen`` is the item's ``updated_at`` when it was read, ``read_at`` the time of reading. ``pairs`` are index
    pairs in ``concepts`` of those that occur together."""

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
    stated: list[tuple[int, int, str]] = Field(default_factory=list)
    """Index pairs in ``concepts``, in reading order, with what a sentence says of the two in its own words."""


def concept_id(user_id: str, key: str) -> str:
    return id_of("conc", user_id, key)


def mention_id(user_id: str, item_id: str) -> str:
    return id_of("know", user_id, item_id)
