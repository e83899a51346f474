"""In front of everything: nobody enters without a session when people log in, and no upload is served back."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from pages.identity import Identity

OPEN = ("/login", "/health", "/page/")


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
