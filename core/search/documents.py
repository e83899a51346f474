"""From hits to citations: the document stages of a search [004 §3; spec S1-S5, S7]."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol

from core.events import Passage, Source
from core.language.normalisation import fold
from core.language.terms import content_terms, covers, is_stop_word
from core.resilience import Deadline
from core.search.pipeline import SearchPipeline
from core.search.request import Explained, SearchRecord, SearchRequest, Steps, silent
from core.search.strength import ANCHOR, Confidence, confidence
from core.settings import Mode, ModeName, Search
from core.store.items import LIBRARY
from core.words import Words

AcceptedBy = Literal["document", "all_terms", "filename", "strength"]
Accepted = tuple[Explained, AcceptedBy]

DOCUMENT_WORDS = frozenset(
    (
        *("paper", "document", "file", "report", "policy", "contract", "agreement", "memo"),
        *("article", "book", "guide", "manual", "letter", "spreadsheet"),
        *("מסמך", "קובץ", "דוח", 'דו"ח', "נוהל", "מדיניות", "חוזה", "הסכם", "מזכר"),
        *("מאמר", "ספר", "מדריך", "מכתב", "גיליון"),
    )
)
"""Words by which a question says that a name in it is a document's."""

_SEPARATORS = re.compile(r"[_\-.,?!\s]+")


class KnownDocument(Protocol):
    """What the filename stage must know of a document."""

    @property
    def id(self) -> str: ...
    @property
    def filename(self) -> str: ...


Documents = Callable[[str, Sequence[str]], Awaitable[Sequence[KnownDocument]]]
"""User and scopes to the documents that may be seen."""


@dataclass(frozen=True)
class DocumentQuery:
    """``document_ids`` are the documents a question was resolved to; they win over filenames."""

    user_id: str
    text: str
    mode: ModeName
    conversation_id: str | None = None
    document_ids: list[str] | None = None


@dataclass
class Found:
    """``sources`` in the order of their best score; ``notices`` say what was left out."""

    sources: list[Source]
    confidence: Confidence
    candidates: int
    notices: list[Words] = field(default_factory=list)
    record: SearchRecord | None = None


class DocumentSearch:
    """Searches the library and the conversation's own documents."""

    def __init__(
        self, pipeline: SearchPipeline, documents: Documents, modes: Callable[[ModeName], Mode], settings: Search
    ) -> None:
        self._pipeline = pipeline
        self._documents = documents
        self._modes = modes
        self._settings = settings

    async def find(self, query: DocumentQuery, deadline: Deadline, steps: Steps = silent) -> Found:
        """The citations for a question; empty with confidence ``none`` when nothing is close enough."""
        mode = self._modes(query.mode)
        scopes = [LIBRARY, *([query.conversation_id] if query.conversation_id else [])]
        terms = content_terms(query.text)
        known = await self._documents(query.user_id, scopes)
        chosen = query.document_ids or named_documents(query.text, terms, known)
        request = SearchRequest(
            user_id=query.user_id,
            text=query.text,
            limit=max(mode.top_k * self._settings.over_fetch, self._settings.least_candidates),
            tiers=("books",),
            scopes=scopes,
            document_ids=chosen or None,
        )
        result = await self._pipeline.search(request, deadline, steps)
        accepted = anchored(
            [(hit, reason) for hit in result.hits if (reason := self._accept(hit, terms, bool(chosen), mode))]
        )
        return Found(
            sources=cite(accepted, mode.top_k),
            confidence=confidence(max((hit.strength for hit, _ in accepted), default=None), self._settings),
            candidates=result.record.candidates,
            notices=result.record.skipped,
            record=result.record,
        )

    def _accept(self, hit: Explained, terms: Sequence[str], pre_filtered: bool, mode: Mode) -> AcceptedBy | None:
        """The first of the four tiers that lets a passage through [004 §3.4]."""
        if pre_filtered:
            return "document"
        text = fold(hit.item.text)
        if len(terms) > 1 and all(covers(term, text) for term in terms):
            return "all_terms"
        if hit.strength >= mode.strength:
            return "strength"
        book = hit.item.source.book
        if book and hit.strength >= self._settings.filename_strength and set(terms) & filename_tokens(book.filename):
            return "filename"
        return None


def anchored(accepted: list[Accepted]) -> list[Accepted]:
    """Passages that are only fairly close need one among them that is close or named; alone they are all left out.

    A question about something that no document holds finds fairly close passages too, and must end with none.
    """
    firm = any(reason != "strength" or hit.strength >= ANCHOR for hit, reason in accepted)
    return accepted if firm else []


def filename_tokens(filename: str) -> set[str]:
    """The words of a filename, without its ending."""
    stem = filename.rsplit(".", 1)[0]
    return {token for token in _SEPARATORS.split(fold(stem)) if len(token) > 2}


def named_documents(question: str, terms: Sequence[str], known: Sequence[KnownDocument]) -> list[str]:
    """Documents whose filename a question names [004 §3.1]: "the Probst paper", "travel policy 2025".

    A name counts when it covers half of the filename's words, or when the question says that it means a document.
    A number alone names nothing, but decides between "policy 2024" and "policy 2025"; a word that most filenames
    share tells none of them apart. Without these limits every question about a vendor would be kept from all
    documents but the vendor's contract.
    """
    said = set(terms) | filename_tokens(question)
    means_document = bool(said & DOCUMENT_WORDS)
    scores = {document.id: _named(said, filename_tokens(document.filename), means_document) for document in known}
    most = max(scores.values(), default=0)
    named = [identifier for identifier, score in scores.items() if score == most]
    return [] if most == 0 or len(named) * 2 > len(known) > 1 else named


def _named(said: set[str], tokens: set[str], means_document: bool) -> int:
    words = {token for token in tokens if not token.isdigit() and not is_stop_word(token)}
    common = words & said
    enough = means_document or len(common) * 2 >= len(words)
    return len(common) + len(tokens & said - words) if common and enough else 0


def cite(accepted: Sequence[Accepted], most: int) -> list[Source]:
    """One source a document with all its passages, best first, at most ``most`` [004 §3.5-3.6]."""
    groups: dict[str, list[Accepted]] = {}
    for hit, reason in accepted:
        groups.setdefault(hit.item.document_id or hit.item.id, []).append((hit, reason))
    ordered = sorted(groups.items(), key=lambda group: -max(hit.final for hit, _ in group[1]))[:most]
    return [_source(number, key, group) for number, (key, group) in enumerate(ordered, start=1)]


def _source(number: int, document_id: str, group: Sequence[Accepted]) -> Source:
    book = group[0][0].item.source.book
    return Source(
        number=number,
        document_id=document_id,
        title=book.title if book else "",
        filename=book.filename if book else "",
        score=max(hit.final for hit, _ in group),
        passages=[_passage(hit, reason) for hit, reason in group],
    )


def _passage(hit: Explained, reason: AcceptedBy) -> Passage:
    book = hit.item.source.book
    return Passage(
        item_id=hit.item.id,
        text=hit.item.text,
        page=book.page if book else None,
        section=book.section if book else None,
        position=hit.item.place.order,
        score=hit.final,
        dense_rank=hit.dense_rank,
        lexical_rank=hit.lexical_rank,
        dense=hit.dense,
        lexical=hit.lexical,
        accepted_by=reason,
    )
