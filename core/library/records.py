"""Defines the catalogue entry of a document, and other records: sets, progress, removed documents."""

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
    """An organisation: ``name`` in full; ``aliases`` are its other names: short name, initials, ticker."""

    name: str
    aliases: list[str] = []


class CoveredPeriod(BaseModel, frozen=True):
    """A period that a document covers. ``key`` is in the format of ``core.language.entities.periods`` ("2022",
    "2022-Q2"). ``names`` are all its names: the company's own, the year it ends in and the filename's. ``end`` is an
    ISO date."""

    key: str
    names: list[str] = []
    end: str | None = None


class Metadata(BaseModel, frozen=True):
    """A document's metadata, for search and display; never put into prompts.

    ``corrected`` lists the fields that a person set: no later reading changes them. ``unsure`` lists the fields that
    the rules set on weak evidence; a model may overwrite them.
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
"""Size of one vector in the job queue: computing it takes about as long (0.2 s) as reading this many bytes of a file.
"""


class Augmentation(BaseModel, frozen=True):
    """A second reading of a document: its time, the question for which it was done, and the number of passages it
    added."""

    at: float
    question: str
    added: int


class Recognition(BaseModel, frozen=True):
    """Counts of a document's scanned pages: how many there are, how many were recognised, and how many are in its
    passages."""

    total: int
    done: int = 0
    read: int = 0


class PortalRows(BaseModel, frozen=True):
    """Rows of a resource of an open data portal, and how many of them were fetched.

    ``portal`` is the portal's host, ``changed`` the portal's time of change. ``total`` is the number of rows that the
    portal has, if it is known; ``limited_to`` says in words which of them were wanted, and is empty for all.
    ``fits``: the data set is likely the one that was asked for.
    """

    portal: str
    resource_id: str
    publisher: str = ""
    changed: str = ""
    fetched: int
    total: int | None = None
    limited_to: str = ""
    fits: bool = True

    @property
    def is_whole(self) -> bool:
        """Whether all rows that the portal has were fetched."""
        return self.total is not None and self.fetched >= self.total


class WebOrigin(BaseModel, frozen=True):
    """Address of a web page, and the time when it was read (seconds since 1970). ``rows`` are set for open data."""

    url: str
    fetched_at: float
    rows: PortalRows | None = None

    @property
    def day(self) -> str:
        """The day it was read, as an ISO date in UTC."""
        return datetime.fromtimestamp(self.fetched_at, UTC).strftime("%Y-%m-%d")


class Document(BaseModel, populate_by_name=True, frozen=True):
    """A document's entry in the catalogue.

    ``sha256`` is the digest of the file's bytes, ``text_sha256`` of its extracted text. ``org_id`` is the group
    that may also read it, because its owner shared it. ``replaces`` is the document that is removed when this one
    is readable. ``origin`` is set for a web page and for rows of open data. ``chunks`` counts passages,
    ``searchable`` those searchable by text, ``embedded`` those with a vector; ``without_vectors`` are rows of
    records, which are found by keyword. ``has_all_vectors``: it was checked that all passages that need a vector
    have one (maintenance checks the documents for which this is not known). ``recognition`` is set while pages wait
    for OCR: the passages come from all other pages. ``reading`` is the owner's choice of how to read it, ``None``
    for the default. ``extraction`` describes the findings that a model extracted; ``seen_failure`` is the run whose
    failure the owner has seen.
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
        """``settings`` with the document's own reading settings applied."""
        return settings.model_copy(update={"reading": self.reading}) if self.reading else settings

    @property
    def vectors_size(self) -> int:
        """The work for its vectors, in the unit of the job queue: one byte of a file that is read."""
        return self.with_vectors * BYTES_A_VECTOR

    @property
    def with_vectors(self) -> int:
        """The number of passages that get a vector."""
        return self.chunks - self.without_vectors

    @property
    def failed_unseen(self) -> bool:
        """Whether the document could not be read and the owner has not seen that yet."""
        return self.state == "failed" and self.seen_failure != self.run_id

    @property
    def is_stored(self) -> bool:
        """Whether all its passages are stored and searchable by text."""
        return self.chunks > 0 and self.searchable == self.chunks

    @property
    def is_taken_in(self) -> bool:
        """Whether everything except unrecognised pages is stored, even if that is nothing."""
        return self.is_stored or (self.recognition is not None and self.chunks == 0)


NOTHING_READ: dict[str, Any] = {
    "chunks": 0, "searchable": 0, "embedded": 0, "without_vectors": 0, "recognition": None, "augmentations": []
}  # fmt: skip
"""Field values of a document of which nothing is stored."""


Choice = Literal["ask", "replace", "keep_both"]


CorrectedField = Literal["title", "kind", "organisations", "periods", "date"]


class DocumentSet(BaseModel, populate_by_name=True):
    """A named selection of documents. ``document_ids`` keep the order in which they were added; readers see those that
    are in the library now. ``org_id``: the group that may also see the set."""

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
    """A document that no longer exists. ``at`` is when it was deleted or replaced; ``replaced_by`` is the newest
    existing version."""

    at: float | None = None
    replaced_by: str | None = None


BYTES_A_PAGE = 300_000
"""Size of one scanned page in the job queue: OCR takes about as long (3 s) as reading this many bytes of a file."""


Stage = Literal["queued", "reading", "storing", "recognising", "meaning"]


@dataclass(frozen=True)
class DocumentProgress:
    """How far a document's processing is. ``done`` of ``total`` counts pages while it is *reading* or *recognising*,
    passages after that; 0 if not countable. ``words`` is the number of seconds until its full text is searchable,
    ``meaning`` until it is completely ready; None if not known."""

    document_id: str
    stage: Stage = "queued"
    done: int = 0
    total: int = 0
    words: float | None = None
    meaning: float | None = None


UNREAD: tuple[DocumentState, ...] = ("failed", "cancelled")


def can_retry(document: Document) -> bool:
    """Whether the user may have it read again; its original file is kept as long as its entry."""
    return document.state in UNREAD
