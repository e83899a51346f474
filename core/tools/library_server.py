"""Offers the user's documents as tools: list, search, read a passage, a page or a table."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from pydantic import BaseModel
from rapidfuzz import fuzz

from core.errors import PalimpsestError, fail
from core.events import Passage, Source
from core.ids import is_id
from core.language.normalisation import fold
from core.language.terms import content_terms, covers
from core.library.library import Library
from core.library.records import Document
from core.library.tables.packing import rows_from
from core.library.tables.records import Table
from core.messages import message
from core.resilience.dependencies import Deadline
from core.search.documents.acceptance import firmly_accepted
from core.search.documents.search import DocumentQuery, DocumentSearch
from core.store.items import MemoryItem
from core.tools.definition_files import definition_of
from core.tools.tool import Caller, Cell, FoundTable, RunTool, Tool, ToolResult

ALIKE = 75.0
"""Minimum similarity of two names (rapidfuzz, 0..100) for a document to count as the one meant."""
MOST_ROWS = 2_000
"""Maximum number of a table's rows that a tool returns; it also returns the total number."""
COLUMNS = ("title", "kind", "organisation", "period", "pages", "added", "filename")


class _Listing(BaseModel):
    search: str = ""
    limit: int = 50


class _Search(BaseModel):
    query: str
    documents: list[str] = []
    limit: int = 8


class _Reading(BaseModel):
    passage: str
    document: str = ""
    around: int = 1


class _Page(BaseModel):
    document: str
    page: int


class _TableOf(BaseModel):
    document: str
    table: str = "1"


class LibraryServer:
    """The document tools. They have access only to the caller's documents and those attached to the caller's
    conversation."""

    name = "library"

    def __init__(self, library: Library, documents: DocumentSearch, retrieval_seconds: float) -> None:
        self._library = library
        self._documents = documents
        self._seconds = retrieval_seconds
        self._tools: list[Tool] = [
            RunTool(definition_of("list_documents"), _Listing, self._list),
            RunTool(definition_of("search_passages"), _Search, self._search),
            RunTool(definition_of("read_passage"), _Reading, self._read_passage),
            RunTool(definition_of("read_page"), _Page, self._read_page),
            RunTool(definition_of("read_table"), _TableOf, self._read_table),
        ]

    def tools(self) -> Sequence[Tool]:
        return self._tools

    async def start(self) -> None: ...

    async def stop(self) -> None: ...

    async def _list(self, asked: _Listing, caller: Caller) -> ToolResult:
        found = await self._library.find(caller.user_id, asked.search, conversation_id=caller.conversation_id)
        rows = [_row(each, caller) for each in found[: asked.limit]]
        table = FoundTable(
            title=message("tools.library.documents").to(caller.language),
            columns=[message(f"tools.library.columns.{name}").to(caller.language) for name in COLUMNS],
            rows=rows,
            total=len(found),
        )
        parts = [" · ".join(str(cell) for cell in row if cell not in (None, "")) for row in rows]
        told = "\n".join([f"{len(rows)} of {len(found)} documents", *parts])
        return ToolResult(text=told, parts=parts, found=bool(rows), tables=[table] if rows else [])

    async def _search(self, asked: _Search, caller: Caller) -> ToolResult:
        meant = [(await self._document(caller, name)).id for name in asked.documents]
        query = DocumentQuery(
            user_id=caller.user_id,
            text=asked.query,
            mode="enhanced",
            conversation_id=caller.conversation_id,
            document_ids=meant or None,
        )
        found = await self._documents.find(query, Deadline(self._seconds))
        sources = _first_passages(firmly_accepted(found.sources), asked.limit)
        return _of_sources(sources)

    async def _read_passage(self, asked: _Reading, caller: Caller) -> ToolResult:
        document, items = await self._passage(caller, asked)
        start = next(place for place, each in enumerate(items) if self._is_meant(each, asked))
        around = items[max(0, start - asked.around) : start + asked.around + 1]
        return _of_sources([_source(document, around)])

    async def _passage(self, caller: Caller, asked: _Reading) -> tuple[Document, list[MemoryItem]]:
        """The document that has this passage, and all its passages."""
        if asked.document:
            candidates = [await self._document(caller, asked.document)]
        elif is_id(asked.passage):
            candidates = [(await self._library.surroundings(caller.user_id, asked.passage)).document]
        else:
            candidates = await self._library.find(caller.user_id, conversation_id=caller.conversation_id)
        for document in candidates:
            items = await self._library.chunks(caller.user_id, document.id)
            if any(self._is_meant(each, asked) for each in items):
                return document, items
        raise fail("not_found", "tools.library.no_such_passage")

    @staticmethod
    def _is_meant(item: MemoryItem, asked: _Reading) -> bool:
        return item.id == asked.passage or fold(asked.passage) in fold(item.text)

    async def _read_page(self, asked: _Page, caller: Caller) -> ToolResult:
        document = await self._document(caller, asked.document)
        chunks = await self._library.chunks(caller.user_id, document.id)
        there = [each for each in chunks if each.source.book and each.source.book.page == asked.page]
        if not there:
            raise fail("not_found", "tools.library.no_such_page", page=asked.page, title=document.metadata.title)
        return _of_sources([_source(document, there)])

    async def _read_table(self, asked: _TableOf, caller: Caller) -> ToolResult:
        document = await self._document(caller, asked.document)
        tables = await self._library.tables(caller.user_id, document.id)
        found = _meant_table(tables, asked.table)
        if found is None:
            raise fail("not_found", "tools.library.no_such_table", title=document.metadata.title, count=len(tables))
        number, table = found
        shown = await self._library.passages_of_table(caller.user_id, document.id, number)
        found_table = _found_table(document, number, table)
        lines: list[list[Cell]] = [[*found_table.columns], *found_table.rows]
        text = "\n".join(" | ".join(str(cell or "") for cell in row) for row in lines)
        sources = [_source(document, shown)] if shown else []
        return ToolResult(text=f"{found_table.title}\n{text}", sources=sources, tables=[found_table])

    async def _document(self, caller: Caller, name: str) -> Document:
        """The document with this id, or else with a similar title or filename.

        Raises:
            PalimpsestError: there is none ("not_found").
        """
        if is_id(name, "doc"):
            return await self._library.get(caller.user_id, name)
        there = await self._library.find(caller.user_id, conversation_id=caller.conversation_id)
        likeness = {each.id: _likeness(name, each) for each in there}
        best = max(there, key=lambda each: likeness[each.id], default=None)
        if best is None or likeness[best.id] < ALIKE:
            raise no_such_document(name)
        return best


