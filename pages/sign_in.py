"""The page where people sign in, and out: a name and a password -> a session in a cookie."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Form, Request
from fastapi.responses import HTMLResponse
from starlette.responses import RedirectResponse, Response

from core.accounts.accounts import Accounts
from core.accounts.audit import Audit
from core.accounts.pauses import PausedError
from core.words import LANGUAGES, Language
from pages.auth import COOKIE, Identity, address_of
from viz.templating import render

MOST_TYPED = 2_000
"""Characters of a name or a password that are looked at."""


def login_routes(identity: Identity, accounts: Accounts, audit: Audit) -> APIRouter:
    """Every sign-in begins a new session and ends the one that the browser had before."""
    router = APIRouter()

    @router.get("/login")
    async def form() -> HTMLResponse:
        return _form()

    @router.post("/login")
    async def sign_in(
        request: Request,
        name: Annotated[str, Form(max_length=MOST_TYPED)],
        password: Annotated[str, Form(max_length=MOST_TYPED)],
    ) -> Response:
        address = address_of(request)
        try:
            account = await accounts.sign_in(name, password, address)
        except PausedError as paused:
            await audit.note(name, "sign_in_failed", action="paused", address=address)
            told = {each: paused.problem.why.to(each) for each in LANGUAGES}
            return _form(told, 429, {"Retry-After": str(paused.seconds)})
        if account is None:
            await audit.note(name, "sign_in_failed", action="login", address=address)
            return _form(None, 401)
        await _leave(request)
        token = await accounts.sessions.begin(account.user_id, address, request.headers.get("user-agent", ""))
        await audit.note(account.user_id, "signed_in", action="login", address=address)
        response = RedirectResponse("/", status_code=303)
        response.set_cookie(
            COOKIE, identity.cookie_of(token), httponly=True, samesite="lax", secure=request.url.scheme == "https"
        )
        return response

    @router.post("/logout")
    async def sign_out(request: Request) -> Response:
        owner = await _leave(request)
        if owner:
            await audit.note(owner, "signed_out", action="logout", address=address_of(request))
        response = RedirectResponse("/login", status_code=303)
        response.delete_cookie(COOKIE)
        return response

    async def _leave(request: Request) -> str | None:
        token = identity.token_in(request)
        return await accounts.sessions.end(token) if token else None

    return router


def _form(
    paused: dict[Language, str] | None = None, status: int = 200, headers: dict[str, str] | None = None
) -> HTMLResponse:
    page = render("login", refused=status == 401, paused=paused or {})
    return HTMLResponse(page, status_code=status, headers=headers)
