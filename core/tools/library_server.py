"""Offers the user's documents as tools: list, search, read a passage, a page or a table."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

from pydantic import BaseModel

from core.errors import fail
from core.events import Passage, Source
from core.ids import is_id
from core.language.normalisation import fold
from core.language.terms import content_terms, covers
from core.library.library import Library
from core.library.records import Document
from core.library.tables.packing import rows_from
from core.library.tables.records import Column, Row, Table
from core.messages import message
from core.resilience.dependencies import Deadline
from core.search.documents.acceptance import firmly_accepted
from core.search.documents.search import DocumentQuery, DocumentSearch
from core.store.items import MemoryItem
from core.tools.cited_passages import cited, heading, source_of
from core.tools.definition_files import definition_of
from core.tools.document_choice import DocumentChoice, periods_of
from core.tools.tool import Caller, Cell, FoundTable, RunTool, Tool, ToolResult

MOST_ROWS = 200
"""Maximum number of a table's rows that a call returns; the result says how many there are."""
MOST_TABLES = 3
"""Maximum number of tables that a call returns for one page."""
COLUMNS = ("title", "kind", "organisation", "period", "pages", "added", "filename")


class _Listing(BaseModel):
    search: str = ""
    company: str = ""
    period: str = ""
    kind: str = ""
    limit: int = 50


class _Search(BaseModel):
    query: str
    documents: list[str] = []
    company: str = ""
    period: str = ""
    kind: str = ""
    page: int | None = None
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
    table: str = ""
    page: int | None = None
    first: int = 1
    rows: int = 60


