"""Manages the only connection to Redis, with a deadline for each call and a circuit breaker."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from core.errors import PalimpsestError
from core.resilience.dependencies import CircuitBreaker, Dependency, Observer
from core.settings import Settings, without_secrets

if TYPE_CHECKING:
    from redis.asyncio import ConnectionPool
    from redis.asyncio import Redis as Client
    from redis.asyncio.client import PubSub

log = logging.getLogger(__name__)

T = TypeVar("T")
NAME = "Redis"


@dataclass(frozen=True)
class RedisState:
    """Redis' memory settings. ``limit``: maximum bytes, 0 for unlimited; ``policy``: what it evicts when they are used
    up."""

    version: str
    limit: int
    policy: str


class RedisConnection:
    """Connects at the first call, and automatically again after the connection was lost."""

    def __init__(self, url: str, dependency: Dependency) -> None:
        self.url = url
        self._dependency = dependency
        self._client: Client | None = None

    @property
    def address(self) -> str:
        """The address in a form that may be displayed."""
        return without_secrets(self.url)

    @property
    def pool(self) -> ConnectionPool:
        """A connection pool for another library's client, which shares our settings."""
        return self._connected().connection_pool

    async def attempt(self, call: Callable[[Client], Awaitable[T]]) -> T:
        """The result of ``call`` with the client.

        Raises:
            PalimpsestError: the circuit breaker is open after failures ("connection"), or Redis did not answer in time
            ("timeout").
            Exception: any error of the client.
        """
        with no_lost_cancel():
            return await self._dependency.attempt(lambda: call(self._connected()))

    async def try_to(self, call: Callable[[Client], Awaitable[T]], otherwise: T) -> T:
        """As :meth:`attempt`, but returns ``otherwise`` on failure, which is logged."""
        try:
            return await self.attempt(call)
        except Exception as error:
            # Every call fails while the circuit breaker is open; only the first failures are logged.
            told = isinstance(error, PalimpsestError) and error.problem.category == "connection"
            log.log(logging.DEBUG if told else logging.WARNING, "Redis was passed by: %s", error)
            return otherwise

    @asynccontextmanager
    async def listening(self, channel: str) -> AsyncIterator[PubSub]:
        """Subscribe to a channel from now on. Only the subscription itself has a deadline.

        Raises:
            PalimpsestError: as :meth:`attempt`.
        """
        heard = self._connected().pubsub()
        try:
            with no_lost_cancel():
                await self._dependency.attempt(lambda: heard.subscribe(channel))
            yield heard
        finally:
            await heard.aclose()  # type: ignore[no-untyped-call]

    async def answers(self) -> bool:
        """Whether Redis is available now."""
        return await self.try_to(_ping, otherwise=False)

    async def state(self) -> RedisState:
        """Redis' report about its memory. Raises as :meth:`attempt`."""
        told = await self.attempt(_info)
        return RedisState(
            str(told.get("redis_version", "")), int(told.get("maxmemory", 0)), str(told.get("maxmemory_policy", ""))
        )

    async def close(self) -> None:
        if self._client is not None:
            await self._client.aclose()

    def _connected(self) -> Client:
        if self._client is None:
            from redis.asyncio import Redis
            from redis.asyncio.retry import Retry
            from redis.backoff import NoBackoff

            # One retry: if Redis was restarted while a connection was idle, this is noticed only at its next use.
            once_more = Retry(NoBackoff(), retries=1)
            self._client = Redis.from_url(self.url, socket_timeout=self._dependency.seconds, retry=once_more)
        return self._client


async def _info(client: Client) -> dict[str, Any]:
    told: dict[str, Any] = await client.info()
    return told


async def _ping(client: Client) -> bool:
    return bool(await client.ping())


@contextmanager
def no_lost_cancel() -> Iterator[None]:
    """Raises ``CancelledError`` after a call if the task was cancelled during it. Python 3.11's ``wait_for``, which
    redis-py uses for sending, loses a cancellation that arrives as it returns."""
    before = _cancels()
    yield
    if _cancels() > before:
        raise asyncio.CancelledError


def _cancels() -> int:
    task = asyncio.current_task()
    return task.cancelling() if task else 0


def open_redis(settings: Settings, observe: Observer) -> RedisConnection | None:
    """The Redis connection of the settings; nothing is called yet."""
    if settings.redis.url is None:
        return None
    breaker = CircuitBreaker.of(settings.breakers)
    dependency = Dependency(NAME, settings.redis.seconds, breaker, observe)
    return RedisConnection(settings.redis.url.get_secret_value(), dependency)
