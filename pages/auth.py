"""Authentication: finds the id of the user who sent a request.

If users sign in, the id comes from the session; otherwise it is ``local``. Programs send an API key. Commands on this
machine send the token that is stored next to the data directory's lock. The id is never taken from data that the page
sends.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal, Protocol
from urllib.parse import unquote

from itsdangerous import BadData, BadSignature, Signer, URLSafeSerializer
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from core.accounts.records import Account, ApiKey, KeyScope
from core.accounts.signing_key import signing_key
from core.errors import PalimpsestError, fail
from core.settings import Settings

COOKIE = "palimpsest_session"
LOCAL = "local"
OPEN = ("/login", "/logout", "/health", "/ready", "/metrics", "/page/", "/favicon.ico")
OURS = "pal_"
"""Prefix of our API keys; other values that a proxy puts into the header are ignored."""
ACTING = "x-palimpsest-user"
"""Header with the percent-encoded name of the user on whose behalf the owner of this machine acts; by default the
owner."""


class Requested(Protocol):
    """A request, as FastAPI and Gradio both provide it."""

    @property
    def cookies(self) -> Mapping[str, str]: ...

    @property
    def headers(self) -> Mapping[str, str]: ...


class Keys(Protocol):
    """Lookup of API keys."""

    def presented(self, text: str) -> Awaitable[ApiKey | None]: ...


class OpenSessions(Protocol):
    """Lookup of sessions."""

    def owner_of(self, token: str) -> Awaitable[str | None]: ...


class People(Protocol):
    """Lookup of accounts."""

    @property
    def required(self) -> bool: ...

    @property
    def administrator(self) -> str | None: ...

    @property
    def sessions(self) -> OpenSessions: ...

    def of(self, name: str) -> Account | None: ...

    def refreshed(self, name: str) -> Awaitable[Account | None]: ...


@dataclass(frozen=True)
class Caller:
    """The user and how they were authenticated: by a session (or none is needed), by an API key, or as this machine's
    owner.

    ``scopes``: the key's rights; a user may do everything with their own data. ``via``: the session or key.
    """

    user_id: str
    by: Literal["session", "key", "machine"] = "session"
    scopes: tuple[KeyScope, ...] | None = None
    via: str = field(default="", compare=False)

    def may(self, scope: KeyScope) -> bool:
        return self.scopes is None or scope in self.scopes


class Identity:
    """Signs and verifies sessions. If given, it also checks ``accounts``, API ``keys`` and the ``local_token``."""

    def __init__(
        self, settings: Settings, accounts: People, keys: Keys | None = None, local_token: str | None = None
    ) -> None:
        self._accounts = accounts
        self._sign_with(signing_key(settings.folder / "session.key"))
        self._api_keys = keys
        self._local_token = local_token

    async def agree(self, agreed: Callable[[bytes], Awaitable[bytes]]) -> None:
        """Uses one signing key for all servers that share a record store: ``agreed`` takes this server's key and
        returns the shared one."""
        self._sign_with(await agreed(self._key))

    def _sign_with(self, key: bytes) -> None:
        self._key = key
        self._signer = Signer(key, salt="palimpsest.session", digest_method=hashlib.sha256)
        self._sealer = URLSafeSerializer(key, "palimpsest.sign_in", signer_kwargs={"digest_method": hashlib.sha256})

    @property
    def required(self) -> bool:
        """Whether users must sign in."""
        return self._accounts.required

    def is_administrator(self, user_id: str) -> bool:
        """Whether the user may change shared settings; without sign-in, that is every user at this machine."""
        account = self._accounts.of(user_id)
        if account:
            return account.role == "administrator"
        return not self.required or (user_id == LOCAL and self._accounts.administrator is None)

    async def caller(self, request: Request) -> Caller | None:
        """The caller of a request, or ``None`` if it must be refused: an invalid key, or no session.

        Raises:
            PalimpsestError: the key has expired.
        """
        scheme, _, given = request.headers.get("authorization", "").partition(" ")
        if scheme.lower() != "bearer" or not given.startswith(OURS):
            user_id = await self._signed_in(request)
            return Caller(user_id, via=request.cookies.get(COOKIE, "")) if user_id else None
        if self._local_token and hmac.compare_digest(given.encode(), self._local_token.encode()):
            name = unquote(request.headers.get(ACTING, "")) or self._accounts.administrator or LOCAL
            return Caller(name, "machine") if await self._exists(name, on_machine=True) else None
        key = await self._api_keys.presented(given) if self._api_keys else None
        return Caller(key.user_id, "key", key.scopes, key.id) if key and await self._exists(key.user_id) else None

    def user(self, request: Requested) -> str | None:
        """The user's id, or ``None`` if the request was not authenticated."""
        caller = settled(request)
        return caller.user_id if caller else None if self.required else LOCAL

    def is_in_person(self, request: Requested | None) -> bool:
        """Whether the caller is a user, not a program with an API key."""
        caller = settled(request)
        return caller is None or caller.by != "key"

    def may(self, request: Requested | None, scope: KeyScope) -> bool:
        """Whether the request's API key, if there is one, has this scope."""
        caller = settled(request)
        return caller is None or caller.may(scope)

    def cookie_of(self, token: str) -> str:
        """The session cookie for a browser."""
        return self._signer.sign(token).decode()

    def sealed(self, kept: dict[str, str | float]) -> str:
        """Signs data that a browser keeps while its user signs in at a provider. The signed data grants no access."""
        return str(self._sealer.dumps(kept))

    def unsealed(self, text: str) -> object | None:
        """The data, if this server signed them; otherwise ``None``."""
        try:
            found: object = self._sealer.loads(text)
        except BadData:
            return None
        return found

    def token_in(self, request: Requested) -> str | None:
        """The session token in a cookie, if this server signed the cookie."""
        try:
            return self._signer.unsign(request.cookies.get(COOKIE, "").encode(errors="replace")).decode()
        except (BadSignature, UnicodeDecodeError):
            return None

    async def _signed_in(self, request: Requested) -> str | None:
        if not self.required:
            return LOCAL
        token = self.token_in(request)
        name = await self._accounts.sessions.owner_of(token) if token else None
        return name if name and await self._exists(name) else None

    async def _exists(self, name: str, *, on_machine: bool = False) -> bool:
        if await self._accounts.refreshed(name):
            return True
        return name == LOCAL and (not self.required or (on_machine and self._accounts.administrator is None))


