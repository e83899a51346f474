"""Book extraction in the Library tab: lists a document's findings, starts and stops the extraction, and extracts one
section."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from core.records.findings import CATEGORIES, FINDINGS, Category, FindingKind
from core.store.items import MemoryItem
from pages.actions import Call, Handlers, OneDocument, Reply, action
from viz.findings import findings_section, section_content
from viz.labels import label


class Found(OneDocument):
    """Filters for findings. If no kind or category is given, all are included."""

    kinds: Annotated[list[FindingKind], Field(max_length=3)] = Field([])
    categories: Annotated[list[Category], Field(max_length=40)] = Field([])


class OneSection(OneDocument):
    """A section by its position in the outline, from 0. If no position is given, the text before the first section is
    meant."""

    section: Annotated[int, Field(ge=0)] | None = None


class BookShelf(Handlers):
    """Actions that the script of the document detail can call."""

    @action("library", endpoint="book_findings", part="findings", scope="read")
    async def findings(self, user_id: str, call: Found) -> Reply:
        """Quotes, mental models and summaries that a model extracted from a document, with category and page."""
        document = await self._workbench.library.get(user_id, call.id)
        items = await self._workbench.books.findings(user_id, call.id, call.kinds, call.categories)
        mine = document.user_id == user_id
        estimate = await self._workbench.books.estimate(user_id, call.id) if mine else None
        html = findings_section(document, items, estimate, self._workbench.books.configured, call.ui, mine=mine)
        return {"html": str(html), "findings": [_row(item) for item in items]}

    @action("memory", "chat", endpoint="book_counts", scope="read")
    async def counts(self, user_id: str, call: Call) -> Reply:
        """Number of findings in all documents, by kind and by category (with the category's label)."""
        kinds, categories = await self._workbench.books.counts(user_id)
        named = [(key, label(f"category_{key}", call.ui), categories[key]) for key in CATEGORIES if categories.get(key)]
        return {
            "kinds": {kind: kinds[kind] for kind in FINDINGS if kinds.get(kind)},
            "categories": [{"key": key, "name": name, "count": count} for key, name, count in named],
        }

    @action("library", endpoint="extract_book")
    async def extract(self, user_id: str, call: OneDocument) -> Reply:
        """Start the extraction of quotes, mental models and summaries from a published document by the model, in the
        background."""
        document = await self._workbench.books.begin(user_id, call.id)
        return {"document_id": document.id, "state": document.extraction.state if document.extraction else None}

    @action("library", endpoint="stop_extraction")
    async def stop_extraction(self, user_id: str, call: OneDocument) -> Reply:
        """Stop the extraction. The findings extracted so far are kept."""
        await self._workbench.books.cancel(user_id, call.id)
        return {"document_id": call.id}

    @action("library", endpoint="extract_content", part="content")
    async def section(self, user_id: str, call: OneSection) -> Reply:
        """Extract the quotes, concepts, insights and technical terms of one section, with one model call."""
        content = await self._workbench.sections.read(user_id, call.id, call.section)
        return {"html": str(section_content(content, call.ui)), "content": content.model_dump(mode="json")}


def _row(item: MemoryItem) -> Reply:
    book = item.source.book
    return {
        "id": item.id,
        "kind": item.kind,
        "category": item.tags[0] if item.tags else None,
        "text": item.text,
        "page": book.page if book else None,
        "section": book.section if book else None,
        "passage_id": item.source.chunk_id,
    }
