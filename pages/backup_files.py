"""Downloads of backups: a backup's name → the archive. Only users with the right to the backup can download it, not
programs; each download is recorded in the audit trail."""

from __future__ import annotations

from fastapi import APIRouter, HTTPException, Request
from fastapi.responses import FileResponse

from core.errors import PalimpsestError
from core.workbench import Workbench
from pages.auth import Identity, signed_in
from pages.security.auditing import note_download


def backup_routes(workbench: Workbench, identity: Identity) -> APIRouter:
    """Routes that require sign-in. For another user's backup they report "not found"."""
    router = APIRouter(prefix="/backups")

    @router.get("/{name}")
    async def download(name: str, request: Request) -> FileResponse:
        user_id = signed_in(identity, request)
        if not identity.is_in_person(request):
            raise HTTPException(403)
        asker = None if identity.is_administrator(user_id) else user_id
        try:
            path = workbench.operations.backups.path_of(name, asker)
        except PalimpsestError as error:
            raise HTTPException(404) from error
        await note_download(workbench, user_id, "download_backup", name, request)
        return FileResponse(path, filename=name, media_type="application/zip", headers={"Cache-Control": "no-store"})

    return router
