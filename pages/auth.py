"""Who is asking, and the gate in front of everything: requests -> a user's id.

The id comes from the session when people sign in, else it is ``local``; programs show an API key, and commands of
this machine the token beside the data directory's lock. It never comes from the page.
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
"""How every key of ours begins: what else a proxy puts into the header is none of our business."""
ACTING = "x-palimpsest-user"
"""For whom the owner of this machine acts, percent-encoded; their own name where it is left out."""


class Requested(Protocol):
    """A request of FastAPI or of Gradio."""

    @property
    def cookies(self) -> Mapping[str, str]: ...

    @property
    def headers(self) -> Mapping[str, str]: ...


class Keys(Protocol):
    """What is known of API keys."""

    def presented(self, text: str) -> Awaitable[ApiKey | None]: ...


class OpenSessions(Protocol):
    """What is known of sessions."""

    def owner_of(self, token: str) -> Awaitable[str | None]: ...


class People(Protocol):
    """What is known of those who sign in."""

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
    """Who asks, and how they showed it: by a session (or none is needed), by a key, as the owner of this machine.

    ``scopes``: what a key may do; people may all that is theirs. ``via``: which session or key of theirs it is.
    """

    user_id: str
    by: Literal["session", "key", "machine"] = "session"
    scopes: tuple[KeyScope, ...] | None = None
    via: str = field(default="", compare=False)

    def may(self, scope: KeyScope) -> bool:
        return self.scopes is None or scope in self.scopes


class Identity:
    """Signs sessions and reads them back; knows ``accounts``, ``keys`` and the ``local_token``, where there are any."""

    def __init__(
        self, settings: Settings, accounts: People, keys: Keys | None = None, local_token: str | None = None
    ) -> None:
        self._accounts = accounts
        self._sign_with(signing_key(settings.folder / "session.key"))
        self._api_keys = keys
        self._local_token = local_token

    async def agree(self, agreed: Callable[[bytes], Awaitable[bytes]]) -> None:
        """Sign as all servers do that share a truth: ``agreed`` takes this one's key and gives theirs."""
        self._sign_with(await agreed(self._key))

    def _sign_with(self, key: bytes) -> None:
        self._key = key
        self._signer = Signer(key, salt="palimpsest.session", digest_method=hashlib.sha256)
        self._sealer = URLSafeSerializer(key, "palimpsest.sign_in", signer_kwargs={"digest_method": hashlib.sha256})

    @property
    def required(self) -> bool:
        """Whether people sign in."""
        return self._accounts.required

    def is_administrator(self, user_id: str) -> bool:
        """Who changes what holds for everybody: whoever sits at the machine when nobody signs in, or can."""
        account = self._accounts.of(user_id)
        if account:
            return account.role == "administrator"
        return not self.required or (user_id == LOCAL and self._accounts.administrator is None)

    async def caller(self, request: Request) -> Caller | None:
        """Who sends this, or ``None`` for who must be turned away: a key that is not one, or no session.

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
        """The user's id, or ``None`` for whom the gate has not let in."""
        caller = settled(request)
        return caller.user_id if caller else None if self.required else LOCAL

    def is_in_person(self, request: Requested | None) -> bool:
        """Whether it is no program with a key that asks."""
        caller = settled(request)
        return caller is None or caller.by != "key"

    def may(self, request: Requested | None, scope: KeyScope) -> bool:
        """Whether the key that is shown, if it is one, was made for this."""
        caller = settled(request)
        return caller is None or caller.may(scope)

    def cookie_of(self, token: str) -> str:
        """What a browser is given to keep."""
        return self._signer.sign(token).decode()

    def sealed(self, kept: dict[str, str | float]) -> str:
        """What a browser keeps for us while somebody signs in elsewhere; it opens nothing."""
        return str(self._sealer.dumps(kept))

    def unsealed(self, text: str) -> object | None:
        """What was sealed here."""
        try:
            found: object = self._sealer.loads(text)
        except BadData:
            return None
        return found

    def token_in(self, request: Requested) -> str | None:
        """The token of a cookie that was signed here."""
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
    """Whom the gate has let in with this request."""
    return getattr(getattr(request, "state", None), "caller", None)


def address_of(request: Requested | None) -> str:
    """Where a request comes from, as far as the server knows."""
    host = getattr(getattr(request, "client", None), "host", "")
    return host if isinstance(host, str) else ""


def user_of(identity: Identity, request: Requested | None) -> str:
    """Who asks. Raises ``PalimpsestError`` when a login is required and there is none."""
    user_id = identity.user(request) if request is not None else None
    if user_id is None:
        raise fail("auth", "pages.answers.signed_out")
    return user_id


def signed_in(identity: Identity, request: Request) -> str:
    """Who asks for a part of a page. Raises ``HTTPException`` 401 when a login is required and there is none."""
    user_id = identity.user(request)
    if user_id is None:
        raise HTTPException(401)
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
        try:
            caller = request.state.caller = await self._identity.caller(request)
        except PalimpsestError as error:
            # Who cannot be asked about now has not been turned away: a browser would have them sign in.
            return _told(error, 401 if error.problem.category == "auth" else 503)
        if caller is not None:
            needed = _scope_of_door(path, scope["method"])
            return None if needed is None or caller.may(needed) else _told(fail("auth", "accounts.beyond_key"), 403)
        if path == "/" and scope["method"] == "GET":
            return RedirectResponse("/login", status_code=303)
        return PlainTextResponse("sign in", status_code=401, headers={"WWW-Authenticate": "Bearer"})


_TAKING = ("/api/uploads", "/gradio_api/upload")
_SHOWING = ("/documents/", "/answers/", "/live/")


def _scope_of_door(path: str, method: str) -> KeyScope | None:
    """What a key must be made for at doors that lead to no action; an action says it itself."""
    if path.startswith(_TAKING):
        return "write"
    return "read" if path.startswith(_SHOWING) else None


def _told(error: PalimpsestError, status: int) -> Response:
    """A program has said no language; what, why and remedy are in English then."""
    headers = {"WWW-Authenticate": "Bearer"} if status in (401, 403) else {}
    return JSONResponse({"problem": error.problem.told("en")}, status_code=status, headers=headers)
