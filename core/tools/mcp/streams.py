"""Monitors a connection's messages in both directions: slows down a server that sends too many, and notices when it
ends."""

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
"""Maximum number of messages from one server per second; further ones wait, and their sender is blocked."""

__all__ = ["Received", "Streams", "metered"]


@asynccontextmanager
async def metered(
    transport: AbstractAsyncContextManager[Streams],
    seen: Callable[[SessionMessage], None],
    ended: Callable[[Exception | None], None],
) -> AsyncIterator[Streams]:
    """Streams that call ``seen`` with each message before it is read, and ``ended`` after the last one, with the last
    error."""
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
                        ended(wrong)  # notify before a waiting caller gets the error

        async with anyio.create_task_group() as tasks:
            tasks.start_soon(pump)
            try:
                yield passed, write
            finally:
                tasks.cancel_scope.cancel()
                await passed.aclose()
