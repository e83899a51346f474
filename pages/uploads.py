"""Files on their way from the browser into our file store: *an upload* → a path that is its owner's alone.

Gradio's own route names the place of a file by its content: two people who send the same file at once share one, and
whoever knows content and name can throw away another's. So its address is answered here.
"""

from __future__ import annotations

import hashlib
import secrets
import shutil
import tempfile
import time
from pathlib import Path

from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse, PlainTextResponse, Response
from gradio.route_utils import API_PREFIX, upload_fn
from gradio.routes import file_upload_statuses
from gradio.utils import get_upload_folder
from python_multipart.exceptions import MultipartParseError
from starlette.formparsers import MultiPartException

from core.errors import explain, fail
from core.workbench import Workbench
from pages.auth import Identity, user_of

ABANDONED = 86_400.0
"""Seconds after which a file that nobody took over goes."""


def upload_folder() -> Path:
    """Where the interface keeps uploads until we take them over."""
    return Path(get_upload_folder() or Path(tempfile.gettempdir()) / "gradio").resolve()


def upload_routes(workbench: Workbench, identity: Identity) -> APIRouter:
    """What takes files in; it must stand before Gradio's own route."""
    router = APIRouter()

    @router.post(f"{API_PREFIX}/upload")
    async def upload(request: Request, upload_id: str | None = None) -> Response:
        place = _folder_of(user_of(identity, request)) / secrets.token_hex(16)
        limit = workbench.settings.limits.file_bytes + 1024
        try:
            paths, _, _ = await upload_fn(request, str(place), limit, upload_id, True, file_upload_statuses)
        except (MultiPartException, MultipartParseError) as error:
            too_large = "maximum allowed size" in str(getattr(error, "message", error))
            return PlainTextResponse("the file is too large" if too_large else "no file", 413 if too_large else 400)
        except OSError as error:
            return PlainTextResponse(explain(error).what.en, 507)
        return JSONResponse([str(each) for each in paths])

    return router


def written(user_id: str, name: str, content: bytes) -> Path:
    """A file of ours as if this user had sent it."""
    place = _folder_of(user_id) / secrets.token_hex(16)
    place.mkdir(parents=True)
    path = place / name
    path.write_bytes(content)
    return path


def received(user_id: str, path: str) -> Path:
    """The file at ``path`` that this user uploaded.

    Raises:
        PalimpsestError: it is gone, it is another's, or it is not an upload at all.
    """
    resolved = Path(path).resolve()
    if _folder_of(user_id) not in resolved.parents or not resolved.is_file():
        raise fail("not_found", "pages.uploads.received")
    return resolved


def remove_abandoned(folder: Path, now: float | None = None) -> None:
    """Uploads that were neither taken over nor thrown away, and the folders of those that were."""
    oldest = (time.time() if now is None else now) - ABANDONED
    for each in [*folder.glob("*/*")]:
        if each.is_dir() and each.stat().st_mtime < oldest:
            shutil.rmtree(each, ignore_errors=True)


def _folder_of(user_id: str) -> Path:
    """By a digest, because a name may hold what no folder's may."""
    return upload_folder() / hashlib.sha256(user_id.encode()).hexdigest()[:32]
