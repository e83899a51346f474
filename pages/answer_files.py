"""Exports an answer as a file: Markdown or Word with full citations, or a spreadsheet of rows that a tool found."""

from __future__ import annotations

import re
from typing import Literal
from urllib.parse import quote

from fastapi import APIRouter, HTTPException, Request
from fastapi.responses import Response
from starlette.concurrency import run_in_threadpool

from core.workbench import Workbench
from pages.auth import Identity
from pages.live import reader_of
from pages.run_view import RunView
from pages.security.auditing import note_download
from viz.files.answer import answer_markdown, answer_title
from viz.files.spreadsheet import MIME, Format, spreadsheet
from viz.files.word import to_word
from viz.found_table import table_of

Kind = Literal["md", "docx"]
_MIMES: dict[Kind, str] = {
    "md": "text/markdown; charset=utf-8",
    "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
}
LONGEST_NAME = 60
_REFUSED = re.compile(r"[\x00-\x1f<>:\"/\\|?*]")


def answer_routes(workbench: Workbench, identity: Identity) -> APIRouter:
    """Routes that require sign-in. For another user's answer they report "not found"."""
    router = APIRouter(prefix="/answers")

    @router.get("/{run_id}.{kind}")
    async def download(run_id: str, kind: Kind, request: Request) -> Response:
        user_id, view = await _view(workbench, identity, run_id, request)
        if view.outcome is None:
            raise HTTPException(404)
        title = answer_title((await workbench.run(user_id, run_id)).subject)
        text = answer_markdown(view, title)
        content = text if kind == "md" else await run_in_threadpool(to_word, text, view.trace.language)
        name = f"{_file_name(title)}.{kind}"
        await note_download(workbench, user_id, "download_answer", name, request)
        return Response(content, media_type=_MIMES[kind], headers=_headers(name))

    @router.get("/{run_id}/sources/{number}.{kind}")
    async def rows(run_id: str, number: int, kind: Format, request: Request) -> Response:
        user_id, view = await _view(workbench, identity, run_id, request)
        table = next((table_of(each) for each in view.sources if each.number == number), None)
        if table is None:
            raise HTTPException(404)
        name = f"{(table.caption or 'table')[:60].strip()}.{kind}"
        content = await run_in_threadpool(spreadsheet, table, kind)
        await note_download(workbench, user_id, "download_rows", name, request)
        return Response(content, media_type=MIME[kind], headers=_headers(name))

    return router


async def _view(workbench: Workbench, identity: Identity, run_id: str, request: Request) -> tuple[str, RunView]:
    """The user and the requested run. Another user's run is reported as not found."""
    user_id = await reader_of(workbench, identity, run_id, request)
    return user_id, RunView.of(run_id, "", await workbench.ledger.entries(user_id, run_id))


def _file_name(title: str) -> str:
    """The title without characters that file systems refuse; "answer" if nothing is left."""
    plain = _REFUSED.sub(" ", title)
    return " ".join(plain.split())[:LONGEST_NAME].strip(" .") or "answer"


def _headers(name: str) -> dict[str, str]:
    return {
        "Cache-Control": "private, no-store",
        "X-Content-Type-Options": "nosniff",
        "Content-Disposition": f"attachment; filename*=UTF-8''{quote(name, safe='')}",
    }
