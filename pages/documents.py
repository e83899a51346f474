"""Viewing a document: images of its pages, the position of a quotation, its outline, its original."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack
from functools import wraps
from typing import Annotated, ParamSpec
from urllib.parse import quote as url_quote

from fastapi import APIRouter, Query, Request
from fastapi.responses import JSONResponse, Response, StreamingResponse
from pydantic import BaseModel

from core.errors import Category, ReadOnlyError, explain, is_disk_full
from core.library.viewing.records import CellAt
from core.words import Language
from core.workbench import Workbench
from pages.actions import problem_of
from pages.auth import Identity, user_of
from pages.security.auditing import note_download
from viz.rendition import rendition

PREFIX = "/documents"
_BLOCK = 256 * 1024
_PICTURE = {"Cache-Control": "private, max-age=3600", "X-Content-Type-Options": "nosniff", "Vary": "Cookie"}
_PRIVATE = {"Cache-Control": "no-store", "X-Content-Type-Options": "nosniff"}
STATUS: dict[Category, int] = {"not_found": 404, "validation": 400, "auth": 401, "timeout": 504, "rate_limit": 429}
DISK_FULL = 507
NOT_NOW = 503

_P = ParamSpec("_P")
Words = Annotated[str, Query(max_length=200)]
Quote = Annotated[str, Query(max_length=4_000)]
Number = Annotated[int | None, Query(ge=0)]
ItemId = Annotated[str, Query(max_length=80)]


def document_routes(workbench: Workbench, identity: Identity) -> APIRouter:
    """Routes for documents; like the pages, they require sign-in. The user comes only from the session."""
    router = APIRouter(prefix=PREFIX)
    _add_pages(router, workbench, identity)
    _add_texts(router, workbench, identity)
    _add_original(router, workbench, identity)
    return router


def _add_pages(router: APIRouter, workbench: Workbench, identity: Identity) -> None:
    @router.get("/{document_id}/info")
    @told
    async def info(document_id: str, request: Request, ui: Language = "en") -> Response:
        """Title, pages and their sizes, printed page numbers, outline."""
        return _json(await workbench.viewer.view(user_of(identity, request), document_id))

    @router.get("/{document_id}/pages/{page}.webp")
    @told
    async def picture(document_id: str, page: int, request: Request, w: int = 1000, ui: Language = "en") -> Response:
        """An image of a page, at least ``w`` pixels wide unless that exceeds the maximum."""
        drawn = await workbench.viewer.picture(user_of(identity, request), document_id, page, w)
        return Response(drawn, media_type="image/webp", headers=_PICTURE)

    @router.get("/{document_id}/place")
    @told
    async def place(
        document_id: str,
        request: Request,
        item: ItemId = "",
        quote: Quote = "",
        lead: Words = "",
        page: int | None = None,
        table: Number = None,
        row: Number = None,
        column: Number = None,
        ui: Language = "en",
    ) -> Response:
        """The positions of a passage, a quotation from it, and a table cell: rectangles by page."""
        user_id = user_of(identity, request)
        cell = CellAt(table, row, column) if table is not None and row is not None and column is not None else None
        return _json(
            await workbench.viewer.place(
                user_id, document_id, item_id=item or None, quote=quote, lead=lead, page=page, cell=cell
            )
        )


def _add_texts(router: APIRouter, workbench: Workbench, identity: Identity) -> None:
    @router.get("/{document_id}/search")
    @told
    async def search(document_id: str, request: Request, q: Words = "", ui: Language = "en") -> Response:
        """The positions of search words in the document, and the rows of a long spreadsheet that hold them."""
        user_id = user_of(identity, request)
        found = await workbench.viewer.search(user_id, document_id, q)
        rows = await workbench.datasets.rows_with(user_id, document_id, q)
        reply = {**found.model_dump(), "rows": rows.model_dump()}
        return JSONResponse(reply, headers=_PRIVATE)

    @router.get("/{document_id}/reading")
    @told
    async def reading(document_id: str, request: Request, item: str | None = None, ui: Language = "en") -> Response:
        """A document without pages, as a sanitised HTML fragment that can be shown inside the page."""
        html = await workbench.viewer.reading(user_of(identity, request), document_id, item)
        return JSONResponse({"html": str(await asyncio.to_thread(rendition, html, ui))}, headers=_PRIVATE)


def _add_original(router: APIRouter, workbench: Workbench, identity: Identity) -> None:
    @router.get("/{document_id}/original")
    @told
    async def original(document_id: str, request: Request, ui: Language = "en") -> Response:
        """The original file as a download; the browser never displays it as a page of this site."""
        stack = AsyncExitStack()
        user_id = user_of(identity, request)
        document, path = await stack.enter_async_context(workbench.viewer.original(user_id, document_id))
        await note_download(workbench, user_id, "download_original", document.filename, request)

        async def blocks() -> AsyncIterator[bytes]:
            async with stack:
                file = await asyncio.to_thread(path.open, "rb")
                with file:
                    while block := await asyncio.to_thread(file.read, _BLOCK):
                        yield block

        headers = {**_PRIVATE, "Content-Disposition": disposition(document.filename)}
        headers["Content-Length"] = str(document.size)
        return StreamingResponse(blocks(), media_type="application/octet-stream", headers=headers)


def told(route: Callable[_P, Awaitable[Response]]) -> Callable[_P, Awaitable[Response]]:
    """Wraps a route so that its errors are returned as what, why and remedy, in the language ``ui``."""

    @wraps(route)
    async def telling(*args: _P.args, **kwargs: _P.kwargs) -> Response:
        try:
            return await route(*args, **kwargs)
        except Exception as error:
            language: Language = "he" if kwargs.get("ui") == "he" else "en"
            return JSONResponse(problem_of(error, language), status_code=status_of(error), headers=_PRIVATE)

    return telling


def status_of(error: BaseException) -> int:
    """The HTTP status of an error: by its category, 507 if the disk is full, 503 while the server is read-only."""
    if isinstance(error, ReadOnlyError):
        return NOT_NOW
    return DISK_FULL if is_disk_full(error) else STATUS.get(explain(error).category, 500)


def disposition(filename: str) -> str:
    """The ``Content-Disposition`` header of a download: an ASCII name for old clients, the full name by RFC 5987 for
    others."""
    plain = "".join(
        letter if letter.isascii() and letter.isprintable() and letter not in '"\\%;' else "_" for letter in filename
    )
    return f"attachment; filename=\"{plain}\"; filename*=UTF-8''{url_quote(filename, safe='')}"


def _json(answer: BaseModel) -> Response:
    return Response(answer.model_dump_json(), media_type="application/json", headers=_PRIVATE)
