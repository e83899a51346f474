"""A local OpenID Connect provider that signs with RS256 and can be made to send false claims.

async with OpenIdProvider.serving() as provider:
    back = await provider.follow(address)  # the parameters with which the user's browser would return
"""

from __future__ import annotations

import asyncio
import base64
import hashlib
import secrets
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from typing import Any, Self
from urllib.parse import parse_qs, parse_qsl, unquote, urlencode, urlsplit

from joserfc import jwt
from joserfc.jwk import OctKey, RSAKey

from tests.servers.local import LocalServer, Reply, Request, json_reply

CLIENT, SECRET = "workbench", "canary-openid-secret"
Claims = dict[str, Any]


@dataclass
class OpenIdProvider:
    """``about``: the user whom it signs in; ``lie``: changes the claims; ``sign``: replaces the function that signs the
    token."""

    about: Claims = field(default_factory=lambda: {"sub": "1001", "preferred_username": "dana"})
    lie: Callable[[Claims], Claims] = lambda claims: claims
    sign: Callable[[Self, Claims], str] | None = None
    key: RSAKey = field(default_factory=lambda: RSAKey.generate_key(2048, {"kid": "one", "use": "sig"}))
    issuer: str = ""
    describes: Claims = field(default_factory=dict)
    codes: dict[str, dict[str, str]] = field(default_factory=dict)
    redeemed: list[Request] = field(default_factory=list)

    @classmethod
    @asynccontextmanager
    async def serving(cls) -> AsyncIterator[Self]:
        made = cls()
        async with LocalServer(responder=made._reply) as server:
            made.issuer = server.url
            yield made

    @classmethod
    @contextmanager
    def serving_aside(cls) -> Iterator[Self]:
        """Serves from a separate thread, for tests that are not coroutines."""
        made = cls()
        with LocalServer(responder=made._reply) as server:
            made.issuer = server.url
            yield made

    def follow(self, address: str) -> dict[str, str]:
        """Signs the user in at the address; returns the parameters with which the user's browser comes back."""
        asked = dict(parse_qsl(urlsplit(address).query))
        assert asked["response_type"] == "code"
        assert asked["code_challenge_method"] == "S256"
        code = secrets.token_urlsafe(8)
        self.codes[code] = asked
        return {"code": code, "state": asked["state"]}

    def signed(self, claims: Claims, key: RSAKey | None = None) -> str:
        return jwt.encode({"alg": "RS256", "kid": "one"}, claims, key or self.key)

    def unsigned(self, claims: Claims) -> str:
        return jwt.encode({"alg": "none", "kid": "one"}, claims, OctKey.import_key("x"), algorithms=["none"])

    def signed_with_its_public_key(self, claims: Claims) -> str:
        """Signs the token with the provider's public key as if it were a shared secret (a known attack)."""
        shared = OctKey.import_key(self.key.as_pem(private=False), {"kid": "one"})
        return jwt.encode({"alg": "HS256", "kid": "one"}, claims, shared, algorithms=["HS256"])

    def _reply(self, request: Request) -> Reply:
        if request.path.startswith("/authorize?"):
            return _sent_back(self, f"{self.issuer}{request.path}")
        match request.path:
            case "/.well-known/openid-configuration":
                known = {
                    "issuer": self.issuer,
                    "authorization_endpoint": f"{self.issuer}/authorize",
                    "token_endpoint": f"{self.issuer}/token",
                    "jwks_uri": f"{self.issuer}/keys",
                }
                return json_reply({**known, **self.describes})
            case "/keys":
                return json_reply({"keys": [self.key.as_dict(private=False)]})
            case "/token":
                return self._redeem(request)
        return json_reply({}, 404)

    def _redeem(self, request: Request) -> Reply:
        self.redeemed.append(request)
        given = {name: values[0] for name, values in parse_qs(request.body).items()}
        asked = self.codes.pop(given.get("code", ""), None)
        digest = hashlib.sha256(given.get("code_verifier", "").encode()).digest()
        challenge = base64.urlsafe_b64encode(digest).rstrip(b"=").decode()
        known = base64.b64encode(f"{CLIENT}:{SECRET}".encode()).decode()
        authorized = unquote(request.headers.get("authorization", "")) == f"Basic {known}"
        if not asked or not authorized or challenge != asked["code_challenge"]:
            return json_reply({"error": "invalid_grant"}, 400)
        if given["redirect_uri"] != asked["redirect_uri"]:
            return json_reply({"error": "invalid_grant"}, 400)
        now = int(time.time())
        ours = {"iss": self.issuer, "aud": CLIENT, "iat": now, "exp": now + 300, "nonce": asked["nonce"]}
        claims = self.lie({**ours, **self.about})
        token = (self.sign or OpenIdProvider.signed)(self, claims)
        return json_reply({"access_token": "canary-access", "token_type": "Bearer", "id_token": token})


def _sent_back(provider: OpenIdProvider, address: str) -> Reply:
    """Signs the user in without any input and sends the browser back to the address that the client gave."""
    back = dict(parse_qsl(urlsplit(address).query))["redirect_uri"]
    place = f"{back}?{urlencode(provider.follow(address))}"

    async def reply(writer: asyncio.StreamWriter) -> None:
        head = f"HTTP/1.1 302 X\r\nLocation: {place}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
        writer.write(head.encode())
        await writer.drain()

    return reply
