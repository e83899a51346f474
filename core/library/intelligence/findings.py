"""Converts findings to items of the memory: *a kind, a text, the supporting passage* → an item."""

from __future__ import annotations

from dataclasses import dataclass

from core.ids import derived_id
from core.language.detection import detect
from core.language.normalisation import fold
from core.language.tokens import count_tokens
from core.library.contextual.rule_prefix import prefix
from core.library.identity.names import display_name
from core.library.records import Document
from core.records.findings import Category, FindingKind
from core.store.items import Embedding, ItemSource, MemoryItem, Place, Timestamps, scope_of_findings


@dataclass(frozen=True)
class Finding:
    """A finding in a document. ``page`` is the page of a quote; if it is not known, the passage's pages apply."""

    kind: FindingKind
    text: str
    passage: MemoryItem
    category: Category | None = None
    page: int | None = None


def finding_id(document_id: str, kind: FindingKind, text: str) -> str:
    """The finding's id; the same text always gets the same id, however often findings are extracted."""
    return derived_id("mem", document_id, f"{kind}: {fold(text)}")


def item_of(document: Document, finding: Finding, now: float) -> MemoryItem:
    """An item that stays pending until it is certain that its document still exists. It has its passage's position."""
    passage, book = finding.passage, finding.passage.source.book
    assert book is not None, "a passage of a document"
    place = {"page": finding.page, "page_end": finding.page} if finding.page else {}
    own = {
        "title": document.metadata.title,
        "role": "body",
        "table": None,
        "content_type": "paragraph",
        "has_code": False,
        "token_count": count_tokens(finding.text),
        "language": detect(finding.text),
        "source_context": None,
    }
    return MemoryItem(
        id=finding_id(document.id, finding.kind, finding.text),
        user_id=document.user_id,
        tier="books",
        kind=finding.kind,
        status="pending",
        tags=[finding.category] if finding.category else [],
        text=finding.text,
        scope=scope_of_findings(finding.kind),
        document_id=document.id,
        source=ItemSource(
            type="document" if finding.kind == "quote" else "assistant",
            doc_id=document.id,
            chunk_id=passage.id,
            book=book.model_copy(update={**own, **place}),
        ),
        timestamps=Timestamps(created_at=now, updated_at=now),
        embedding=Embedding(prefix=prefix(display_name(document.metadata), book.path)),
        place=Place(episode=document.id, order=passage.place.order),
    )
