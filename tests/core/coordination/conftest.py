from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator

import pytest

from core.coordination.redis import RedisConnection
from core.resilience.dependencies import CircuitBreaker, Dependency
from tests.redis_server import RedisServer, running_redis


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RedisServer]:
    with running_redis(tmp_path_factory.mktemp("redis")) as running:
        yield running


@pytest.fixture
def redis(server: RedisServer) -> RedisServer:
    """A running, empty Redis; it is restarted if the previous test stopped it."""
    if server.stopped:
        server.start()
    server.client.flushall()
    return server


Connect = Callable[[], RedisConnection]


@pytest.fixture
async def connect(redis: RedisServer) -> AsyncIterator[Connect]:
    """Opens connections as different processes do; after a failure their circuit breakers open only briefly."""
    made: list[RedisConnection] = []

    def another() -> RedisConnection:
        dependency = Dependency("Redis", 0.3, CircuitBreaker(failures=2, cooldown=0.0))
        made.append(RedisConnection(redis.url, dependency))
        return made[-1]

    yield another
    for each in made:
        await each.close()
