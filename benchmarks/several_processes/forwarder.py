"""Forwards a loopback port to another one until the connections are cut or silenced."""

from __future__ import annotations

import asyncio
from typing import Self

BLOCK = 65_536


class Forwarder:
    """Use it as ``async with Forwarder(port) as forwarder: …``. ``forwarder.address`` is the address at which clients
    reach MongoDB through it."""

    def __init__(self, target: int) -> None:
        self._target = target
        self._open: set[asyncio.StreamWriter] = set()
        self._is_cut = False
        self._passing = asyncio.Event()
        self._passing.set()
        self.port = 0

    @property
    def address(self) -> str:
        return f"mongodb://127.0.0.1:{self.port}"

    def cut(self) -> None:
        """Closes all connections, and every new one as soon as it is opened."""
        self._is_cut = True
        for writer in list(self._open):
            writer.transport.abort()

    def silence(self) -> None:
        """Keeps connections and accepts new ones, but holds all data back until it is restored."""
        self._passing.clear()

    def restore(self) -> None:
        self._is_cut = False
        self._passing.set()

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._connected, "127.0.0.1", 0)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *_: object) -> None:
        self._server.close()
        self.cut()
        self._passing.set()

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self._is_cut:
            writer.transport.abort()
            return
        try:
            there, back = await asyncio.open_connection("127.0.0.1", self._target)
        except OSError:
            writer.transport.abort()
            return
        both = (writer, back)
        self._open.update(both)
        try:
            await asyncio.gather(self._pass(reader, back), self._pass(there, writer))
        except (OSError, asyncio.CancelledError):  # the stream's own callback does not expect a cancelled task
            pass
        finally:
            self._open.difference_update(both)
            for each in both:
                each.transport.abort()

    async def _pass(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while block := await reader.read(BLOCK):
            await self._passing.wait()
            writer.write(block)
            await writer.drain()
        writer.close()