def settled(request: Requested | None) -> Caller | None:
    """The caller that was found when this request was authenticated."""
    return getattr(getattr(request, "state", None), "caller", None)


def address_of(request: Requested | None) -> str:
    """The client's address, as far as the server knows it."""
    host = getattr(getattr(request, "client", None), "host", "")
    return host if isinstance(host, str) else ""


def user_of(identity: Identity, request: Requested | None) -> str:
    """The user who sent the request. Raises ``PalimpsestError`` if sign-in is required and missing."""
    user_id = identity.user(request) if request is not None else None
    if user_id is None:
        raise fail("auth", "pages.answers.signed_out")
    return user_id


def signed_in(identity: Identity, request: Request) -> str:
    """The user who requests a part of a page. Raises ``HTTPException`` 401 if sign-in is required and missing."""
    user_id = identity.user(request)
    if user_id is None:
        raise HTTPException(401)
    return user_id


class Gate:
    """ASGI middleware that authenticates requests. It never buffers, so streams pass through."""

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
        try:
            caller = request.state.caller = await self._identity.caller(request)
        except PalimpsestError as error:
            # If the accounts cannot be read now, do not answer 401: the browser would ask the user to sign in again.
            return _told(error, 401 if error.problem.category == "auth" else 503)
        if caller is not None:
            needed = _scope_of_door(path, scope["method"])
            return None if needed is None or caller.may(needed) else _told(fail("auth", "accounts.beyond_key"), 403)
        if path == "/" and scope["method"] == "GET":
            return RedirectResponse("/login", status_code=303)
        return _told(fail("auth", "pages.answers.signed_out"), 401)


_TAKING = ("/api/uploads", "/gradio_api/upload")
_SHOWING = ("/documents/", "/answers/", "/live/")


def _scope_of_door(path: str, method: str) -> KeyScope | None:
    """The scope that an API key needs for routes that do not run an action; each action declares its own scope."""
    if path.startswith(_TAKING):
        return "write"
    return "read" if path.startswith(_SHOWING) else None


def _told(error: PalimpsestError, status: int) -> Response:
    """The error in English, because a program has not chosen a language."""
    headers = {"WWW-Authenticate": "Bearer"} if status in (401, 403) else {}
    return JSONResponse({"problem": error.problem.told("en")}, status_code=status, headers=headers)
