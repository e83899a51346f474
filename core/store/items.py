"""The one retrievable record: a memory of any tier, a chunk of a book included."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, Field

from core.language.detection import detect
from core.records.findings import FINDINGS, FindingKind
from core.records.memory_meta import Tier
from core.words import Language

Status = Literal["pending", "active", "archived", "deleted"]
ContentType = Literal["heading", "paragraph", "list", "table", "citation"]
SectionRole = Literal["body", "cover", "contents", "signatures", "exhibits", "boilerplate", "records"]
"""``records`` are rows of a table of things (orders, meters) without prose."""
EMBEDDED_ROLES: tuple[SectionRole, ...] = ("body",)
"""What else stands in a document (contents, covers, signatures, lists of exhibits, records) is found by its words
alone."""
SourceType = Literal["user", "assistant", "tool", "document", "system"]
Outcome = Literal["worked", "failed", "partial", "unknown"]
Kind = Literal["passage", "exchange", "takeaway", "fact", "goal", "value", "quote", "mental_model", "summary"]

TIERS: tuple[Tier, ...] = ("working", "history", "patterns", "books", "memory_bank")
SCORED: tuple[Tier, ...] = ("working", "history", "patterns")
"""Tiers whose items outcomes may score; books and the bank are authorities."""

LIBRARY = "library"
"""The scope of a published document; any other is a conversation's id, ``MEMORY``, or of findings."""
MEMORY = "memory"
"""The scope of what is remembered: seen from every conversation."""


def scope_of_findings(kind: FindingKind) -> str:
    """The scope of what a model took out of published documents, one for each kind: it repeats what passages say, so
    nobody finds it who does not ask for it, and it never stands in the place of a passage."""
    return f"{LIBRARY}/{kind}"


FINDINGS_SCOPES = frozenset(map(scope_of_findings, FINDINGS))


FINDINGS_APART = "findings"
"""The tier that the index knows findings of books by: the words of passages are counted, and passages are ranked, as if
they were not there."""


class ChunkPlace(BaseModel):
    """Where a chunk stands in its document, and what stands there.

    ``path`` are the titles of the sections around it, outermost first, ``section`` the last of them; ``table`` is the
    number (from 0) of the document's table that it shows rows of; ``start`` and ``end`` are offsets into the document's
    text: its blocks joined by two newlines.
    """

    section: str | None = None
    path: list[str] = []
    role: SectionRole = "body"
    table: int | None = None
    page: int | None = None
    page_end: int | None = None
    start: int = 0
    end: int = 0
    content_type: ContentType = "paragraph"
    has_code: bool = False
    token_count: int = 0


class Book(ChunkPlace):
    """A chunk's document and its place there; ``source_context`` is what a model has said of where it stands: part of
    ``Embedding.prefix`` and shown nowhere."""

    book_id: str
    title: str
    filename: str
    author: str | None = None
    chunk_index: int
    language: Language = "en"
    source_context: str | None = None


class ItemSource(BaseModel):
    type: SourceType
    speaker: str | None = None
    conversation_id: str | None = None
    message_id: str | None = None
    doc_id: str | None = None
    chunk_id: str | None = None
    book: Book | None = None


class Quality(BaseModel):
    importance: float = Field(0.5, ge=0, le=1)
    confidence: float = Field(0.5, ge=0, le=1)
    mentioned_count: int = 1
    quality_score: float = 0.25


class Stats(BaseModel):
    """``uses`` counts scored uses; ``retrieved`` counts appearances in results."""

    uses: int = 0
    retrieved: int = 0
    last_used_at: float | None = None
    last_retrieved_at: float | None = None
    worked_count: int = 0
    failed_count: int = 0
    partial_count: int = 0
    unknown_count: int = 0
    success_rate: float = 0.5
    wilson_score: float = 0.0
    initial_score: float = 0.5
    score: float = 0.5
    last_outcome: Outcome | None = None


class Timestamps(BaseModel):
    """Epoch seconds, UTC."""

    created_at: float
    updated_at: float
    archived_at: float | None = None
    expires_at: float | None = None


class Embedding(BaseModel):
    """``prefix`` stands before the text in what is embedded; ``text`` is that text where it is not the item's;
    ``vector_hash`` covers both."""

    model: str | None = None
    dims: int | None = None
    prefix: str = ""
    text: str | None = None
    vector_hash: str | None = None
    last_indexed_at: float | None = None


class Versioning(BaseModel):
    current_version: int = 1


class Place(BaseModel):
    """Order within an episode: a conversation, or a document."""

    episode: str | None = None
    order: int = 0


class Exchange(BaseModel):
    """A question and its answer, as they are remembered.

    ``signature`` is the problem by its terms, ``memory_ids`` what the answer used, ``tools`` what ran for it.
    """

    question: str
    answer: str
    signature: str = ""
    memory_ids: list[str] = []
    tools: list[str] = []


class ItemText(BaseModel, populate_by_name=True):
    """What an item says, and where: all that its neighbours in an episode are read for."""

    id: str = Field(alias="_id")
    text: str
    source: ItemSource
    timestamps: Timestamps
    place: Place = Place()

    @property
    def language(self) -> Language:
        """By which analysis it is indexed."""
        return self.source.book.language if self.source.book else detect(self.text)

    @property
    def searched_text(self) -> str:
        """What the lexical vector is of: the titles of its sections help to find a passage by its subject."""
        book = self.source.book
        titles = (book.path or [book.section or ""]) if book else []
        return "\n".join([*filter(None, titles), self.text])


class MemoryItem(ItemText):
    """``org_id``: the group that its document is shared with.

    ``indexed``: the lexical copy is in the index; ``embedded``: the dense one is too, ``None`` where none is wanted;
    ``synced``: the fields that
    the index filters by are as they are here."""

    user_id: str
    org_id: str | None = None
    tier: Tier
    kind: Kind = "passage"
    status: Status = "active"
    tags: list[str] = []
    always_inject: bool = False
    summary: str | None = None
    entities: list[str] = []
    scope: str = LIBRARY
    document_id: str | None = None
    quality: Quality | None = None
    stats: Stats = Stats()
    embedding: Embedding = Embedding()
    versioning: Versioning = Versioning()
    exchange: Exchange | None = None
    indexed: bool = False
    embedded: bool | None = False
    synced: bool = True
    version: int = 0

    @property
    def indexed_tier(self) -> str:
        """The tier that the index knows it by."""
        return FINDINGS_APART if self.kind in FINDINGS else self.tier

    @property
    def wants_vector(self) -> bool:
        """Whether it is to be found by meaning too; see ``EMBEDDED_ROLES``."""
        return self.source.book is None or self.source.book.role in EMBEDDED_ROLES

    @property
    def unembedded(self) -> bool | None:
        """What ``embedded`` is as long as it has no vector."""
        return False if self.wants_vector else None

    @property
    def embedded_text(self) -> str:
        """What the dense vector is of: prefix and text."""
        text = self.text if self.embedding.text is None else self.embedding.text
        return f"{self.embedding.prefix}\n{text}" if self.embedding.prefix else text