class LibraryServer:
    """The document tools. They have access only to the caller's documents and those attached to the caller's
    conversation. ``further`` are tools over the same documents that are defined elsewhere."""

    name = "library"

    def __init__(
        self, library: Library, documents: DocumentSearch, retrieval_seconds: float, further: Sequence[Tool] = ()
    ) -> None:
        self._library = library
        self._documents = documents
        self._seconds = retrieval_seconds
        self._choice = DocumentChoice(library)
        self._tools: list[Tool] = [
            RunTool(definition_of("list_documents"), _Listing, self._list),
            RunTool(definition_of("search_passages"), _Search, self._search),
            RunTool(definition_of("read_passage"), _Reading, self._read_passage),
            RunTool(definition_of("read_page"), _Page, self._read_page),
            RunTool(definition_of("read_table"), _TableOf, self._read_table),
            *further,
        ]

    def tools(self) -> Sequence[Tool]:
        return self._tools

    async def start(self) -> None: ...

    async def stop(self) -> None: ...

    async def _list(self, asked: _Listing, caller: Caller) -> ToolResult:
        companies = [asked.company] if asked.company else []
        found = await self._choice.chosen(caller, (), companies, asked.period, asked.kind)
        if asked.search:
            known = await self._library.find(caller.user_id, asked.search, conversation_id=caller.conversation_id)
            ids = {each.id for each in known}
            found = [each for each in found if each.id in ids]
        shown = found[: asked.limit]
        table = FoundTable(
            title=message("tools.library.documents").to(caller.language),
            columns=[message(f"tools.library.columns.{name}").to(caller.language) for name in COLUMNS],
            rows=[_row(each) for each in shown],
            total=len(found),
        )
        parts = [_listed(each) for each in shown]
        lines = [f"{len(shown)} of {len(found)} documents, newest first:", *parts]
        tables = [table] if shown else []
        return ToolResult(text="\n".join(lines), parts=["\n".join(lines)], found=bool(shown), tables=tables, cited=True)

    # -- passages --------------------------------------------------------------------------

    async def _search(self, asked: _Search, caller: Caller) -> ToolResult:
        companies = [asked.company] if asked.company else []
        chosen = await self._choice.chosen(caller, asked.documents, companies, asked.period, asked.kind)
        limited = bool(asked.documents or companies or asked.period or asked.kind)
        query = DocumentQuery(
            user_id=caller.user_id,
            text=asked.query,
            mode="enhanced",
            conversation_id=caller.conversation_id,
            document_ids=[each.id for each in chosen] if limited else None,
        )
        found = await self._documents.find(query, Deadline(self._seconds))
        sources = firmly_accepted(found.sources) or found.sources
        if asked.page is not None:
            sources = _on_page(sources, asked.page)
        sources = _first_passages(sources, asked.limit)
        return cited(caller, sources, {each.id: each for each in chosen})

    async def _read_passage(self, asked: _Reading, caller: Caller) -> ToolResult:
        number = asked.passage.strip("[] ")
        if number.isdecimal() and (source := caller.evidence.source(int(number))):
            return await self._around_source(source, asked.around, caller)
        if number.isdecimal():
            raise fail("not_found", "tools.library.no_such_passage")
        document, items = await self._passage(caller, asked)
        start = next(place for place, each in enumerate(items) if self._is_meant(each, asked))
        around = items[max(0, start - asked.around) : start + asked.around + 1]
        return cited(caller, [source_of(document, around)], {document.id: document})

    async def _around_source(self, source: Source, around: int, caller: Caller) -> ToolResult:
        """The passages of a numbered source with their neighbours; a web page or a tool's result as it is."""
        if source.kind != "document":
            return cited(caller, [source], {})
        document = await self._library.get(caller.user_id, source.document_id)
        items = await self._library.chunks(caller.user_id, document.id)
        ids = {each.item_id for each in source.passages}
        places = [place for place, each in enumerate(items) if each.id in ids]
        near = [each for place, each in enumerate(items) if any(abs(place - known) <= around for known in places)]
        return cited(caller, [source_of(document, near)] if near else [source], {document.id: document})

    async def _passage(self, caller: Caller, asked: _Reading) -> tuple[Document, list[MemoryItem]]:
        """The document that has this passage, and all its passages."""
        if asked.document:
            candidates = [await self._choice.named(caller, asked.document)]
        elif is_id(asked.passage):
            candidates = [(await self._library.surroundings(caller.user_id, asked.passage)).document]
        else:
            candidates = await self._choice.visible(caller)
        for document in candidates:
            items = await self._library.chunks(caller.user_id, document.id)
            if any(self._is_meant(each, asked) for each in items):
                return document, items
        raise fail("not_found", "tools.library.no_such_passage")

    @staticmethod
    def _is_meant(item: MemoryItem, asked: _Reading) -> bool:
        return item.id == asked.passage or fold(asked.passage) in fold(item.text)

    async def _read_page(self, asked: _Page, caller: Caller) -> ToolResult:
        document = await self._choice.named(caller, asked.document)
        chunks = await self._library.chunks(caller.user_id, document.id)
        pages = [each.source.book.page if each.source.book else None for each in chunks]
        # A document without pages counts as one page.
        wanted = asked.page if any(pages) or asked.page != 1 else None
        there = [each for each, page in zip(chunks, pages, strict=True) if page == wanted]
        if not there:
            title, count = document.metadata.title, document.pages or 1
            raise fail("not_found", "tools.library.no_such_page", page=asked.page, title=title, pages=count)
        return cited(caller, [source_of(document, there)], {document.id: document})

    # -- tables ----------------------------------------------------------------------------

    async def _read_table(self, asked: _TableOf, caller: Caller) -> ToolResult:
        document = await self._choice.named(caller, asked.document)
        tables = await self._library.tables(caller.user_id, document.id)
        found = _meant_tables(tables, asked)
        if not found:
            title = document.metadata.title
            raise fail("not_found", "tools.library.no_such_table", title=title, count=len(tables))
        parts, shown = [], []
        for number, table in found[:MOST_TABLES]:
            passages = await self._library.passages_of_table(caller.user_id, document.id, number)
            sources = [source_of(document, passages)] if passages else []
            numbers = [each for source in sources for each, _ in caller.evidence.cite(source, as_one=True)]
            title = heading(document.metadata.title, periods_of(document)[:2], _place(number, table))
            mark = f"[{numbers[0]}] " if numbers else ""
            parts.append("\n".join([f"{mark}{title}", *_lines(table, asked)]))
            shown += sources
        tables_found = [_found_table(document, *found[0])]
        return ToolResult(text="\n\n".join(parts), parts=parts, sources=shown, tables=tables_found, cited=True)


