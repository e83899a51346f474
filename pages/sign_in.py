"""The page where people sign in, and out: a name and a password -> a session in a cookie."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Form, Request
from fastapi.responses import HTMLResponse
from starlette.responses import RedirectResponse, Response

from core.accounts.accounts import Accounts
from core.accounts.pauses import PausedError
from core.words import LANGUAGES, Language
from pages.auth import COOKIE, Identity
from viz.templating import render

MOST_TYPED = 2_000
"""Characters of a name or a password that are looked at."""


def login_routes(identity: Identity, accounts: Accounts) -> APIRouter:
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
            told = {each: paused.problem.why.to(each) for each in LANGUAGES}
            return _form(told, 429, {"Retry-After": str(paused.seconds)})
        if account is None:
            return _form(None, 401)
        await _leave(request)
        token = await accounts.sessions.begin(account.user_id, address, request.headers.get("user-agent", ""))
        response = RedirectResponse("/", status_code=303)
        response.set_cookie(
            COOKIE, identity.cookie_of(token), httponly=True, samesite="lax", secure=request.url.scheme == "https"
        )
        return response

    @router.post("/logout")
    async def sign_out(request: Request) -> Response:
        await _leave(request)
        response = RedirectResponse("/login", status_code=303)
        response.delete_cookie(COOKIE)
        return response

    async def _leave(request: Request) -> None:
        token = identity.token_in(request)
        if token:
            await accounts.sessions.end(token)

    return router


def address_of(request: Request) -> str:
    """Where a request comes from, as far as the server knows."""
    return request.client.host if request.client else ""


def _form(
    paused: dict[Language, str] | None = None, status: int = 200, headers: dict[str, str] | None = None
) -> HTMLResponse:
    page = render("login", refused=status == 401, paused=paused or {})
    return HTMLResponse(page, status_code=status, headers=headers)
