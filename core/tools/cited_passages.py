"""Describes passages for a model: each under its citation number, with document, period, page and section."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.events import Passage, Source
from core.library.records import Document
from core.store.items import MemoryItem
from core.tools.document_choice import periods_of
from core.tools.tool import Caller, ToolResult

MOST_PERIODS = 2
"""Maximum number of a document's periods in a heading."""


def source_of(document: Document, items: Sequence[MemoryItem]) -> Source:
    """A document's passages as one source without a number."""
    return Source(
        number=0,
        document_id=document.id,
        title=document.metadata.title,
        filename=document.filename,
        score=1.0,
        passages=[
            Passage(
                item_id=each.id,
                text=each.text,
                page=each.source.book.page if each.source.book else None,
                section=each.source.book.section if each.source.book else None,
                table=each.source.book.table if each.source.book else None,
                position=each.place.order,
                score=1.0,
                accepted_by="document",
            )
            for each in items
        ],
    )


def cited(caller: Caller, sources: Sequence[Source], documents: Mapping[str, Document]) -> ToolResult:
    """Numbers the passages of ``sources``, and returns them as text; ``documents`` by id gives their periods."""
    parts = []
    for source in sources:
        document = documents.get(source.document_id)
        periods = periods_of(document)[:MOST_PERIODS] if document else []
        for number, passage in caller.evidence.cite(source):
            parts.append(f"[{number}] {heading(source.title, periods, passage)}\n{passage.text}")
    return ToolResult(text="\n\n".join(parts), parts=parts, found=bool(parts), sources=list(sources), cited=True)


def heading(title: str, periods: Sequence[str], passage: Passage) -> str:
    """``title · period · page · section``; parts that are not known are left out."""
    page = f"page {passage.page}" if passage.page else ""
    table = f"table {passage.table + 1}" if passage.table is not None else ""
    return " · ".join(part for part in (title, ", ".join(periods), page, table, passage.section or "") if part)