def no_such_document(name: str) -> PalimpsestError:
    return fail("not_found", "tools.library.no_such_document", name=name)


def _likeness(name: str, document: Document) -> float:
    asked = fold(name.lstrip("@"))
    known = [fold(document.metadata.title), fold(document.filename), fold(Path(document.filename).stem)]
    return max(fuzz.token_set_ratio(asked, each) if each else 0.0 for each in known)


def _row(document: Document, caller: Caller) -> list[Cell]:
    about = document.metadata
    return [
        about.title,
        about.kind,
        ", ".join(each.name for each in about.organisations[:2]),
        ", ".join((each.names or [each.key])[0] for each in about.periods[:2]),
        document.pages,
        datetime.fromtimestamp(document.added_at, UTC).date().isoformat(),
        document.filename,
    ]


def _first_passages(sources: Sequence[Source], most: int) -> list[Source]:
    """The best ``most`` passages, grouped by source."""
    scores = sorted((each.score for source in sources for each in source.passages), reverse=True)[:most]
    least = scores[-1] if scores else 0.0
    kept = [
        source.model_copy(update={"passages": [each for each in source.passages if each.score >= least]})
        for source in sources
    ]
    return [each for each in kept if each.passages]


def _source(document: Document, items: Sequence[MemoryItem]) -> Source:
    """A document's passages as one citation; the caller numbers it."""
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


def _of_sources(sources: Sequence[Source]) -> ToolResult:
    """The passages as text for a model, each with its title and its location in the document."""
    parts = [
        f"{source.title}{f', page {each.page}' if each.page else ''}{f', {each.section}' if each.section else ''}:\n"
        f"{each.text}"
        for source in sources
        for each in source.passages
    ]
    return ToolResult(text="\n\n".join(parts), parts=parts, found=bool(parts), sources=list(sources))


def _meant_table(tables: Sequence[Table], wanted: str) -> tuple[int, Table] | None:
    """The table with this number, counted from 1; otherwise the table with these words in its caption and headings."""
    bare = wanted.strip()
    if bare.isdecimal():
        number = int(bare) - 1
        return (number, tables[number]) if 0 <= number < len(tables) else None
    terms = content_terms(bare)
    said = [fold(_said_of(each)) for each in tables]
    shares = [sum(covers(term, each) for term in terms) for each in said]
    best = max(range(len(tables)), key=lambda index: shares[index], default=None)
    return (best, tables[best]) if best is not None and shares[best] else None


def _said_of(table: Table) -> str:
    heads = [head for column in table.columns for head in column.header]
    return " ".join([table.caption or "", table.stub or "", *heads, *(row.label for row in table.rows)])


def _found_table(document: Document, number: int, table: Table) -> FoundTable:
    return FoundTable(
        title=table.caption or f"{document.metadata.title} ({number + 1})",
        columns=[table.stub or "", *(" ".join(each.header) for each in table.columns)],
        rows=[[row.label, *(cell.text for cell in row.cells)] for row in rows_from(table, 0, MOST_ROWS)],
        total=table.row_count,
    )
