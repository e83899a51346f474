"""What a document is to somebody who names it, and what came of a name."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal

from core.events import Action, DocumentRef
from core.graph.records import Message
from core.library.records import Document
from core.store.items import LIBRARY

How = Literal["explicit", "inferred", "fuzzy"]

WEAK = 0.5
"""Share of a title's words below which a message may mean another document."""
MOST_OFFERED = 8
"""Candidates from which a person can choose at a glance."""


@dataclass(frozen=True)
class VisibleDocument:
    """A document the person may see. ``kind`` is its class (legal, policy …), ``keywords`` in either language;
    ``attached``: to this conversation alone."""

    id: str
    title: str
    filename: str = ""
    language: str = "en"
    subject: str = ""
    kind: str = ""
    keywords: tuple[str, ...] = ()
    attached: bool = False

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
        )

    def as_ref(self) -> DocumentRef:
        """As one of several to choose from."""
        return DocumentRef(document_id=self.id, title=self.title, hint=self.filename)


@dataclass(frozen=True)
class Resolved:
    """``score``: how sure, 0..1; 1 for what was picked or spelled out."""

    document_id: str
    title: str
    how: How
    score: float = 1.0


@dataclass(frozen=True)
class Ambiguous:
    """``name`` stands for one of the ``candidates``, the likeliest and most distinctive first, at most eight of
    ``total``."""

    name: str
    candidates: tuple[VisibleDocument, ...]
    total: int


@dataclass(frozen=True)
class Resolution:
    """``unmatched`` are names that no document has; ``sets`` the names of sets whose documents were taken in."""

    resolved: tuple[Resolved, ...] = ()
    ambiguous: tuple[Ambiguous, ...] = ()
    unmatched: tuple[str, ...] = ()
    sets: tuple[str, ...] = ()

    @classmethod
    def of(cls, documents: Iterable[VisibleDocument], how: How, score: float = 1.0) -> Resolution:
        """Just these, all found alike."""
        return cls(tuple(Resolved(each.id, each.title, how, score) for each in documents))

    @property
    def document_ids(self) -> list[str]:
        return [each.document_id for each in self.resolved]

    @property
    def is_weak(self) -> bool:
        """Whether it rests on words that a title happens to share, or on nothing."""
        unsure = all(each.how == "fuzzy" and each.score < WEAK for each in self.resolved)
        return unsure and not self.ambiguous and not self.sets

    def __add__(self, other: Resolution) -> Resolution:
        """Both, each document once, by the surer way first."""
        known = {each.document_id for each in self.resolved}
        return Resolution(
            (*self.resolved, *(each for each in other.resolved if each.document_id not in known)),
            (*self.ambiguous, *other.ambiguous),
            (*self.unmatched, *other.unmatched),
            (*self.sets, *other.sets),
        )


@dataclass(frozen=True)
class Reference:
    """What a message may refer to.

    ``documents``: all the person may see; ``sets``: name → document ids; ``registry``: title → id of the documents
    spoken of in this conversation, the newest last; ``recent``: ids of those the last answer used, in its order;
    ``past``: the messages before, the newest last. ``reformulate``: the message is to be said in full as well.
    """

    text: str
    action: Action
    documents: tuple[VisibleDocument, ...]
    sets: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    registry: Mapping[str, str] = field(default_factory=dict)
    recent: tuple[str, ...] = ()
    past: tuple[Message, ...] = ()
    reformulate: bool = False

    @property
    def spoken_of(self) -> list[str]:
        """Ids of the documents of the conversation that still exist, the newest first."""
        there = {each.id for each in self.documents}
        return [each for each in list(self.registry.values())[::-1] if each in there]

    @property
    def whole(self) -> bool:
        """Whether the action reads documents from end to end, so that it must be known which."""
        return self.action in ("summarize", "compare", "audit")
