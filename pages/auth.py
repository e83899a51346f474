"""Who is asking, and the gate in front of everything: requests -> a user's id.

The id comes from the session when people sign in, else it is ``local``; programs show an API key, and commands of
this machine the token beside the data directory's lock. It never comes from the page.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Awaitable, Mapping
from dataclasses import dataclass
from typing import Literal, Protocol
from urllib.parse import unquote

from itsdangerous import BadSignature, Signer
from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from core.accounts.records import Account
from core.accounts.signing_key import signing_key
from core.errors import fail
from core.settings import Settings

COOKIE = "palimpsest_session"
LOCAL = "local"
OPEN = ("/login", "/logout", "/health", "/page/")
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


class People(Protocol):
    """What is known of those who sign in."""

    @property
    def required(self) -> bool: ...

    @property
    def administrator(self) -> str | None: ...

    @property
    def sessions(self) -> Keys: ...

    def of(self, name: str) -> Account | None: ...

    def refreshed(self, name: str) -> Awaitable[Account | None]: ...


@dataclass(frozen=True)
class Caller:
    """Who asks, and how they showed it: by a session (or none is needed), by a key, as the owner of this machine."""

    user_id: str
    by: Literal["session", "key", "machine"] = "session"


class Identity:
    """Signs sessions and reads them back; knows people, ``keys`` and the ``local_token``, where there are any."""

    def __init__(
        self, settings: Settings, people: People, keys: Keys | None = None, local_token: str | None = None
    ) -> None:
        self._people = people
        key = signing_key(settings.folder / "session.key")
        self._signer = Signer(key, salt="palimpsest.session", digest_method=hashlib.sha256)
        self._api_keys = keys
        self._local_token = local_token

    @property
    def required(self) -> bool:
        """Whether people sign in."""
        return self._people.required

    def is_administrator(self, user_id: str) -> bool:
        """Who changes what holds for everybody: whoever sits at the machine when nobody signs in."""
        account = self._people.of(user_id)
        return account.role == "administrator" if account else not self.required

    async def caller(self, request: Request) -> Caller | None:
        """Who sends this, or ``None`` for who must be turned away: a key that is not one, or no session."""
        scheme, _, given = request.headers.get("authorization", "").partition(" ")
        if scheme.lower() != "bearer" or not given.startswith(OURS):
            user_id = await self._signed_in(request)
            return Caller(user_id) if user_id else None
        if self._local_token and hmac.compare_digest(given.encode(), self._local_token.encode()):
            name = unquote(request.headers.get(ACTING, "")) or self._people.administrator or LOCAL
            return Caller(name, "machine") if await self._exists(name, on_machine=True) else None
        owner = await self._api_keys.owner_of(given) if self._api_keys else None
        return Caller(owner, "key") if owner and await self._exists(owner) else None

    def user(self, request: HasCookies) -> str | None:
        """The user's id, or ``None`` for whom the gate has not let in."""
        settled = _settled(request)
        return settled.user_id if settled else None if self.required else LOCAL

    def is_in_person(self, request: HasCookies | None) -> bool:
        """Whether it is no program with a key that asks."""
        settled = _settled(request)
        return settled is None or settled.by != "key"

    def cookie_of(self, token: str) -> str:
        """What a browser is given to keep."""
        return self._signer.sign(token).decode()

    def token_in(self, request: HasCookies) -> str | None:
        """The token of a cookie that was signed here."""
        try:
            return self._signer.unsign(request.cookies.get(COOKIE, "").encode(errors="replace")).decode()
        except (BadSignature, UnicodeDecodeError):
            return None

    async def _signed_in(self, request: HasCookies) -> str | None:
        if not self.required:
            return LOCAL
        token = self.token_in(request)
        name = await self._people.sessions.owner_of(token) if token else None
        return name if name and await self._exists(name) else None

    async def _exists(self, name: str, *, on_machine: bool = False) -> bool:
        if await self._people.refreshed(name):
            return True
        return name == LOCAL and (not self.required or (on_machine and self._people.administrator is None))


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
