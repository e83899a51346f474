"""Notifies one free process of a waiting job: *a kind, a job's id* → a free process looks up which job is next.

taskiq carries the messages over a list in Redis. Only the record store decides which jobs wait, which one is next and
which process has it. So a message may be lost, duplicated or late. Lost messages are noticed when no messages are left,
and sent again.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator, Awaitable, Callable
from functools import partial

from redis.asyncio import Redis as Client
from taskiq.kicker import AsyncKicker
from taskiq.receiver import Receiver
from taskiq_redis import ListQueueBroker

from core.coordination.redis import RedisConnection, no_lost_cancel

log = logging.getLogger(__name__)

Do = Callable[[str], Awaitable[None]]
"""A function that is called for a message; it returns when this process has done a job, or there was none."""
SECONDS_APART = 1.0
"""Seconds between two attempts to receive messages again."""
PATIENCE = 2.0
"""Seconds that one wait for a message takes; then the next one tests the connection."""
ANSWER = 2.0
"""Seconds within which Redis must report after that wait that there is no message."""


class MessageList(ListQueueBroker):
    """taskiq's list of messages in Redis, with detection of dead connections; the library's own list waits forever. A
    message is delivered to only one process."""

    def __init__(self, url: str, queue_name: str) -> None:
        super().__init__(url, queue_name=queue_name, socket_timeout=PATIENCE + ANSWER)

    async def listen(self) -> AsyncGenerator[bytes, None]:
        async with Client(connection_pool=self.connection_pool) as client:
            while True:
                with no_lost_cancel():
                    found = await client.brpop([self.queue_name], timeout=PATIENCE)
                if found and isinstance(found[1], bytes):
                    yield found[1]


class Dispatch:
    """Dispatches the jobs of one kind. ``truth`` names the record store that has them, because several may share one
    Redis."""

    def __init__(self, redis: RedisConnection, truth: str, kind: str) -> None:
        self._redis = redis
        self._queue = f"jobs:v1:{truth}:{kind}"
        self._task_name = f"jobs.{kind}"
        self._broker = MessageList(redis.url, self._queue)

    async def tell(self, job_id: str) -> bool:
        """Whether a worker will be notified, as far as that can be known."""
        return await self._redis.try_to(partial(self._send, job_id), otherwise=False)

    async def first_within(self, seconds: float, whose: str = "") -> bool:
        """Whether this is the first call for this person within this many seconds, in any process, or the first since
        ``end_span``; also true if Redis is unavailable."""
        return await self._redis.try_to(partial(self._begin_span, seconds, whose), otherwise=True)

    async def end_span(self, whose: str = "") -> None:
        await self._redis.try_to(partial(self._end_span, whose), otherwise=None)

    async def untold(self) -> int | None:
        """The number of messages that no process has taken; ``None`` if Redis is unavailable."""
        return await self._redis.try_to(self._count, None)

    async def listen(self, do: Do, at_once: int) -> None:
        """Receive messages until cancelled; at most ``at_once`` jobs run in parallel."""
        while True:
            try:
                await self._receive(do, at_once)
                return  # it was cancelled, which the library does not always report
            except Exception as error:
                log.info("nothing is heard of jobs: %s", error)
            await asyncio.sleep(SECONDS_APART)

    async def close(self) -> None:
        await self._broker.shutdown()

    async def _send(self, job_id: str, _: Client) -> bool:
        kicker: AsyncKicker[[str], None] = AsyncKicker(self._task_name, self._broker, labels={})
        await kicker.kiq(job_id)
        return True

    async def _begin_span(self, seconds: float, whose: str, client: Client) -> bool:
        return bool(await client.set(self._span_of(whose), 1, nx=True, px=round(seconds * 1000)))

    async def _end_span(self, whose: str, client: Client) -> None:
        await client.delete(self._span_of(whose))

    def _span_of(self, whose: str) -> str:
        return f"{self._queue}:span:{whose}"

    async def _count(self, client: Client) -> int:
        return int(await client.llen(self._queue))

    async def _receive(self, do: Do, at_once: int) -> None:
        async def begin(job_id: str) -> None:
            await do(job_id)

        self._broker.register_task(begin, task_name=self._task_name)
        receiver = Receiver(self._broker, max_async_tasks=at_once, run_startup=False)
        await receiver.listen(asyncio.Event())