def _row(document: Document) -> list[Cell]:
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


def _listed(document: Document) -> str:
    cells = [str(cell) for cell in _row(document) if cell not in (None, "")]
    return " · ".join([*cells, f"id {document.id}"])


def _on_page(sources: Sequence[Source], page: int) -> list[Source]:
    kept = [
        each.model_copy(update={"passages": [passage for passage in each.passages if passage.page == page]})
        for each in sources
    ]
    return [each for each in kept if each.passages]


def _first_passages(sources: Sequence[Source], most: int) -> list[Source]:
    """The best ``most`` passages, grouped by source."""
    scores = sorted((each.score for source in sources for each in source.passages), reverse=True)[:most]
    least = scores[-1] if scores else 0.0
    kept = [
        source.model_copy(update={"passages": [each for each in source.passages if each.score >= least]})
        for source in sources
    ]
    return [each for each in kept if each.passages]


def _meant_tables(tables: Sequence[Table], asked: _TableOf) -> list[tuple[int, Table]]:
    """The table with this number, counted from 1; the tables on this page; or the table with these words in its caption
    and headings."""
    bare = asked.table.strip()
    if bare.isdecimal():
        number = int(bare) - 1
        return [(number, tables[number])] if 0 <= number < len(tables) else []
    there = list(enumerate(tables))
    if asked.page is not None:
        there = [(number, each) for number, each in there if _is_on(each, asked.page)]
    if not bare:
        return there if asked.page is not None else there[:1]
    terms = content_terms(bare)
    said = {number: fold(_said_of(each)) for number, each in there}
    shares = {number: sum(covers(term, text) for term in terms) for number, text in said.items()}
    best = max(shares, key=lambda number: shares[number], default=None)
    return [(best, tables[best])] if best is not None and shares[best] else []


def _is_on(table: Table, page: int) -> bool:
    return table.page is not None and table.page <= page <= (table.page_end or table.page)


def _said_of(table: Table) -> str:
    heads = [head for column in table.columns for head in column.header]
    return " ".join([table.caption or "", table.stub or "", *heads, *(row.label for row in table.rows)])


def _place(number: int, table: Table) -> Passage:
    """The table's place, as a passage without text."""
    return Passage(item_id="", text="", page=table.page, table=number, section=table.caption)


def _lines(table: Table, asked: _TableOf) -> list[str]:
    """The requested rows below the heading, the units and the periods; says how many rows the table has."""
    first = max(1, asked.first)
    rows = rows_from(table, first - 1, min(asked.rows, MOST_ROWS))
    units = " · ".join(part for part in (table.units or "", table.currency or "") if part)
    last = first + len(rows) - 1
    counted = f"(rows {first}-{last} of {table.row_count})" if len(rows) < table.row_count else ""
    heads = " | ".join([table.stub or "", *map(_head, table.columns)])
    return [part for part in (units, heads, *map(_line, rows), *table.notes, counted) if part]


def _head(column: Column) -> str:
    header = " ".join(column.header)
    period = column.period if column.period and column.period not in header else ""
    return " ".join(part for part in (header, f"({period})" if period else "", column.unit or "") if part)


def _line(row: Row) -> str:
    label = " › ".join([*row.parents[-1:], row.label]) if row.parents else row.label
    return " | ".join([label, *(cell.text for cell in row.cells)])


def _found_table(document: Document, number: int, table: Table) -> FoundTable:
    return FoundTable(
        title=table.caption or f"{document.metadata.title} ({number + 1})",
        columns=[table.stub or "", *(" ".join(each.header) for each in table.columns)],
        rows=[[row.label, *(cell.text for cell in row.cells)] for row in rows_from(table, 0, 10 * MOST_ROWS)],
        total=table.row_count,
    )
