"""Signs users in with OpenID Connect: sends them to the provider's page, and identifies them when they return.

It uses the authorization code flow with PKCE (RFC 7636), with a new state and nonce each time (OpenID Connect Core 1.0,
3.1). A token is accepted only if it is signed with the provider's own key, issued for this client, currently valid, and
belongs to this very sign-in.
"""

from __future__ import annotations

import hmac
import json
import logging
import secrets
from collections.abc import Awaitable, Callable, Mapping
from typing import TypeVar
from urllib.parse import urlsplit

import httpx
from authlib.common.errors import AuthlibBaseError
from authlib.integrations.httpx_client import AsyncOAuth2Client
from authlib.oidc.core import CodeIDToken
from joserfc import jwt
from joserfc.errors import JoseError
from joserfc.jwk import KeySet
from pydantic import BaseModel, ValidationError

from core.accounts.names import name_of
from core.accounts.records import SIGN_IN_SECONDS, BegunSignIn, Identified
from core.certificates import trusted
from core.clock import Clock
from core.errors import PalimpsestError, fail
from core.openid_settings import OpenId
from core.resilience.dependencies import Dependency

log = logging.getLogger(__name__)

T = TypeVar("T")
SECONDS = 10.0
"""Timeout in seconds for each of the three requests to the provider."""
LEEWAY = 60
"""Maximum seconds by which the provider's clock may differ."""
SIGNED_BY = ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512")
"""Accepted signature algorithms, whose key only the provider has; unsigned tokens and those signed with a shared secret
are refused."""
NAME = "The sign-in provider"


class _Described(BaseModel):
    """The provider's metadata (OpenID Connect Discovery 1.0)."""

    issuer: str
    authorization_endpoint: str
    token_endpoint: str
    jwks_uri: str


