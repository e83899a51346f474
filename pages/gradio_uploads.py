"""What takes in the files of the pages: *an upload of the interface* → a path that is its owner's alone.

Gradio's own route names the place of a file by its content: two people who send the same file at once share one, and
whoever knows content and name can throw away another's. So its address is answered here.
"""

from __future__ import annotations

from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse, PlainTextResponse, Response
from gradio.route_utils import API_PREFIX, upload_fn
from gradio.routes import file_upload_statuses
from python_multipart.exceptions import MultipartParseError
from starlette.formparsers import MultiPartException

from core.errors import explain
from core.workbench import Workbench
from pages.actions import language_of
from pages.auth import Identity, user_of
from pages.documents import status_of
from pages.uploads import new_place


def upload_routes(workbench: Workbench, identity: Identity) -> APIRouter:
    """What takes files in; it must stand before Gradio's own route."""
    router = APIRouter()

    @router.post(f"{API_PREFIX}/upload")
    async def upload(request: Request, upload_id: str | None = None) -> Response:
        place = new_place(user_of(identity, request), workbench.settings)
        limit = workbench.settings.limits.largest_file_bytes + 1024
        try:
            paths, _, _ = await upload_fn(request, str(place), limit, upload_id, True, file_upload_statuses)
        except (MultiPartException, MultipartParseError) as error:
            too_large = "maximum allowed size" in str(getattr(error, "message", error))
            return PlainTextResponse("the file is too large" if too_large else "no file", 413 if too_large else 400)
        except OSError as error:
            return PlainTextResponse(" ".join(explain(error).to(language_of(request))), status_of(error))
        return JSONResponse([str(each) for each in paths])

    return router
