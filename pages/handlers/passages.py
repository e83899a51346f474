"""Reading documents without asking a question: search for relevant passages, read one passage, read tables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

from pydantic import BaseModel, Field

from core.events import Source
from core.library.records import WebOrigin
from core.library.tables.records import Row, Table
from core.setting_groups import ModeName
from core.workbench import Workbench
from pages.actions import Call, Handlers, Id, OneDocument, Tool, action, alias
from viz.answer import STATES

SEARCH = (
    "Search the user's documents for passages by meaning and by keyword, best document first. Returns their text with "
    "document, page and section. It writes no answer and remembers nothing."
)
LIST_TABLES = "List the tables of a document: number, caption, units, page, size."

Words = Annotated[str, Field(min_length=1, max_length=2_000)]


class Sought(Call):
    """A search: the words, the search mode, and the maximum number of passages."""

    query: Annotated[Words, alias("query", "q")]
    mode: ModeName = "enhanced"
    limit: int = Field(10, ge=1, le=50)


class OnePassage(Call):
    """A passage, by its id as given in search results and answers."""

    item_id: Id


class OneTable(OneDocument):
    """A part of a table. ``number``: the table's number, as given in passages and lists; ``first``: the first requested
    row; ``rows``: the number of rows."""

    number: int = Field(ge=0)
    first: int = Field(0, ge=0)
    rows: int = Field(200, ge=1, le=1_000)


class PassageText(BaseModel):
    """A passage and where it is in its document."""

    item_id: str
    document_id: str
    title: str
    filename: str
    text: str
    page: int | None = None
    section: str | None = None
    table: int | None = None


class FoundPassage(PassageText):
    """``near``: similar to the query, but not similar enough to be quoted as an answer."""

    score: float
    near: bool = False


class FoundPassages(BaseModel):
    """The passages that were found. ``state``: *found*, *closest* (the closest matches, please check) or
    *not_found*; ``notices``: which parts of the
    search were skipped."""

    passages: list[FoundPassage]
    state: str
    notices: list[str] = []


class PassageRead(PassageText):
    """A passage with its context. ``before`` and ``after``: the document's text around it; ``origin``: only for a web
    page."""

    before: str = ""
    after: str = ""
    origin: WebOrigin | None = None


class TableHead(BaseModel):
    """What identifies a table. ``number``: the table's number in passages, counted from 0, and the argument ``number``
    of ``read_table``."""

    number: int
    caption: str | None = None
    units: str | None = None
    page: int | None = None
    page_end: int | None = None
    sheet: str | None = None


class TableListed(TableHead):
    """A table and its size."""

    rows: int
    columns: int


class TablesListed(BaseModel):
    """A document's tables in reading order."""

    document_id: str
    title: str
    tables: list[TableListed]


class ColumnRead(BaseModel):
    """A column. ``header``: its headings, from the top level to the lowest."""

    header: list[str] = []
    period: str | None = None
    unit: str | None = None


class RowRead(BaseModel):
    """A row. ``parents``: labels of the rows under which it is indented; ``cells``: the cells as printed; ``values``:
    the numbers in the cells, before the table's scale is applied."""

    label: str
    parents: list[str] = []
    cells: list[str]
    values: list[float | None]


class TableRead(TableHead):
    """Some rows of a table. ``total``: the table's number of rows; ``scale``: the factor given by its units, such as
    1000."""

    document_id: str
    title: str
    scale: float = 1.0
    currency: str | None = None
    columns: list[ColumnRead]
    rows: list[RowRead]
    first: int
    total: int
    notes: list[str] = []


class Passages(Handlers):
    """Endpoints and tools for reading passages and tables; the pages show the same data as answers, cards and HTML
    tables."""

    @action(endpoint="search", tool=Tool("search", FoundPassages, SEARCH, reads=True))
    async def search(self, user_id: str, call: Sought) -> FoundPassages:
        """Passages relevant to the words, the best document first."""
        found = await self._workbench.retrieval.find_passages(user_id, call.query, call.mode)
        passages = [each for source in found.sources for each in _found(source)]
        return FoundPassages(
            passages=passages[: call.limit],
            state=STATES[found.confidence],
            notices=[words.to(call.ui) for words in found.notices],
        )

    @action(endpoint="read_passage", scope="read")
    async def read_passage(self, user_id: str, call: OnePassage) -> PassageRead:
        """One passage with the text around it."""
        return await passage_of(self._workbench, user_id, call.item_id)

    @action(endpoint="list_tables", tool=Tool("list_tables", TablesListed, LIST_TABLES, reads=True))
    async def list_tables(self, user_id: str, call: OneDocument) -> TablesListed:
        """The tables of a document."""
        document = await self._workbench.library.get(user_id, call.id)
        tables = await self._workbench.library.tables(user_id, call.id)
        return TablesListed(
            document_id=document.id,
            title=document.metadata.title,
            tables=listed(tables),
        )

    @action(endpoint="read_table", scope="read")
    async def read_table(self, user_id: str, call: OneTable) -> TableRead:
        """Rows of one table."""
        document = await self._workbench.library.get(user_id, call.id)
        table, rows = await self._workbench.library.table_rows(user_id, call.id, call.number, call.first, call.rows)
        return TableRead(
            document_id=document.id,
            title=document.metadata.title,
            scale=table.scale,
            currency=table.currency,
            columns=[ColumnRead.model_validate(each.model_dump()) for each in table.columns],
            rows=[_row(each) for each in rows],
            first=call.first,
            total=table.row_count,
            notes=table.notes,
            **_head(call.number, table),
        )


async def passage_of(workbench: Workbench, user_id: str, item_id: str) -> PassageRead:
    """A passage with the text around it. Raises ``PalimpsestError`` (not found)."""
    found = await workbench.library.surroundings(user_id, item_id)
    book = found.item.source.book
    return PassageRead(
        item_id=found.item.id,
        document_id=found.document.id,
        title=found.document.metadata.title,
        filename=found.document.filename,
        page=book.page if book else None,
        section=book.section if book else None,
        table=book.table if book else None,
        text=found.item.text,
        before=found.before,
        after=found.after,
        origin=found.document.origin,
    )


def _found(source: Source) -> list[FoundPassage]:
    return [
        FoundPassage(
            document_id=source.document_id,
            title=source.title,
            filename=source.filename,
            score=round(each.score, 4),
            **each.model_dump(include={"item_id", "text", "page", "section", "table", "near"}),
        )
        for each in source.passages
    ]


def listed(tables: Sequence[Table]) -> list[TableListed]:
    """All tables of a document, with the numbers by which passages refer to them."""
    return [
        TableListed(rows=table.row_count, columns=len(table.columns), **_head(number, table))
        for number, table in enumerate(tables)
    ]


def _head(number: int, table: Table) -> dict[str, Any]:
    return {"number": number, **table.model_dump(include=set(TableHead.model_fields))}


def _row(row: Row) -> RowRead:
    return RowRead(
        label=row.label,
        parents=row.parents,
        cells=[cell.text for cell in row.cells],
        values=[cell.value for cell in row.cells],
    )
