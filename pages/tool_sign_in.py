"""The page to which users return after signing in to a tool server: takes code and state, shows a confirmation."""

from __future__ import annotations

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse

from core.errors import PalimpsestError, fail
from core.tools.mcp.records import SIGNED_IN_PATH
from core.workbench import Workbench
from pages.actions import language_of, problem_of
from pages.auth import Identity, user_of
from viz.templating import render


def sign_in_routes(workbench: Workbench, identity: Identity) -> APIRouter:
    """The route of this page. The tool server is given its address when a user starts to sign in."""
    router = APIRouter()

    @router.get(SIGNED_IN_PATH)
    async def signed_in(request: Request, state: str = "", code: str = "", iss: str | None = None) -> HTMLResponse:
        language = language_of(request)
        try:
            if not identity.is_administrator(user_of(identity, request)):
                raise fail("auth", "overrides.not_yours")
            await workbench.tool_servers.came_back(state, code, iss)
        except PalimpsestError as error:
            problem = problem_of(error, language)["problem"]
            return HTMLResponse(render("signed_in", language=language, problem=problem), status_code=400)
        return HTMLResponse(render("signed_in", language=language, problem=None))

    return router
