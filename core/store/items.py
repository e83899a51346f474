"""Defines the item, the only record type that is searched: a memory of any tier, or a chunk of a document."""

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
"""Roles that get an embedding. Other parts of a document (contents, covers, signatures, lists of exhibits, records) are
found only by keyword."""
SourceType = Literal["user", "assistant", "tool", "document", "system"]
Outcome = Literal["worked", "failed", "partial", "unknown"]
Kind = Literal["passage", "exchange", "takeaway", "fact", "goal", "value", "quote", "mental_model", "summary"]

TIERS: tuple[Tier, ...] = ("working", "history", "patterns", "books", "memory_bank")
SCORED: tuple[Tier, ...] = ("working", "history", "patterns")
"""Tiers whose items can be scored by outcomes; the other tiers (books and the memory bank) are authoritative."""

LIBRARY = "library"
"""The scope of a published document; any other scope is a conversation's id, ``MEMORY``, or one for findings or fetched
rows."""
MEMORY = "memory"
"""The scope of memories, which every conversation can see."""
_FETCHED = "fetched/"


def scope_of_fetched(conversation_id: str) -> str:
    """The scope of rows that were fetched for a conversation. Only queries over datasets read them: they are neither
    its attachments nor in the library."""
    return f"{_FETCHED}{conversation_id}"


def is_fetched(scope: str) -> bool:
    """Returns whether a scope is that of rows fetched for a conversation."""
    return scope.startswith(_FETCHED)


def scope_of_findings(kind: FindingKind) -> str:
    """The scope of findings that a model extracted from published documents, one for each kind. Findings repeat what
    passages say, so they are only found on request and never replace a passage."""
    return f"{LIBRARY}/{kind}"


FINDINGS_SCOPES = frozenset(map(scope_of_findings, FINDINGS))


FINDINGS_APART = "findings"
"""The index's tier name for findings, so that passages are counted and ranked as if findings did not exist."""


class ChunkPlace(BaseModel):
    """A chunk's position in its document, and its role.

    ``path`` are the titles of the sections around it, outermost first, and ``section`` is the last of them. ``table``
    is the number (from 0) of the document's table whose rows it shows. ``start`` and ``end`` are offsets into the
    document's text: its blocks joined by two newlines.
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
    """A chunk's document and its position there. ``source_context`` is a model's description of its context: it is part
    of ``Embedding.prefix`` and never displayed."""

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
    """The state of the embedding. ``prefix`` is put in front of the text for embedding; ``text`` is that text if it
    differs from the item's; ``vector_hash`` covers both."""

    model: str | None = None
    dims: int | None = None
    prefix: str = ""
    text: str | None = None
    vector_hash: str | None = None
    last_indexed_at: float | None = None


class Versioning(BaseModel):
    current_version: int = 1


class Place(BaseModel):
    """Position in an episode, which is a conversation or a document."""

    episode: str | None = None
    order: int = 0


class Exchange(BaseModel):
    """A question and its answer, as they are remembered.

    ``signature`` is the problem's terms, ``memory_ids`` are the memories that the answer used, ``tools`` the tools that
    ran for it.
    """

    question: str
    answer: str
    signature: str = ""
    memory_ids: list[str] = []
    tools: list[str] = []


class ItemText(BaseModel, populate_by_name=True):
    """An item's text and position: everything that is needed of its neighbours in an episode."""

    id: str = Field(alias="_id")
    text: str
    source: ItemSource
    timestamps: Timestamps
    place: Place = Place()

    @property
    def language(self) -> Language:
        """The language whose analysis is used to index it."""
        return self.source.book.language if self.source.book else detect(self.text)

    @property
    def searched_text(self) -> str:
        """The text of the lexical vector; the section titles help to find a passage by its subject."""
        book = self.source.book
        titles = (book.path or [book.section or ""]) if book else []
        return "\n".join([*filter(None, titles), self.text])


class MemoryItem(ItemText):
    """An item. ``org_id``: the group that its document is shared with.

    ``indexed``: the lexical copy is in the index; ``embedded``: the dense one is too, ``None`` if none is needed;
    ``synced``: the index has the current values of the fields that it filters by.
    """

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
        """The index's name for its tier."""
        return FINDINGS_APART if self.kind in FINDINGS else self.tier

    @property
    def wants_vector(self) -> bool:
        """Whether the item needs an embedding; see ``EMBEDDED_ROLES``."""
        return self.source.book is None or self.source.book.role in EMBEDDED_ROLES

    @property
    def unembedded(self) -> bool | None:
        """The value of ``embedded`` as long as it has no vector."""
        return False if self.wants_vector else None

    @property
    def embedded_text(self) -> str:
        """The text of the dense vector: prefix and text."""
        text = self.text if self.embedding.text is None else self.embedding.text
        return f"{self.embedding.prefix}\n{text}" if self.embedding.prefix else text
