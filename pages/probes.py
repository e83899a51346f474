"""Endpoints for monitoring: liveness, readiness and metrics.

They bypass authentication, so a setting decides here who may read the metrics.
"""

from __future__ import annotations

from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse, PlainTextResponse, Response

from core.errors import PalimpsestError
from core.settings import Settings
from core.workbench import Workbench
from pages.auth import Identity

STATUS = {"green": "healthy", "amber": "warning", "red": "error"}
PROMETHEUS = "text/plain; version=0.0.4; charset=utf-8"


def probe_routes(workbench: Workbench, identity: Identity, settings: Settings) -> APIRouter:
    """Routes of these endpoints, also for a process without pages."""
    router = APIRouter()

    @router.get("/health")
    async def health() -> dict[str, object]:
        """The state of each part and what it means. Always answers while the process is alive."""
        report = await workbench.health()
        return {"status": STATUS[report.state], "parts": [part.model_dump() for part in report.parts]}

    @router.get("/ready")
    async def ready() -> Response:
        """Returns 503 while the records cannot be read. Unavailable stages of answering or a full disk do not count:
        users must be able to delete documents to free space."""
        serves = (await workbench.health()).readable
        return JSONResponse({"ready": serves}, status_code=200 if serves else 503)

    @router.get("/metrics")
    async def metrics(request: Request) -> Response:
        """Metrics in Prometheus' text format."""
        if settings.metrics_for == "nobody":
            return PlainTextResponse("not found", status_code=404)
        if settings.metrics_for == "administrators" and not await _administers(identity, request):
            return PlainTextResponse("sign in", status_code=401, headers={"WWW-Authenticate": "Bearer"})
        return Response(workbench.retrieval.metrics.prometheus(), media_type=PROMETHEUS)

    return router


async def _administers(identity: Identity, request: Request) -> bool:
    """Whether the caller is an administrator, or a program with an administrator's key of the right scope."""
    try:
        caller = await identity.caller(request)
    except PalimpsestError:
        return False
    return caller is not None and identity.is_administrator(caller.user_id) and caller.may("administer")
