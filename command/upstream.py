"""Keeps the connection of ``palimpsest mcp`` to the server that holds the data directory, and reconnects when it is
lost.

The MCP client requires that the same task opens and closes the connection; other tasks wait until it is open.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import httpx2
from mcp import Client
from mcp.client.session import ClientRequestContext
from mcp.client.streamable_http import streamable_http_client
from mcp_types import ElicitRequestParams, ElicitResult, Implementation
from mcp_types.version import LATEST_MODERN_VERSION

from command.client import CONNECTING, owner_headers
from command.reaching import answers, reached
from core.settings import Settings
from core.store.data_directory import Holder, find_holder
from core.words import Language

log = logging.getLogger(__name__)

PATH = "/mcp"
Opened = asyncio.Future[tuple[Holder, Client, Client]]
"""The server's address, a client that can show forms to the user, and a client that cannot."""


class Upstream:
    """The connection to the server. ``keep`` must run as long as connections are needed."""

    def __init__(self, settings: Settings, user: str, language: Language) -> None:
        self._settings = settings
        self._user = user
        self._language = language
        self._program: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        self._opened: Opened | None = None
        self._wanted = asyncio.Event()
        self._lost = asyncio.Event()

    async def client(self, program: str, asking: bool) -> Client:
        """A connected client on behalf of ``program``. With ``asking``, the client declares that it can show forms to
        the user. Raises the error that prevented the connection."""
        if not self._program.done():
            self._program.set_result(program)
        holder, able, silent = await asyncio.shield(self.wanted())
        if find_holder(self._settings.folder) != holder or not await answers(holder):
            self._give_up(holder)
            _, able, silent = await asyncio.shield(self.wanted())
        return able if asking else silent

    def wanted(self) -> Opened:
        """The open connection, or the one that ``keep`` opens now."""
        if self._opened is None:
            self._opened = asyncio.get_running_loop().create_future()
            self._wanted.set()
        return self._opened

    async def keep(self) -> None:
        """Open a connection when one is needed, and hold it until it is lost."""
        while True:
            await self._wanted.wait()
            self._wanted.clear()
            self._lost.clear()
            opened = self.wanted()
            try:
                async with reached(self._settings, lasting=True) as holder, self._clients(holder) as clients:
                    opened.set_result((holder, *clients))
                    await self._lost.wait()
            except Exception as error:
                log.warning("the connection to the workbench was lost", exc_info=True)
                if not opened.done():
                    opened.set_exception(error)
                    opened.exception()  # Waiting callers get the error. If none wait, asyncio must not warn about it.
            if self._opened is opened:
                self._opened = None

    @asynccontextmanager
    async def _clients(self, holder: Holder) -> AsyncIterator[tuple[Client, Client]]:
        """A client that can show forms to the user, and one that cannot."""
        about = Implementation(name=await self._program, version="")
        headers = owner_headers(holder, self._user, self._language)
        timeout = httpx2.Timeout(None, connect=CONNECTING)
        async with httpx2.AsyncClient(headers=headers, timeout=timeout, trust_env=False) as http:

            def client(asking: bool) -> Client:
                return Client(
                    streamable_http_client(holder.address + PATH, http_client=http, max_sse_event_size=None),
                    mode=LATEST_MODERN_VERSION,
                    client_info=about,
                    cache=None,
                    elicitation_callback=_never if asking else None,
                )

            async with client(asking=True) as able, client(asking=False) as silent:
                yield able, silent

    def _give_up(self, holder: Holder) -> None:
        """Drop the open connection, because it no longer works; another caller may have done so already."""
        if self._opened is not None and self._opened.done() and self._opened.result()[0] == holder:
            self._opened = None
            self._lost.set()


async def _never(context: ClientRequestContext, params: ElicitRequestParams) -> ElicitResult:
    """Never called: forms arrive as results, which are passed on. It only declares that forms are supported."""
    return ElicitResult(action="cancel")
