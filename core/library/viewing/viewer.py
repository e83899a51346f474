"""Provides the document viewer to the pages; every method is limited to the given user's data."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from functools import partial
from itertools import zip_longest
from pathlib import Path

from core.errors import PalimpsestError, fail
from core.ids import is_id
from core.library.catalogue import Catalogue, no_document
from core.library.contents import Contents
from core.library.extract import ocr
from core.library.extract.sniff import EXTENSIONS, PICTURES, extension_of
from core.library.records import Document
from core.library.tables.packing import rows_from
from core.library.tables.records import Table
from core.library.viewing.drawing import RenderingProcess
from core.library.viewing.orders import Draw, Find, Found, Inspect, Measure, Render, Reply
from core.library.viewing.passages import reading_text
from core.library.viewing.records import CellAt, FoundWords, Heading, PageGeometry, PicturedPage, Place, View
from core.library.viewing.renditions import RENDERED
from core.library.viewing.renditions.grid import CUT
from core.library.viewing.rows import printed_cell, printed_row, printed_rows
from core.library.viewing.searching import WordSearch
from core.library.viewing.shelf import PictureShelf
from core.memory.items.writing import MemoryItems
from core.records.findings import FINDINGS
from core.settings import Settings
from core.store.files import FileStore
from core.store.items import MemoryItem

WIDTHS = (320, 480, 640, 800, 1000, 1280, 1600, 2000, 2600)
"""Image widths in pixels; an image is drawn at the next larger width, so that only few are cached per page."""
_MOST_PAGES_OF_A_PASSAGE = 6
_MOST_PASSAGES = 10_000
"""Maximum number of passages that are inspected or drawn in one request."""
_NEAR = 2
"""Number of passages before and after a passage that is shown separately."""
_PDF = "application/pdf"
_SHARE_FOR_SCANS = 0.8


def no_page(number: int, pages: int) -> PalimpsestError:
    return fail("not_found", "library.viewer.no_page", number=number, pages=pages)


class Viewer:
    """Shows documents. One process draws and another finds quotes, so that turning a page never waits for a search."""

    def __init__(
        self, catalogue: Catalogue, items: MemoryItems, contents: Contents, files: FileStore, settings: Settings
    ) -> None:
        self._catalogue = catalogue
        self._items = items
        self._contents = contents
        self._files = files
        self._settings = settings
        self._shelf = PictureShelf(settings.folder / "pages", settings.limits.picture_bytes)
        self._seconds = settings.deadlines.view
        self._drawing = RenderingProcess(self._seconds)
        self._finding = RenderingProcess(self._seconds)

    async def stop(self) -> None:
        await self._drawing.stop()
        await self._finding.stop()

    async def tidy(self) -> None:
        """Remove the images of deleted documents, incomplete ones, and those beyond the size limit (maintenance)."""
        kept = await self._shelf.documents()
        known = await self._catalogue.known(kept) if kept else set()
        await self._shelf.remove([each for each in kept if each not in known])
        await self._shelf.trim()

    # -- viewing ---------------------------------------------------------------------------

    async def view(self, user_id: str, document_id: str) -> View:
        """How to show the document. Raises ``PalimpsestError``: there is no such document, or it cannot be opened."""
        document = await self._document(user_id, document_id)
        outline = await self._contents.outline(document.user_id, document_id)
        view = View(
            id=document.id,
            title=document.metadata.title,
            filename=document.filename,
            size=document.size,
            state=document.state,
            kind="pages" if _is_paged(document) else "reading",
            tables=await self._contents.count_tables(document.user_id, document_id),
            outline=[Heading(title=each.title, level=each.level, page=each.page) for each in outline.sections],
        )
        if view.kind == "reading":
            return view
        anatomy = await self._anatomy(document)
        sizes = anatomy.sizes[: self._settings.limits.document_pages]
        pairs = zip_longest(outline.page_labels[: len(sizes)], anatomy.labels[: len(sizes)])
        labels = [printed or declared for printed, declared in pairs]
        differ = any(label and label != str(number) for number, label in enumerate(labels, 1))
        return view.model_copy(update={"pages": len(sizes), "sizes": sizes, "labels": labels if differ else []})

    async def picture(self, user_id: str, document_id: str, page: int, width: int) -> bytes:
        """A page as WebP, at the next of ``WIDTHS``. Raises ``PalimpsestError``."""
        document = await self._document(user_id, document_id)
        count = len((await self._anatomy(document)).sizes) if _is_paged(document) else 0
        if not 1 <= page <= count:
            raise no_page(page, count)
        pixels = next((each for each in WIDTHS if each >= width), WIDTHS[-1])

        def draw(target: Path) -> Awaitable[object]:
            return self._ask(self._drawing, document, partial(Draw, page=page, width=pixels, target=target))

        return await self._shelf.get(document.id, f"{page}-{pixels}.webp", draw)

    async def pictured(self, user_id: str, document_id: str, page: int) -> PicturedPage:
        """How much of a page is pictures; none for a document without pages. Raises ``PalimpsestError``."""
        document = await self._document(user_id, document_id)
        if not _is_paged(document):
            return PicturedPage()

        async def measure(target: Path) -> None:
            reply = await self._ask(self._drawing, document, partial(Measure, page=page))
            await asyncio.to_thread(target.write_text, (reply.pictured or PicturedPage()).model_dump_json())

        return PicturedPage.model_validate_json(await self._shelf.get(document.id, f"{page}-pictures.json", measure))

    async def reading(self, user_id: str, document_id: str, item_id: str | None = None) -> str:
        """A document without pages as HTML; it must be sanitised before it is shown. Raises ``PalimpsestError``.

        Args:
            item_id: a passage to show with its neighbours if the document was cut before it.
        """
        document = await self._document(user_id, document_id)
        html = await self._reading(document)
        item = await self._find_passage(document, item_id) if item_id and html.endswith(CUT) else None
        if item is None:
            return html
        order = item.place.order
        near = await self._items.at(document.user_id, document.id, range(order - _NEAR, order + _NEAR + 1))
        return f"{html}<section>{reading_text([near[place] for place in sorted(near)])}</section>{CUT}"

    async def _reading(self, document: Document) -> str:

        def render(target: Path) -> Awaitable[object]:
            order = partial(Render, mime=document.mime, target=target, encoding=encoding)
            return self._ask(self._finding, document, order)

        encoding = document.reading.encoding if document.reading else ""
        name = f"reading{re.sub('[^a-z0-9]+', '-', f'-{encoding.lower()}') if encoding else ''}.html"
        if document.mime in RENDERED:
            try:
                return (await self._shelf.get(document.id, name, render)).decode()
            except PalimpsestError as error:
                if error.problem.category not in ("server", "timeout"):
                    raise
        return reading_text(await self._items.of_document(document.user_id, document.id, _MOST_PASSAGES)) + (
            CUT if document.chunks > _MOST_PASSAGES else ""
        )

    @asynccontextmanager
    async def original(self, user_id: str, document_id: str) -> AsyncIterator[tuple[Document, Path]]:
        """The document and its file, valid only inside the context. Raises ``PalimpsestError``."""
        document = await self._document(user_id, document_id)
        async with self._files.open(document.sha256, document.user_id) as path:
            yield document, path

    # -- finding ---------------------------------------------------------------------------

    async def place(
        self,
        user_id: str,
        document_id: str,
        *,
        item_id: str | None = None,
        quote: str = "",
        lead: str = "",
        page: int | None = None,
        cell: CellAt | None = None,
    ) -> Place:
        """Find a passage of the document, ``quote`` in it after ``lead``, and a ``cell``.

        Raises ``PalimpsestError``.
        """
        document = await self._document(user_id, document_id)
        table = await self._find_table(document, cell.table) if cell else None
        item = await self._find_passage(document, item_id) if item_id else None
        book = item.source.book if item else None
        begins = (table.page if table else None) or (book.page if book else None) or page
        printed = printed_cell(table, cell.row, cell.column, begins or 1) if table and cell else None
        place = Place(
            page=begins,
            passage=item.text if item else "",
            table=cell.table if printed and cell else book.table if book else None,
            cell=printed.text if printed else "",
        )
        if not _is_paged(document) or place.page is None:
            return place
        ends = [book.page_end if book else None, printed.page if printed else None, place.page]
        last = max(filter(None, ends))
        count = len((await self._anatomy(document)).sizes)
        pages = [number for number in range(place.page, last + 1) if 1 <= number <= count]
        if not pages:
            raise no_page(place.page, count)
        rows = printed_row(rows_from(table, cell.row, 1)[0]) if table and cell and printed else []
        quotes = [*rows, quote, *([] if rows else await self._quoted_rows(document, place.table, quote))]
        shown = pages[:_MOST_PAGES_OF_A_PASSAGE]
        seconds = self._seconds * _SHARE_FOR_SCANS / len(shown)
        scans = self._shelf.folder(document.id) if ocr.is_available(self._settings) else None
        looking = partial(Find, pages=shown, passage=place.passage, quotes=quotes, lead=lead, cell=printed)
        reply = await self._ask(self._finding, document, partial(looking, scans=scans, seconds=seconds))
        return _place_with_marks(place, reply.found or Found())

    async def _quoted_rows(self, document: Document, number: int | None, quote: str) -> list[str]:
        if number is None or not quote.strip():
            return []
        table = await self._find_table(document, number)
        return await asyncio.to_thread(printed_rows, table, quote) if table else []

    async def _find_table(self, document: Document, number: int) -> Table | None:
        try:
            return await self._contents.table(document.user_id, document.id, number)
        except PalimpsestError:
            return None

    async def search(self, user_id: str, document_id: str, words: str) -> FoundWords:
        """Search hits in reading order. Raises ``PalimpsestError``."""
        document = await self._document(user_id, document_id)
        search = WordSearch(words)
        async for passages in self._items.in_steps(document.user_id, document_id):
            await asyncio.to_thread(search.take, passages)
        return search.found

    # -- internal --------------------------------------------------------------------------

    async def _document(self, user_id: str, document_id: str) -> Document:
        if not is_id(document_id, "doc"):
            raise no_document()
        return await self._catalogue.readable(user_id, document_id)

    async def _find_passage(self, document: Document, item_id: str) -> MemoryItem | None:
        """The passage to look for; for a finding, the passage it was extracted from."""
        item = await self._items.get(document.user_id, item_id) if is_id(item_id, "mem") else None
        if item and item.kind in FINDINGS and item.source.chunk_id:
            item = await self._items.get(document.user_id, item.source.chunk_id)
        return item if item and item.document_id == document.id else None

    async def _ask(
        self,
        process: RenderingProcess,
        document: Document,
        order: Callable[..., Inspect | Draw | Measure | Find | Render],
    ) -> Reply:
        """Send ``order``, which is complete except for the path of the document's file."""
        async with self._files.open(document.sha256, document.user_id) as path:
            return await process.ask(order(path=path))

    async def _anatomy(self, document: Document) -> PageGeometry:
        async def inspect(target: Path) -> None:
            anatomy = (await self._ask(self._drawing, document, Inspect)).anatomy or PageGeometry(sizes=[])
            await asyncio.to_thread(target.write_text, anatomy.model_dump_json(), encoding="utf-8")

        return PageGeometry.model_validate_json(await self._shelf.get(document.id, "anatomy.json", inspect))


def _is_paged(document: Document) -> bool:
    """Whether the document is shown by pages; if it has not been read yet, its name decides."""
    if document.mime:
        return document.mime == _PDF or document.mime.startswith("image/")
    named = EXTENSIONS.get(extension_of(document.filename))
    return named == "pdf" or named in PICTURES


def _place_with_marks(place: Place, found: Found) -> Place:
    marked = "quote" if found.quote_found else "passage" if found.passage_found else "nothing"
    return place.model_copy(update={"page": found.page or place.page, "marks": found.marks, "found": marked})
