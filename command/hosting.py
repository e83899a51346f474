"""Serves the workbench inside a command: settings and a free port -> the server's address."""

from __future__ import annotations

import asyncio
import contextlib
import socket
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager

import uvicorn

from core.errors import fail
from core.settings import Settings
from core.store.data_directory import DataDirectoryLock

LOOPBACK = "127.0.0.1"
LEAVING = 30
"""Seconds that other commands using this server have to finish before it ends."""
STEP = 0.05


class _Server(uvicorn.Server):
    """A server that lets the command handle signals, and reports when it accepts connections."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.ready = asyncio.Event()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self.ready.set()

    async def wait_for_disconnects(self, seconds: float) -> None:
        """Wait until no one is connected, at most ``seconds``."""
        for _ in range(round(seconds / STEP)):
            if not self.server_state.connections:
                return
            await asyncio.sleep(STEP)

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


@asynccontextmanager
async def hosted(settings: Settings, lock: DataDirectoryLock, *, with_pages: bool, passing: bool) -> AsyncIterator[str]:
    """Serve only on this machine; later commands are given the server's address. ``with_pages``: use the port in the
    settings if it is free, so that a browser finds the pages. ``passing``: this server runs only during the command;
    it waits a short time before it ends, because another command may have received its address but not called it
    yet.

    Raises:
        PalimpsestError: the workbench did not start; the log says why.
    """
    listening = _bound(settings.port if with_pages else 0)
    address = f"http://{LOOPBACK}:{listening.getsockname()[1]}"
    from app import create_app
    from pages.security.slow_headers import patient_protocol

    app = await asyncio.to_thread(create_app, settings, lock.token, with_pages=with_pages)
    config = uvicorn.Config(
        app,
        http=patient_protocol(settings.uploads),
        log_level="warning",
        log_config=None,
        timeout_graceful_shutdown=LEAVING,
        proxy_headers=False,
    )
    server = _Server(config)
    serving = asyncio.create_task(server.serve([listening]))
    ready = asyncio.create_task(server.ready.wait())
    try:
        await asyncio.wait([serving, ready], return_when=asyncio.FIRST_COMPLETED)
        if not server.started:
            raise fail("server", "command.not_started")
        lock.announce(address, passing=passing)
        yield address
        if passing:
            await server.wait_for_disconnects(LEAVING)
    finally:
        server.should_exit = True
        ready.cancel()
        await asyncio.gather(serving, ready, return_exceptions=True)
        listening.close()


def _bound(port: int) -> socket.socket:
    """A socket on this machine at the given port, or at any free port if that one is taken."""
    for wanted in (port, 0):
        listening = socket.socket()
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listening.bind((LOOPBACK, wanted))
        except OSError:
            listening.close()
            if not wanted:
                raise
            continue
        return listening
    raise fail("server", "command.not_started")
