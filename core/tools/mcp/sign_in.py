"""Signs a user in to a remote server with the SDK's OAuth, and stores the tokens encrypted.

A user starts the sign-in, is sent to the server's page, and returns by a route of the workbench. It never starts
without a user: if stored tokens are no longer valid, the server waits for a user.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, urlsplit

from pydantic import BaseModel, JsonValue

from core.errors import PalimpsestError, fail
from core.settings import Settings
from core.store.secrets import Secrets
from core.store.truth import Truth
from core.tools.mcp.records import SIGNED_IN_PATH

if TYPE_CHECKING:  # importing the SDK takes a second, and only running servers need it
    from mcp.client.auth import OAuthClientProvider
    from mcp.shared.auth import OAuthClientInformationFull, OAuthToken

COLLECTION = "tool_server_sign_ins"
SECONDS = 600.0
"""Seconds that a user has to sign in."""
CLIENT_NAME = "Palimpsest"


class _Kept(BaseModel):
    """A stored sign-in. ``obtained_at``: when the tokens were received, in epoch seconds; the tokens themselves only
    contain how long they are valid."""

    tokens: dict[str, JsonValue] | None = None
    client: dict[str, JsonValue] | None = None
    obtained_at: float = 0.0
    address: str = ""


class SignInStore:
    """Stores sign-ins; without the decryption key it behaves as if no one had signed in."""

    def __init__(self, truth: Truth, settings: Settings) -> None:
        self._kept = truth.collection(COLLECTION)
        self._secrets = Secrets(settings)

    async def ensure(self) -> None:
        await self._kept.ensure()

    async def read(self, server_id: str, address: str) -> _Kept:
        """The stored sign-in; empty if it was for another address."""
        row = await self._kept.get(server_id)
        opened = await asyncio.to_thread(self._secrets.decrypt, str(row["kept"])) if row else None
        kept = _Kept.model_validate_json(opened.get_secret_value()) if opened else _Kept()
        return kept if kept.address == address else _Kept(address=address)

    async def write(self, server_id: str, kept: _Kept) -> None:
        ciphertext = await asyncio.to_thread(self._secrets.encrypt, kept.model_dump_json())
        await self._kept.upsert({"_id": server_id, "kept": ciphertext})

    async def forget(self, server_id: str) -> None:
        await self._kept.delete({"_id": server_id})


class _Storage:
    """The SDK's interface to the store, for one server at one address."""

    def __init__(self, store: SignInStore, server_id: str, address: str) -> None:
        self._store = store
        self._id = server_id
        self._address = address

    async def get_tokens(self) -> OAuthToken | None:
        from mcp.shared.auth import OAuthToken

        kept = await self._store.read(self._id, self._address)
        if kept.tokens is None:
            return None
        tokens = OAuthToken.model_validate(kept.tokens)
        if tokens.expires_in is not None:
            tokens.expires_in = max(0, int(kept.obtained_at + tokens.expires_in - time.time()))
        return tokens

    async def set_tokens(self, tokens: OAuthToken) -> None:
        kept = await self._store.read(self._id, self._address)
        kept.tokens, kept.obtained_at = tokens.model_dump(mode="json"), time.time()
        await self._store.write(self._id, kept)

    async def get_client_info(self) -> OAuthClientInformationFull | None:
        from mcp.shared.auth import OAuthClientInformationFull

        kept = await self._store.read(self._id, self._address)
        return OAuthClientInformationFull.model_validate(kept.client) if kept.client else None

    async def set_client_info(self, client_info: OAuthClientInformationFull) -> None:
        kept = await self._store.read(self._id, self._address)
        kept.client = client_info.model_dump(mode="json")
        await self._store.write(self._id, kept)


@dataclass
class PendingSignIn:
    """One sign-in in progress: ``address`` is where the user is sent, ``came_back`` has the parameters that the user
    returns with."""

    name: str
    back_to: str
    sent: Callable[[], None]
    address: asyncio.Future[str] = field(default_factory=lambda: asyncio.get_running_loop().create_future())
    came_back: asyncio.Future[tuple[str, str, str | None]] = field(
        default_factory=lambda: asyncio.get_running_loop().create_future()
    )
    state: str = ""

    def send(self, address: str) -> None:
        """Send the user to the server's page. Raises ``PalimpsestError`` if its address is not a web page, or the user
        was sent before."""
        if self.address.done():
            raise needs_sign_in(self.name)
        parts = urlsplit(address)
        if parts.scheme not in ("http", "https"):
            raise fail("auth", "tools.mcp.sign_in_failed", detail=f"sign-in at {parts.scheme}:")
        self.state = parse_qs(parts.query).get("state", [""])[0]
        self.address.set_result(address)
        self.sent()

    @property
    def awaited_at(self) -> str:
        """The address where the user was sent to sign in, until the user has returned."""
        there = self.address.done() and not self.address.cancelled() and not self.came_back.done()
        return self.address.result() if there else ""

    def give_up(self) -> None:
        for future in (self.address, self.came_back):
            future.cancel()


async def provider_for(
    store: SignInStore, server_id: str, url: str, pending: PendingSignIn | None, name: str
) -> OAuthClientProvider | None:
    """An object that authenticates the requests; ``None`` if no one has signed in or is signing in."""
    kept = await store.read(server_id, url)
    registered = _registered_for(kept)
    if pending is None and kept.tokens is None:
        return None
    if pending is not None and registered not in (None, pending.back_to):
        await store.forget(server_id)  # a client registered with another return address is not accepted with this one
    from mcp.client.auth import OAuthClientProvider
    from mcp.shared.auth import AuthorizationCodeResult, OAuthClientMetadata
    from pydantic import AnyUrl

    back_to = pending.back_to if pending else registered or f"http://127.0.0.1{SIGNED_IN_PATH}"
    metadata = OAuthClientMetadata(
        client_name=CLIENT_NAME,
        redirect_uris=[AnyUrl(back_to)],
        grant_types=["authorization_code", "refresh_token"],
        response_types=["code"],
    )

    async def send(address: str) -> None:
        if pending is None:
            raise needs_sign_in(name)
        pending.send(address)

    async def wait() -> AuthorizationCodeResult:
        if pending is None:
            raise needs_sign_in(name)
        async with asyncio.timeout(SECONDS):
            code, state, issuer = await pending.came_back
        return AuthorizationCodeResult(code=code, state=state, iss=issuer)

    return OAuthClientProvider(url, metadata, _Storage(store, server_id, url), send, wait)


def _registered_for(kept: _Kept) -> str | None:
    uris = (kept.client or {}).get("redirect_uris")
    return str(uris[0]) if isinstance(uris, list) and uris else None


def needs_sign_in(name: str) -> PalimpsestError:
    return fail("auth", "tools.mcp.sign_in_needed", server=name)
