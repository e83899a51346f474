"""Prevents writes to a data directory: this command locks it, or the server that holds it makes it read-only."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Coroutine
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass
from typing import Any, TypeVar

from command.client import Client, http_client
from command.reaching import answers
from core.errors import PalimpsestError
from core.settings import Settings
from core.store.data_directory import find_holder, taken, try_data_directory
from core.words import Language

T = TypeVar("T")

HELD = 30.0
"""Seconds for which a server stays read-only after the last request."""


@dataclass
class Stillness:
    """A read-only data directory. ``client``: a client of the server that holds the directory, if there is one.
    ``moved_to``: where the data was moved, if it was; then that server stays read-only."""

    client: Client | None = None
    moved_to: str = ""

    @property
    def served(self) -> bool:
        return self.client is not None

    async def while_it_lasts(self, work: Coroutine[Any, Any, T]) -> T:
        """The result of ``work``. If the server no longer answers, ``work`` is cancelled and the server's error is
        raised."""
        if self.client is None:
            return await work
        working, asking = asyncio.ensure_future(work), asyncio.ensure_future(self._ask_again(self.client))
        try:
            await asyncio.wait([working, asking], return_when=asyncio.FIRST_COMPLETED)
            if asking.done() and not working.done():
                asking.result()
            return await working
        finally:
            for each in (working, asking):
                each.cancel()
            await asyncio.gather(working, asking, return_exceptions=True)

    async def _ask_again(self, client: Client) -> None:
        while True:
            await asyncio.sleep(HELD / 3)
            await client.call("hold_for_move", seconds=HELD)


@asynccontextmanager
async def holding_still(settings: Settings, language: Language, *, may_be_served: bool) -> AsyncIterator[Stillness]:
    """Keeps the data directory read-only. Raises ``PalimpsestError`` if another process holds it and does not answer,
    or if a server holds it and ``may_be_served`` is false."""
    async with AsyncExitStack() as stack:
        lock = try_data_directory(settings.folder)
        if lock is not None:
            stack.enter_context(lock)
            yield Stillness()
            return
        holder = find_holder(settings.folder)
        if not may_be_served or holder is None or not await answers(holder):
            raise taken(settings.folder)
        client = Client(await stack.enter_async_context(http_client(holder, "", language)))
        still = Stillness(client)
        await client.call("hold_for_move", seconds=HELD)
        try:
            yield still
        finally:
            with suppress(PalimpsestError):
                await client.call("release_after_move", moved_to=still.moved_to)
