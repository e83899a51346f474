"""taskiq's list of messages in Redis, which notices that the connection is dead: the library's own waits for ever."""

from __future__ import annotations

from collections.abc import AsyncGenerator

from redis.asyncio import Redis
from taskiq_redis import ListQueueBroker

from core.coordination.redis import no_lost_cancel

PATIENCE = 2.0
"""Seconds that one look for a message takes; then the next one tries the connection."""
ANSWER = 2.0
"""Seconds in which Redis must say after that look that there is none."""


class MessageList(ListQueueBroker):
    """Whoever takes a message has it; no other process is told."""

    def __init__(self, url: str, queue_name: str) -> None:
        super().__init__(url, queue_name=queue_name, socket_timeout=PATIENCE + ANSWER)

    async def listen(self) -> AsyncGenerator[bytes, None]:
        async with Redis(connection_pool=self.connection_pool) as client:
            while True:
                with no_lost_cancel():
                    found = await client.brpop([self.queue_name], timeout=PATIENCE)
                if found and isinstance(found[1], bytes):
                    yield found[1]
