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
    """An empty Redis that runs, whatever the previous test did to it."""
    if server.stopped:
        server.start()
    server.client.flushall()
    return server


Connect = Callable[[], RedisConnection]


@pytest.fixture
async def connect(redis: RedisServer) -> AsyncIterator[Connect]:
    """Connections as in different processes; after a failure the circuit breaker opens briefly."""
    made: list[RedisConnection] = []

    def another() -> RedisConnection:
        dependency = Dependency("Redis", 0.3, CircuitBreaker(failures=2, cooldown=0.0))
        made.append(RedisConnection(redis.url, dependency))
        return made[-1]

    yield another
    for each in made:
        await each.close()
