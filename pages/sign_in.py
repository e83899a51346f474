"""The sign-in page and sign-out: a name and a password start a session, which is kept in a cookie."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from fastapi import APIRouter, Form, Request
from fastapi.responses import HTMLResponse
from starlette.responses import RedirectResponse, Response

from core.accounts.accounts import Accounts
from core.accounts.audit import Audit
from core.accounts.pauses import PausedError
from core.accounts.records import Account
from core.errors import Problem
from core.words import LANGUAGES
from pages.auth import COOKIE, Identity, address_of
from viz.templating import render

MOST_TYPED = 2_000
"""Maximum number of characters of a name or a password; longer ones are refused."""


@dataclass(frozen=True)
class Entrance:
    """Starts and ends sessions. Each sign-in starts a new session and ends the browser's previous one."""

    identity: Identity
    accounts: Accounts
    audit: Audit

    async def open_for(self, account: Account, request: Request, action: str) -> Response:
        """Redirects to the workbench, with a new session."""
        address = address_of(request)
        await self.leave(request)
        token = await self.accounts.sessions.begin(account.user_id, address, request.headers.get("user-agent", ""))
        await self.audit.note(account.user_id, "signed_in", action=action, address=address)
        response = RedirectResponse("/", status_code=303)
        response.set_cookie(
            COOKIE, self.identity.cookie_of(token), httponly=True, samesite="lax", secure=request.url.scheme == "https"
        )
        return response

    async def leave(self, request: Request) -> str | None:
        """Ends the session; returns its user."""
        token = self.identity.token_in(request)
        return await self.accounts.sessions.end(token) if token else None

    def page(
        self, *, problem: Problem | None = None, status: int = 200, headers: dict[str, str] | None = None
    ) -> Response:
        """The form, and the link to the provider if there is one; ``problem`` is shown above it."""
        told = {each: " ".join(problem.to(each)) for each in LANGUAGES} if problem else {}
        provider = self.accounts.provider
        page = render("login", refused=status == 401, told=told, provider=provider.name if provider else None)
        return HTMLResponse(page, status_code=status, headers=headers)


def login_routes(entrance: Entrance) -> APIRouter:
    """Routes for sign-in by name and password."""
    router = APIRouter()

    @router.get("/login")
    async def form() -> Response:
        return entrance.page()

    @router.post("/login")
    async def sign_in(
        request: Request,
        name: Annotated[str, Form(max_length=MOST_TYPED)],
        password: Annotated[str, Form(max_length=MOST_TYPED)],
    ) -> Response:
        address = address_of(request)
        try:
            account = await entrance.accounts.sign_in(name, password, address)
        except PausedError as paused:
            await entrance.audit.note(name, "sign_in_failed", action="paused", address=address)
            headers = {"Retry-After": str(paused.seconds)}
            return entrance.page(problem=paused.problem, status=429, headers=headers)
        if account is None:
            await entrance.audit.note(name, "sign_in_failed", action="login", address=address)
            return entrance.page(status=401)
        return await entrance.open_for(account, request, "login")

    @router.post("/logout")
    async def sign_out(request: Request) -> Response:
        owner = await entrance.leave(request)
        if owner:
            await entrance.audit.note(owner, "signed_out", action="logout", address=address_of(request))
        response = RedirectResponse("/login", status_code=303)
        response.delete_cookie(COOKIE)
        return response

    return router
