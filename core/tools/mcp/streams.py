"""Wraps a connection's messages in both directions: slows down a server that floods, and notices its end."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from typing import TypeAlias

import anyio
from mcp.client._transport import TransportStreams as Streams
from mcp.shared.message import SessionMessage

Received: TypeAlias = SessionMessage | Exception
MOST_A_SECOND = 500
"""Most messages of one server per second; further ones wait, and block their writer."""

__all__ = ["Received", "Streams", "metered"]


@asynccontextmanager
async def metered(
    transport: AbstractAsyncContextManager[Streams],
    seen: Callable[[SessionMessage], None],
    ended: Callable[[Exception | None], None],
) -> AsyncIterator[Streams]:
    """``seen`` gets each message before it is read; ``ended`` is called after the last one, with the last error."""
    async with transport as (read, write):
        incoming, passed = anyio.create_memory_object_stream[Received](0)

        async def pump() -> None:
            began, count, wrong = time.monotonic(), 0, None
            with suppress(anyio.BrokenResourceError, anyio.ClosedResourceError):
                async with incoming:
                    try:
                        async for each in read:
                            wrong = each if isinstance(each, Exception) else None
                            if isinstance(each, SessionMessage):
                                seen(each)
                            await incoming.send(each)
                            count += 1
                            if count >= MOST_A_SECOND:
                                await asyncio.sleep(max(0.0, began + 1 - time.monotonic()))
                                began, count = time.monotonic(), 0
                    finally:
                        ended(wrong)  # before a waiting caller gets the error

        async with anyio.create_task_group() as tasks:
            tasks.start_soon(pump)
            try:
                yield passed, write
            finally:
                tasks.cancel_scope.cancel()
                await passed.aclose()
