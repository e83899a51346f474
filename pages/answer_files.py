"""An answer as a file: Markdown or Word, with its citations written out."""

from __future__ import annotations

from typing import Literal

from fastapi import APIRouter, HTTPException, Request
from fastapi.responses import Response
from starlette.concurrency import run_in_threadpool

from core.errors import PalimpsestError
from core.ids import is_id
from core.workbench import Workbench
from pages.auth import Identity
from pages.run_view import RunView
from viz.files.answer import answer_markdown
from viz.files.word import to_word

Kind = Literal["md", "docx"]
_MIMES: dict[Kind, str] = {
    "md": "text/markdown; charset=utf-8",
    "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
}


def answer_routes(workbench: Workbench, identity: Identity) -> APIRouter:
    """Behind the same login as the pages; what another person asked is not there."""
    router = APIRouter(prefix="/answers")

    @router.get("/{run_id}.{kind}")
    async def download(run_id: str, kind: Kind, request: Request) -> Response:
        user_id = identity.user(request)
        if user_id is None:
            raise HTTPException(401)
        if not is_id(run_id, "run"):
            raise HTTPException(404)
        try:
            await workbench.run(user_id, run_id)
        except PalimpsestError as error:
            raise HTTPException(404) from error
        view = RunView.of(run_id, "", await workbench.ledger.entries(user_id, run_id))
        if view.response is None:
            raise HTTPException(404)
        text = answer_markdown(view.response, view.sources)
        content = text if kind == "md" else await run_in_threadpool(to_word, text, view.response.language)
        headers = {
            "Cache-Control": "private, no-store",
            "X-Content-Type-Options": "nosniff",
            "Content-Disposition": f'attachment; filename="{view.response.action}.{kind}"',
        }
        return Response(content, media_type=_MIMES[kind], headers=headers)

    return router
