"""Receives files from the pages. Each upload gets a path that only its owner can use.

Gradio's own route names a file's path by its content: two users who upload the same file share one path, and anyone who
knows content and name can delete another user's file. So this module replaces that route.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from typing import Any, cast

from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse, Response
from gradio.route_utils import API_PREFIX, upload_fn
from gradio.routes import file_upload_statuses
from python_multipart.exceptions import MultipartParseError
from starlette.formparsers import MultiPartException

from core.errors import PalimpsestError, explain, problem_of
from core.words import LANGUAGES
from core.workbench import Workbench
from pages.auth import Identity, user_of
from pages.documents import status_of
from pages.http_doors import MEGABYTE, declared_bytes

MOST_OVERHEAD = 1024
"""Maximum bytes that the form fields and headers of an upload add to the size of the file itself."""


def upload_routes(workbench: Workbench, identity: Identity) -> APIRouter:
    """The upload routes; they must come before Gradio's own route."""
    router = APIRouter()

    @router.post(f"{API_PREFIX}/upload")
    async def upload(request: Request, upload_id: str | None = None) -> Response:
        limit = workbench.settings.limits.largest_file_bytes + MOST_OVERHEAD
        user_id = user_of(identity, request)
        try:
            async with workbench.uploads.arriving(user_id, declared_bytes(request)) as arrival:
                counted = cast(Request, _Counted(request, arrival.take))
                paths, _, _ = await upload_fn(counted, str(arrival.place), limit, upload_id, True, file_upload_statuses)
        except (MultiPartException, MultipartParseError) as error:
            too_large = "maximum allowed size" in str(getattr(error, "message", error))
            key = "pages.uploads.too_large" if too_large else "errors.validation"
            return _refusal(
                PalimpsestError(problem_of("validation", key, most=limit // MEGABYTE)), 413 if too_large else 400
            )
        except (OSError, PalimpsestError) as error:
            return _refusal(error, status_of(error))
        return JSONResponse([str(path) for path in paths])

    return router


class _Counted:
    """A request for Gradio's parser; the size is checked before each block is written."""

    def __init__(self, request: Request, take: Callable[[int], None]) -> None:
        self.headers = request.headers
        self._request = request
        self._take = take

    async def stream(self) -> AsyncIterator[bytes]:
        async for block in self._request.stream():
            await asyncio.to_thread(self._take, len(block))
            yield block


def _refusal(error: BaseException, status: int) -> Response:
    """The error text in every language. Gradio's script passes on only this text, and the page selects the user's
    language."""
    problem = explain(error)
    told: dict[str, Any] = {language: problem.told(language) for language in LANGUAGES}
    return JSONResponse({"problems": told}, status_code=status)
