"""The tables of a document: a list of them, one table as HTML, and one table as a file for a spreadsheet."""

from __future__ import annotations

from urllib.parse import quote

from fastapi import APIRouter, HTTPException, Request
from fastapi.responses import HTMLResponse, Response
from starlette.concurrency import run_in_threadpool

from core.errors import PalimpsestError
from core.ids import is_id
from core.library.tables.records import Table
from core.messages import message
from core.words import Language
from core.workbench import Workbench
from pages.auth import Identity, signed_in
from pages.handlers.passages import TableListed, listed
from pages.security.auditing import note_download
from viz.files.spreadsheet import MIME, Format, spreadsheet
from viz.table import table_html

_WRITING = message("view.table.writing")
_HEADERS = {"Cache-Control": "private, no-cache", "X-Content-Type-Options": "nosniff"}


def table_routes(workbench: Workbench, identity: Identity) -> APIRouter:
    """Routes that require sign-in. For another user's tables they report "not found"."""
    router = APIRouter(prefix="/documents/{document_id}/tables")

    @router.get("")
    async def tables(document_id: str, request: Request) -> list[TableListed]:
        user_id = signed_in(identity, request)
        try:
            found = await workbench.library.tables(user_id, _checked(document_id))
        except PalimpsestError as error:
            raise HTTPException(404) from error
        return listed(found)

    @router.get("/{number}.{kind}")
    async def download(document_id: str, number: int, kind: Format, request: Request) -> Response:
        user_id = signed_in(identity, request)
        table = await _table(workbench, user_id, document_id, number)
        name = f"{(table.caption or table.sheet or 'table')[:60].strip()} {number + 1}.{kind}"
        headers = {**_HEADERS, "Content-Disposition": f"attachment; filename*=UTF-8''{quote(name, safe='')}"}
        if table.blocks:
            content = await workbench.responsiveness.workers.run(_WRITING, spreadsheet, table, kind)
        else:
            content = await run_in_threadpool(spreadsheet, table, kind)
        await note_download(workbench, user_id, "download_table", name, request)
        return Response(content, media_type=MIME[kind], headers=headers)

    @router.get("/{number}")
    async def drawn(
        document_id: str,
        number: int,
        request: Request,
        row: int | None = None,
        column: int | None = None,
        ui: Language = "en",
    ) -> HTMLResponse:
        table = await _table(workbench, signed_in(identity, request), document_id, number)
        address = f"/documents/{document_id}/tables/{number}"
        asked = (row, column) if row is not None and column is not None else None
        return HTMLResponse(str(await run_in_threadpool(table_html, table, ui, address, asked)), headers=_HEADERS)

    return router


async def _table(workbench: Workbench, user_id: str, document_id: str, number: int) -> Table:
    try:
        return await workbench.library.table(user_id, _checked(document_id), number)
    except PalimpsestError as error:
        raise HTTPException(404) from error


def _checked(document_id: str) -> str:
    if not is_id(document_id, "doc"):
        raise HTTPException(404)
    return document_id
