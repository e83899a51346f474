"""Defines the records for resolving document names."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from core.events import Action, DocumentRef
from core.graph.records import Message
from core.library.records import Document
from core.store.items import LIBRARY

How = Literal["explicit", "inferred", "fuzzy"]

WEAK = 0.5
"""Below this share of a title's words in a message, the message may mean another document."""
MOST_OFFERED = 8
"""Maximum number of candidates in a list of choices."""


@dataclass(frozen=True)
class VisibleDocument:
    """A document that the user may see. ``kind`` is its class (legal, policy …), ``document_kind`` what it is (lease,
    minutes …), ``keywords`` in either language, ``periods`` the keys of the periods that it covers; ``attached``:
    visible only in this conversation."""

    id: str
    title: str
    filename: str = ""
    language: str = "en"
    subject: str = ""
    kind: str = ""
    keywords: tuple[str, ...] = ()
    attached: bool = False
    document_kind: str = ""
    periods: tuple[str, ...] = ()

    @classmethod
    def of(cls, document: Document) -> VisibleDocument:
        about = document.metadata
        return cls(
            id=document.id,
            title=about.title,
            filename=document.filename,
            language=about.language,
            subject=about.subject or "",
            kind=about.classification or "",
            keywords=(*about.keywords_en, *about.keywords_he),
            attached=document.scope != LIBRARY,
            document_kind="" if about.kind == "other" else about.kind,
            periods=tuple(each.key for each in about.periods),
        )

    def as_ref(self) -> DocumentRef:
        """Returns the document as a choice for the user."""
        return DocumentRef(document_id=self.id, title=self.title, hint=self.filename)


@dataclass(frozen=True)
class Resolved:
    """A resolved document; ``score`` is the certainty, 0..1; 1 if it was selected or named exactly."""

    document_id: str
    title: str
    how: How
    score: float = 1.0


@dataclass(frozen=True)
class Ambiguous:
    """An ambiguous ``name``: it matches several ``candidates``, the most likely and distinctive first, at most eight of
    ``total``."""

    name: str
    candidates: tuple[VisibleDocument, ...]
    total: int


@dataclass(frozen=True)
class NotThere:
    """A document that the message names and that is not there; ``others`` are those of its kind, newest first.
    ``dated``: only its date is missing."""

    name: str
    others: tuple[VisibleDocument, ...] = ()
    dated: bool = False


@dataclass(frozen=True)
class Resolution:
    """The result for a message. ``unmatched`` are names without a document, about which the user is asked; ``absent``
    are documents that are not there; ``sets`` are the names of document sets whose documents were included."""

    resolved: tuple[Resolved, ...] = ()
    ambiguous: tuple[Ambiguous, ...] = ()
    unmatched: tuple[str, ...] = ()
    sets: tuple[str, ...] = ()
    absent: tuple[NotThere, ...] = ()

    @classmethod
    def of(cls, documents: Iterable[VisibleDocument], how: How, score: float = 1.0) -> Resolution:
        """Returns a resolution with these documents, all found in the same way."""
        return cls(tuple(Resolved(each.id, each.title, how, score) for each in documents))

    @property
    def document_ids(self) -> list[str]:
        return [each.document_id for each in self.resolved]

    @property
    def is_weak(self) -> bool:
        """Whether no document was found, or only by words in the message that happen to be in a title."""
        unsure = all(each.how == "fuzzy" and each.score < WEAK for each in self.resolved)
        return unsure and not self.ambiguous and not self.sets

    def __add__(self, other: Resolution) -> Resolution:
        """Merges two results, each document once, with the more certain match first."""
        known = {each.document_id for each in self.resolved}
        return Resolution(
            (*self.resolved, *(each for each in other.resolved if each.document_id not in known)),
            (*self.ambiguous, *other.ambiguous),
            (*self.unmatched, *other.unmatched),
            (*self.sets, *other.sets),
            (*self.absent, *other.absent),
        )


class Clause(NamedTuple):
    """A clause of a message; ``asks``: it asks or orders something."""

    text: str
    asks: bool = True


@dataclass(frozen=True)
class Reference:
    """A message and everything that it may refer to.

    ``documents``: all that the user may see; ``sets``: document set name → document ids; ``registry``: title → id of
    the documents mentioned in this conversation, newest last; ``recent``: ids of those in the last answer, in its
    order; ``past``: earlier messages, newest last. ``reformulate``: a model should also write the message as a complete
    question. ``clauses`` are those of the message, if they were read.
    """

    text: str
    action: Action
    documents: tuple[VisibleDocument, ...]
    sets: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    registry: Mapping[str, str] = field(default_factory=dict)
    recent: tuple[str, ...] = ()
    past: tuple[Message, ...] = ()
    reformulate: bool = False
    clauses: tuple[Clause, ...] = ()

    @property
    def spoken_of(self) -> list[str]:
        """The ids of the conversation's documents that still exist, newest first."""
        there = {each.id for each in self.documents}
        return [each for each in list(self.registry.values())[::-1] if each in there]

    @property
    def whole(self) -> bool:
        """Whether the action reads whole documents, so that the documents must be determined first."""
        return self.action in ("summarize", "compare", "audit")