class OpenIdProvider:
    """The OpenID Connect provider whose ``issuer`` is in the settings."""

    def __init__(self, settings: OpenId, clock: Clock) -> None:
        self._settings = settings
        self._issuer = (settings.issuer or "").rstrip("/")
        self._clock = clock
        self._asking = Dependency(NAME, SECONDS)

    @property
    def name(self) -> str:
        """Its display name."""
        return self._settings.name or (urlsplit(self._issuer).hostname or "")

    async def begin(self, back: str) -> tuple[str, BegunSignIn]:
        """The address to which the browser is sent, and the values that must match when it returns to ``back``. Raises
        ``PalimpsestError``."""
        described = await self._described()
        begun = BegunSignIn(
            state=secrets.token_urlsafe(32),
            nonce=secrets.token_urlsafe(32),
            verifier=secrets.token_urlsafe(48),
            at=self._clock(),
        )
        async with self._client(back) as client:
            address, _ = client.create_authorization_url(
                described.authorization_endpoint, state=begun.state, nonce=begun.nonce, code_verifier=begun.verifier
            )
        return str(address), begun

    async def finish(self, begun: BegunSignIn, back: str, returned: Mapping[str, str]) -> Identified:
        """The user who has signed in; ``returned`` are the parameters with which the browser came back.

        Raises:
            PalimpsestError: this is not the sign-in that was begun, the provider refused, or its token is invalid.
        """
        state, now = returned.get("state", ""), self._clock()
        if not hmac.compare_digest(state.encode(), begun.state.encode()) or now - begun.at > SIGN_IN_SECONDS:
            raise _not_believed("the state is another one, or it took too long")
        described = await self._described()
        if returned.get("iss", described.issuer) != described.issuer:
            raise _not_believed("another issuer came back")
        if not returned.get("code"):
            raise fail("auth", "accounts.openid.refused", detail=returned.get("error", "no code"))
        token = await self._asked(lambda: self._redeem(described, back, returned["code"], begun.verifier))
        keys = await self._asked(lambda: _got(described.jwks_uri))
        claims = self._believed(described, str(token.get("id_token", "")), keys, begun.nonce)
        return self.identified(claims)

    def identified(self, claims: Mapping[str, object]) -> Identified:
        """The user that the token's claims identify, according to the settings. Raises ``PalimpsestError`` if a claim
        is missing."""
        wanted = self._settings.user_claim
        name = claims.get(wanted)
        if not isinstance(name, str) or (wanted == "email" and claims.get("email_verified") is not True):
            raise fail("auth", "accounts.openid.nameless", claim=wanted)
        groups, administrators = _groups(claims, self._settings.group_claim), self._settings.administrator_group
        if self._settings.people_group and self._settings.people_group not in groups:
            raise fail("auth", "accounts.openid.not_invited")
        return Identified(
            name=name_of(name),
            subject=json.dumps([self._issuer, str(claims.get("sub", ""))]),
            administrator=administrators in groups if administrators else None,
            org_id=_first(_groups(claims, self._settings.org_claim)) if self._settings.org_claim else None,
        )

    async def _described(self) -> _Described:
        found = await self._asked(lambda: _got(f"{self._issuer}/.well-known/openid-configuration"))
        try:
            described = _Described.model_validate(found)
        except ValidationError as error:
            raise _not_believed("what the provider says of itself is incomplete") from error
        if described.issuer.rstrip("/") != self._issuer:
            raise _not_believed(f"the provider calls itself {described.issuer[:200]}")
        places = (described.authorization_endpoint, described.token_endpoint, described.jwks_uri)
        if any(urlsplit(each).scheme != "https" and _origin(each) != _origin(self._issuer) for each in places):
            raise _not_believed("a part of the provider is reached without encryption")
        return described

    async def _redeem(self, described: _Described, back: str, code: str, verifier: str) -> dict[str, object]:
        async with self._client(back) as client:
            try:
                given = await client.fetch_token(described.token_endpoint, code=code, code_verifier=verifier)
            except AuthlibBaseError as error:
                raise _not_believed(f"{type(error).__name__}: {error}") from error
        return dict(given)

    def _believed(self, described: _Described, token: str, keys: dict[str, object], nonce: str) -> dict[str, object]:
        rules = {
            "iss": {"essential": True, "value": described.issuer},
            "aud": {"essential": True, "value": self._settings.client_id},
        }
        try:
            read = jwt.decode(token, KeySet.import_key_set(keys), algorithms=SIGNED_BY)  # type: ignore[arg-type]
            known = {"nonce": nonce, "client_id": self._settings.client_id}
            claims = CodeIDToken(read.claims, read.header, rules, known)
            claims.validate(now=int(self._clock()), leeway=LEEWAY)
        except (JoseError, AuthlibBaseError, ValueError, KeyError, TypeError) as error:
            raise _not_believed(f"{type(error).__name__}: {error}") from error
        return dict(claims)

    def _client(self, back: str) -> AsyncOAuth2Client:
        secret = self._settings.client_secret
        return AsyncOAuth2Client(
            self._settings.client_id,
            secret.get_secret_value() if secret else None,
            token_endpoint_auth_method="client_secret_basic" if secret else "none",
            scope=" ".join(self._settings.scopes),
            redirect_uri=back,
            code_challenge_method="S256",
        )

    async def _asked(self, call: Callable[[], Awaitable[T]]) -> T:
        try:
            return await self._asking.attempt(call)
        except (httpx.HTTPError, ValueError) as error:
            raise fail("connection", "accounts.openid.away", detail=f"{type(error).__name__}: {error}") from error


async def _got(address: str) -> dict[str, object]:
    """A JSON document from the provider. Raises ``httpx.HTTPError``, ``ValueError``."""
    async with httpx.AsyncClient(verify=trusted()) as client:
        reply = await client.get(address, headers={"Accept": "application/json"})
    found = reply.raise_for_status().json()
    if not isinstance(found, dict):
        raise ValueError("no object")
    return found


def _groups(claims: Mapping[str, object], path: str) -> list[object]:
    """The groups as a list. A claim whose name is the whole path is used before nested claims, whose names are
    separated by dots."""
    found = claims.get(path)
    if found is None:
        found = claims
        for part in path.split("."):
            found = found.get(part) if isinstance(found, Mapping) else None
    return found if isinstance(found, list) else [found]


def _first(groups: list[object]) -> str:
    """The user's group; empty if none is given."""
    return next((each for each in groups if isinstance(each, str)), "")


def _origin(address: str) -> tuple[str, str]:
    parts = urlsplit(address)
    return parts.scheme, parts.netloc


def _not_believed(why: str) -> PalimpsestError:
    log.warning("a sign-in at the provider was not believed: %s", why)
    return fail("auth", "accounts.openid.not_believed", detail=why)
