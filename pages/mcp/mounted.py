"""Serves MCP at ``/mcp`` as streamable HTTP behind the pages' authentication. The protocol's package is imported at its
first use.

The import takes half a second of processor time, for which the start of the pages should not wait.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from starlette.requests import Request
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from core.workbench import Workbench
from pages.actions import Actions

if TYPE_CHECKING:
    from mcp.server.streamable_http_manager import StreamableHTTPSessionManager

log = logging.getLogger(__name__)

PATH = "/mcp"


class MountedServer:
    """An ASGI application that accepts requests only while ``running`` is active."""

    def __init__(self, workbench: Workbench, actions: Actions) -> None:
        self._build: Callable[[], StreamableHTTPSessionManager] = lambda: _manager(workbench, actions)
        self._wanted = asyncio.Event()
        self._ended = asyncio.Event()

    @property
    def route(self) -> Route:
        return Route(PATH, endpoint=self)

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Keeps the server running during the application's lifespan; a separate task opens and closes sessions."""
        self._ready: asyncio.Future[StreamableHTTPSessionManager] = asyncio.get_running_loop().create_future()
        task = asyncio.create_task(self._serve())
        try:
            yield
        finally:
            self._ended.set()
            self._wanted.set()
            await asyncio.gather(task, return_exceptions=True)

    async def _serve(self) -> None:
        await self._wanted.wait()
        if self._ended.is_set():
            return
        try:
            manager = await asyncio.to_thread(self._build)
            async with manager.run():
                self._ready.set_result(manager)
                await self._ended.wait()
        except Exception as error:
            log.exception("the MCP server ended")
            if not self._ready.done():
                self._ready.set_exception(error)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self._wanted.set()
        manager = await asyncio.shield(self._ready)
        scope["user"] = _principal(Request(scope))
        await manager.asgi_app(scope, receive, send)


def _principal(request: Request) -> object:
    """The session's owner. Another user who knows the session's id cannot use it."""
    from mcp.server.auth.middleware.bearer_auth import AuthenticatedUser
    from mcp.server.auth.provider import AccessToken

    return AuthenticatedUser(AccessToken(token="", client_id=request.state.caller.user_id, scopes=[]))


def _manager(workbench: Workbench, actions: Actions) -> StreamableHTTPSessionManager:
    from mcp.server.streamable_http_manager import StreamableHTTPSessionManager

    from pages.mcp.server import build_server

    most = workbench.settings.limits.largest_file_bytes * 4 // 3 + 1024 * 1024
    return StreamableHTTPSessionManager(build_server(workbench, actions), max_request_body_size=most)
