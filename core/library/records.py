"""The catalogue entry of a document, and what else is told of documents: sets, progress, what became of them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Literal

from pydantic import BaseModel, Field

from core.errors import Problem
from core.language.detection import DocumentLanguage
from core.library.intelligence.records import Extraction
from core.reading_settings import ReadingOptions
from core.settings import Settings
from core.store.items import LIBRARY

DocumentState = Literal["pending", "processing", "completed", "failed", "cancelled", "deleted"]


DocumentKind = Literal[
    "annual report", "quarterly report", "current report", "earnings release", "contract", "policy", "paper", "memo",
    "minutes", "invoice", "press release", "letter", "email", "manual", "form", "brochure", "presentation",
    "spreadsheet", "guide", "plan", "regulation", "statistics", "report", "other",
]  # fmt: skip


class Organisation(BaseModel, frozen=True):
    """``name`` in full; ``aliases`` are what else it is called: short name, initials, ticker."""

    name: str
    aliases: list[str] = []


class CoveredPeriod(BaseModel, frozen=True):
    """``key`` as ``core.language.entities.periods`` writes it ("2022", "2022-Q2"); ``names`` are all names of it, the
    company's own, the year it ends in and the filename's; ``end`` is an ISO date."""

    key: str
    names: list[str] = []
    end: str | None = None


class Metadata(BaseModel, frozen=True):
    """For search and display; never put into prompts.

    ``corrected`` are the fields that a person set: no later reading changes them. ``unsure`` are those that the rules
    told from little, of which a model may know better.
    """

    title: str
    kind: DocumentKind = "other"
    organisations: list[Organisation] = []
    periods: list[CoveredPeriod] = []
    date: str | None = None
    corrected: list[str] = []
    unsure: list[str] = []
    author: str | None = None
    language: DocumentLanguage = "en"
    keywords_en: list[str] = []
    keywords_he: list[str] = []
    subject: str | None = None
    classification: str | None = None
    dates: list[str] = []
    citations: list[str] = []
    summary: str | None = None


BYTES_A_VECTOR = 20_000
"""A vector takes about the time in which a queue lets others pass a file of so many bytes (0.2 s)."""


class Augmentation(BaseModel, frozen=True):
    """A second reading: when, for which question, and how many passages it added."""

    at: float
    question: str
    added: int


class Recognition(BaseModel, frozen=True):
    """Scanned pages of a document: how many there are, were recognised, and are in its passages."""

    total: int
    done: int = 0
    read: int = 0


class WebOrigin(BaseModel, frozen=True):
    """Where a page of the web was read, and when (seconds since 1970)."""

    url: str
    fetched_at: float

    @property
    def day(self) -> str:
        """As an ISO date in UTC."""
        return datetime.fromtimestamp(self.fetched_at, UTC).strftime("%Y-%m-%d")


class Document(BaseModel, populate_by_name=True, frozen=True):
    """``sha256`` is of the file's bytes, ``text_sha256`` of its extracted text.

    ``org_id`` is the group whose people may read it, too: its owner published it to them.
    ``replaces`` is the document that goes when this one can be read. ``origin``: of a page of the web.
    ``chunks`` counts passages, ``searchable`` those findable by text, ``embedded`` those findable by meaning;
    ``without_vectors`` are rows of records, which are found by their words. ``has_all_vectors``: all that want a vector
    were seen to have one (upkeep compares those of which it is not known);
    ``recognition`` is there while pages of it wait to be recognised: its passages are those of all others;
    ``reading`` is how its owner chose to have it read, ``None`` where they chose nothing;
    ``extraction`` is what a model took out of it; ``seen_failure`` the run whose failure its owner has been shown.
    """

    id: str = Field(alias="_id")
    user_id: str
    org_id: str | None = None
    scope: str = LIBRARY
    filename: str
    mime: str
    size: int
    sha256: str
    text_sha256: str | None = None
    state: DocumentState = "pending"
    metadata: Metadata
    pages: int | None = None
    tokens: int = 0
    chunks: int = 0
    searchable: int = 0
    embedded: int = 0
    without_vectors: int = 0
    has_all_vectors: bool = False
    run_id: str | None = None
    job_id: str | None = None
    problem: Problem | None = None
    replaces: str | None = None
    origin: WebOrigin | None = None
    notes: list[tuple[str, str]] = []
    reading: ReadingOptions | None = None
    augmentations: list[Augmentation] = []
    recognition: Recognition | None = None
    extraction: Extraction | None = None
    seen_failure: str | None = None
    added_at: float
    updated_at: float
    version: int = 0

    def settings(self, settings: Settings) -> Settings:
        """``settings`` with the document's own way of reading."""
        return settings.model_copy(update={"reading": self.reading}) if self.reading else settings

    @property
    def vectors_size(self) -> int:
        """How much work its vectors are, in the unit of the queue of jobs, which is a byte of a file that is read."""
        return self.with_vectors * BYTES_A_VECTOR

    @property
    def with_vectors(self) -> int:
        """How many passages are to be found by meaning too."""
        return self.chunks - self.without_vectors

    @property
    def failed_unseen(self) -> bool:
        """Whether it could not be read, and nobody has seen that yet."""
        return self.state == "failed" and self.seen_failure != self.run_id

    @property
    def is_stored(self) -> bool:
        """Whether all its passages are stored and findable by text."""
        return self.chunks > 0 and self.searchable == self.chunks

    @property
    def is_taken_in(self) -> bool:
        """Whether all that its file gives without recognising pages is stored, be it nothing."""
        return self.is_stored or (self.recognition is not None and self.chunks == 0)


NOTHING_READ: dict[str, Any] = {
    "chunks": 0, "searchable": 0, "embedded": 0, "without_vectors": 0, "recognition": None, "augmentations": []
}  # fmt: skip
"""Fields of a document of which nothing is stored."""


Choice = Literal["ask", "replace", "keep_both"]


CorrectedField = Literal["title", "kind", "organisations", "periods", "date"]


class DocumentSet(BaseModel, populate_by_name=True):
    """``document_ids`` in the order they were put in; readers see those that are in the library now.
    ``org_id``: the group whose people see it, too."""

    id: str = Field(alias="_id")
    user_id: str
    org_id: str | None = None
    name: str
    document_ids: list[str] = []
    deleted: bool = False
    created_at: float
    updated_at: float
    version: int = 0


class RemovedDocument(BaseModel):
    """``at`` is when it was deleted or replaced; ``replaced_by`` the newest version that is still there."""

    at: float | None = None
    replaced_by: str | None = None


BYTES_A_PAGE = 300_000
"""Recognising a page takes about the time in which a queue lets others pass a file of so many bytes (3 s)."""


Stage = Literal["queued", "reading", "storing", "recognising", "meaning"]


@dataclass(frozen=True)
class DocumentProgress:
    """Where a document is. ``done`` of ``total``: pages while it is *reading* or *recognising*, passages after it; 0
    where it cannot be counted. ``words``: seconds until all of it can be asked, ``meaning``: until it is ready
    altogether, None: not known."""

    document_id: str
    stage: Stage = "queued"
    done: int = 0
    total: int = 0
    words: float | None = None
    meaning: float | None = None


UNREAD: tuple[DocumentState, ...] = ("failed", "cancelled")


def can_retry(document: Document) -> bool:
    """Whether it is to be read again when somebody asks for it; its original is kept as long as its entry."""
    return document.state in UNREAD
