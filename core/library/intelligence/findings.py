"""What was found in a book as items of the memory: *a kind, words, the passage that bears them out* → an item."""

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
    """``page`` is where a quote was found; the pages of ``passage`` where it is not told."""

    kind: FindingKind
    text: str
    passage: MemoryItem
    category: Category | None = None
    page: int | None = None


def finding_id(document_id: str, kind: FindingKind, text: str) -> str:
    """The same for the same words, however often the document is read out."""
    return derived_id("mem", document_id, f"{kind}: {fold(text)}")


def item_of(document: Document, finding: Finding, now: float) -> MemoryItem:
    """Pending until its document is known to be there still. It stands where its passage stands."""
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
