"""The MCP SDK's own server behind a test sign-in that accepts every user, to test sign-in to remote tool servers."""

from __future__ import annotations

import asyncio
import secrets
import socket
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field

import uvicorn
from mcp.server.auth.provider import (
    AccessToken,
    AuthorizationCode,
    AuthorizationParams,
    RefreshToken,
    construct_redirect_uri,
)
from mcp.server.auth.settings import AuthSettings, ClientRegistrationOptions
from mcp.server.mcpserver import MCPServer
from mcp.shared.auth import OAuthClientInformationFull, OAuthToken
from pydantic import AnyHttpUrl


@dataclass
class Doorkeeper:
    """The test sign-in. ``hold``: seconds for which an access token is valid; ``registered``: clients that have
    registered."""

    hold: int = 3600
    registered: dict[str, OAuthClientInformationFull] = field(default_factory=dict)
    codes: dict[str, AuthorizationCode] = field(default_factory=dict)
    access: dict[str, AccessToken] = field(default_factory=dict)
    refresh: dict[str, RefreshToken] = field(default_factory=dict)
    refreshed: int = 0

    async def get_client(self, client_id: str) -> OAuthClientInformationFull | None:
        return self.registered.get(client_id)

    async def register_client(self, client_info: OAuthClientInformationFull) -> None:
        assert client_info.client_id
        self.registered[client_info.client_id] = client_info

    async def authorize(self, client: OAuthClientInformationFull, params: AuthorizationParams) -> str:
        code = secrets.token_urlsafe(24)
        assert client.client_id
        self.codes[code] = AuthorizationCode(
            code=code, scopes=params.scopes or [], expires_at=time.time() + 60, client_id=client.client_id,
            code_challenge=params.code_challenge, redirect_uri=params.redirect_uri, resource=params.resource,
            redirect_uri_provided_explicitly=params.redirect_uri_provided_explicitly,
        )  # fmt: skip
        return construct_redirect_uri(str(params.redirect_uri), code=code, state=params.state)

    async def load_authorization_code(self, client: object, authorization_code: str) -> AuthorizationCode | None:
        return self.codes.get(authorization_code)

    async def exchange_authorization_code(self, client: object, code: AuthorizationCode) -> OAuthToken:
        del self.codes[code.code]
        return self._issue(code.client_id, code.scopes)

    async def load_refresh_token(self, client: object, refresh_token: str) -> RefreshToken | None:
        return self.refresh.get(refresh_token)

    async def exchange_refresh_token(self, client: object, token: RefreshToken, scopes: list[str]) -> OAuthToken:
        del self.refresh[token.token]
        self.refreshed += 1
        return self._issue(token.client_id, token.scopes)

    async def load_access_token(self, token: str) -> AccessToken | None:
        found = self.access.get(token)
        return found if found and found.expires_at and found.expires_at > time.time() else None

    async def revoke_token(self, token: AccessToken | RefreshToken) -> None:
        self.access.pop(token.token, None)
        self.refresh.pop(token.token, None)

    def forget_everybody(self) -> None:
        self.access.clear()
        self.refresh.clear()

    def _issue(self, client_id: str, scopes: list[str]) -> OAuthToken:
        access, refresh = f"canary-access-{secrets.token_hex(8)}", f"canary-refresh-{secrets.token_hex(8)}"
        self.access[access] = AccessToken(
            token=access, client_id=client_id, scopes=scopes, expires_at=int(time.time()) + self.hold + 60
        )
        self.refresh[refresh] = RefreshToken(token=refresh, client_id=client_id, scopes=scopes)
        return OAuthToken(access_token=access, refresh_token=refresh, expires_in=self.hold, scope=" ".join(scopes))


@asynccontextmanager
async def behind_sign_in(door: Doorkeeper, issuer: str | None = None) -> AsyncIterator[str]:
    """Starts a server with one tool, ``whoami``, and yields its address; ``issuer`` is the sign-in address that it
    announces."""
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen(64)
        origin = f"http://127.0.0.1:{listening.getsockname()[1]}"
        auth = AuthSettings(
            issuer_url=AnyHttpUrl(issuer or origin),
            resource_server_url=AnyHttpUrl(f"{origin}/mcp"),
            client_registration_options=ClientRegistrationOptions(enabled=True),
            validate_token_resource=False,
        )
        server = MCPServer("vault", auth_server_provider=door, auth=auth, log_level="ERROR")  # type: ignore[arg-type]

        @server.tool()
        def whoami() -> str:
            """Returns the signed-in user."""
            return "somebody who is let in"

        serving = uvicorn.Server(uvicorn.Config(server.streamable_http_app(), log_level="critical", lifespan="on"))
        serving.install_signal_handlers = lambda: None  # type: ignore[attr-defined]
        task = asyncio.create_task(serving.serve(sockets=[listening]))
        try:
            yield f"{origin}/mcp"
        finally:
            serving.should_exit = serving.force_exit = True
            with suppress(asyncio.CancelledError):
                await task
