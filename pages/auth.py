"""Who is asking, the form where people sign in, and the gate in front of everything: requests -> a user's id.

The id comes from the signed session when people log in, else it is ``local``; programs show an API key, and commands of
this machine the token beside the data directory's lock. It never comes from the page.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Awaitable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal, Protocol
from urllib.parse import unquote

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
OURS = "pal_"
"""How every key of ours begins: what else a proxy puts into the header is none of our business."""
ACTING = "x-palimpsest-user"
"""For whom the owner of this machine acts, percent-encoded; their own name where it is left out."""


class HasCookies(Protocol):
    """A request of FastAPI or of Gradio."""

    @property
    def cookies(self) -> Mapping[str, str]: ...


class Requested(HasCookies, Protocol):
    """One that also says which language is liked."""

    @property
    def headers(self) -> Mapping[str, str]: ...


class Keys(Protocol):
    """What is known of API keys."""

    def owner_of(self, text: str) -> Awaitable[str | None]: ...


@dataclass(frozen=True)
class Caller:
    """Who asks, and how they showed it: by a session (or none is needed), by a key, as the owner of this machine."""

    user_id: str
    by: Literal["session", "key", "machine"] = "session"


class Identity:
    """Signs sessions and reads them back; knows ``keys`` and the ``local_token``, where there are any."""

    def __init__(self, settings: Settings, keys: Keys | None = None, local_token: str | None = None) -> None:
        self._users = {name: secret.get_secret_value() for name, secret in settings.users.items()}
        self._seconds = settings.session_hours * 3600
        self._signer = TimestampSigner(_secret(settings.folder / "session.key"), digest_method=hashlib.sha256)
        self._api_keys = keys
        self._local_token = local_token

    @property
    def required(self) -> bool:
        return bool(self._users)

    @property
    def administrator(self) -> str:
        """Who changes what holds for everybody: whoever sits at the machine when nobody logs in, else the first of the
        configured users, until there are roles."""
        return next(iter(self._users), LOCAL)

    def is_administrator(self, user_id: str) -> bool:
        return user_id == self.administrator

    def sign_in(self, name: str, password: str) -> str | None:
        """The value of a new session's cookie; ``None`` when name and password do not belong together."""
        known = self._users.get(name, "")
        same = hmac.compare_digest(known.encode(), password.encode())
        return self._signer.sign(name).decode() if known and same else None

    async def caller(self, request: Request) -> Caller | None:
        """Who sends this, or ``None`` for who must be turned away: a key that is not one, or no session."""
        scheme, _, given = request.headers.get("authorization", "").partition(" ")
        if scheme.lower() != "bearer" or not given.startswith(OURS):
            user_id = self._signed_in(request)
            return Caller(user_id) if user_id else None
        if self._local_token and hmac.compare_digest(given.encode(), self._local_token.encode()):
            name = unquote(request.headers.get(ACTING, "")) or self.administrator
            return Caller(name, "machine") if self._exists(name) else None
        owner = await self._api_keys.owner_of(given) if self._api_keys else None
        return Caller(owner, "key") if owner and self._exists(owner) else None

    def user(self, request: HasCookies) -> str | None:
        """The user's id, or ``None`` when a login is required and there is no valid session."""
        settled = _settled(request)
        return settled.user_id if settled else self._signed_in(request)

    def is_in_person(self, request: HasCookies | None) -> bool:
        """Whether it is no program with a key that asks."""
        settled = _settled(request)
        return settled is None or settled.by != "key"

    def _signed_in(self, request: HasCookies) -> str | None:
        if not self.required:
            return LOCAL
        try:
            name = self._signer.unsign(request.cookies.get(COOKIE, ""), max_age=int(self._seconds)).decode()
        except (BadSignature, SignatureExpired):
            return None
        return name if name in self._users else None

    def _exists(self, name: str) -> bool:
        return name in self._users if self.required else name == LOCAL


def _settled(request: HasCookies | None) -> Caller | None:
    """Whom the gate has let in with this request."""
    return getattr(getattr(request, "state", None), "caller", None)


def user_of(identity: Identity, request: HasCookies | None) -> str:
    """Who asks. Raises ``PalimpsestError`` when a login is required and there is none."""
    user_id = identity.user(request) if request is not None else None
    if user_id is None:
        raise fail("auth", "pages.answers.signed_out")
    return user_id


class Gate:
    """ASGI middleware; it never buffers, so streams pass through it."""

    def __init__(self, app: ASGIApp, identity: Identity) -> None:
        self._app = app
        self._identity = identity

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        refusal = await self._refusal(scope) if scope["type"] == "http" else None
        if refusal:
            await refusal(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    async def _refusal(self, scope: Scope) -> Response | None:
        path = scope["path"]
        if path.startswith("/gradio_api/file"):
            return PlainTextResponse("not found", status_code=404)
        if path.startswith(OPEN):
            return None
        request = Request(scope)
        request.state.caller = await self._identity.caller(request)
        if request.state.caller is not None:
            return None
        if path == "/" and scope["method"] == "GET":
            return RedirectResponse("/login", status_code=303)
        return PlainTextResponse("sign in", status_code=401, headers={"WWW-Authenticate": "Bearer"})


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
