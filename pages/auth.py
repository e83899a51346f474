"""Who is asking, the form where people sign in, and the gate in front of everything: requests -> a user's id.

The id comes from the signed session when people log in, else it is ``local``; it never comes from the page.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Protocol

from fastapi import APIRouter, Form
from fastapi.responses import HTMLResponse
from itsdangerous import BadSignature, SignatureExpired, TimestampSigner
from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from core.errors import fail
from core.settings import Settings
from viz.templating import render

COOKIE = "palimpsest_session"
LOCAL = "local"
OPEN = ("/login", "/health", "/page/")


class HasCookies(Protocol):
    """A request of FastAPI or of Gradio."""

    @property
    def cookies(self) -> Mapping[str, str]: ...


class Requested(HasCookies, Protocol):
    """One that also says which language is liked."""

    @property
    def headers(self) -> Mapping[str, str]: ...


class Identity:
    """Signs sessions and reads them back."""

    def __init__(self, settings: Settings) -> None:
        self._users = {name: secret.get_secret_value() for name, secret in settings.users.items()}
        self._seconds = settings.session_hours * 3600
        self._signer = TimestampSigner(_secret(settings.folder / "session.key"), digest_method=hashlib.sha256)

    @property
    def required(self) -> bool:
        return bool(self._users)

    def is_administrator(self, user_id: str) -> bool:
        """Whether this user changes what holds for everybody: whoever sits at the machine when nobody logs in, else the
        first of the configured users, until there are roles."""
        return user_id == next(iter(self._users), LOCAL)

    def sign_in(self, name: str, password: str) -> str | None:
        """The value of a new session's cookie; ``None`` when name and password do not belong together."""
        known = self._users.get(name, "")
        same = hmac.compare_digest(known.encode(), password.encode())
        return self._signer.sign(name).decode() if known and same else None

    def user(self, request: HasCookies) -> str | None:
        """The user's id, or ``None`` when a login is required and there is no valid session."""
        if not self.required:
            return LOCAL
        try:
            name = self._signer.unsign(request.cookies.get(COOKIE, ""), max_age=int(self._seconds)).decode()
        except (BadSignature, SignatureExpired):
            return None
        return name if name in self._users else None


def user_of(identity: Identity, request: HasCookies) -> str:
    """Who asks. Raises ``PalimpsestError`` when a login is required and there is none."""
    user_id = identity.user(request)
    if user_id is None:
        raise fail("auth", "pages.answers.signed_out")
    return user_id


class Gate:
    """ASGI middleware; it never buffers, so streams pass through it."""

    def __init__(self, app: ASGIApp, identity: Identity) -> None:
        self._app = app
        self._identity = identity

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        refusal = self._refusal(scope) if scope["type"] == "http" else None
        if refusal:
            await refusal(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    def _refusal(self, scope: Scope) -> Response | None:
        path = scope["path"]
        if path.startswith("/gradio_api/file"):
            return PlainTextResponse("not found", status_code=404)
        if path.startswith(OPEN) or self._identity.user(Request(scope)) is not None:
            return None
        if path == "/" and scope["method"] == "GET":
            return RedirectResponse("/login", status_code=303)
        return PlainTextResponse("sign in", status_code=401)


def login_routes(identity: Identity) -> APIRouter:
    """A form that turns a name and a password into a signed session."""
    router = APIRouter()

    @router.get("/login")
    async def form() -> HTMLResponse:
        return HTMLResponse(render("login", refused=False))

    @router.post("/login")
    async def sign_in(name: Annotated[str, Form()], password: Annotated[str, Form()]) -> Response:
        session = identity.sign_in(name, password)
        if session is None:
            return HTMLResponse(render("login", refused=True), status_code=401)
        response = RedirectResponse("/", status_code=303)
        response.set_cookie(COOKIE, session, httponly=True, samesite="lax")
        return response

    @router.post("/logout")
    async def sign_out() -> Response:
        response = RedirectResponse("/login", status_code=303)
        response.delete_cookie(COOKIE)
        return response

    return router


def _secret(path: Path) -> bytes:
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        return path.read_bytes()
    except FileNotFoundError:
        secret = secrets.token_bytes(32)
        path.touch(mode=0o600)
        path.write_bytes(secret)
        return secret
