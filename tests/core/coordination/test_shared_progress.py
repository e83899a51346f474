from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from core.coordination.shared_progress import KEPT_SECONDS, SharedProgress
from tests.core.coordination.conftest import Connect
from tests.redis_server import RedisServer
from tests.service.house import until


@pytest.fixture
async def telling(connect: Connect) -> AsyncIterator[SharedProgress]:
    progress = SharedProgress(connect())
    await progress.start()
    yield progress
    await progress.stop()


async def knows(progress: SharedProgress, expected: dict[str, str]) -> None:
    async def is_told() -> bool:
        return await progress.of(["run_a", "run_b", "run_c"]) == expected

    await until(is_told, f"{expected} is told", 10)


async def test_what_one_process_tells_last_of_a_run_the_others_know_until_it_is_over(
    telling: SharedProgress, connect: Connect
) -> None:
    other = SharedProgress(connect())
    for done in range(50):
        telling.tell("run_a", str(done))
    telling.tell("run_b", "1")
    await knows(other, {"run_a": "49", "run_b": "1"})
    telling.tell("run_a", None)
    await knows(other, {"run_b": "1"})
    assert await other.of([]) == {}


async def test_it_stands_under_the_key_of_its_task_for_a_minute(telling: SharedProgress, redis: RedisServer) -> None:
    telling.tell("run_a", "1")
    await knows(telling, {"run_a": "1"})
    assert redis.client.keys("*") == [b"task:progress:run_a"]
    assert 0 < redis.client.ttl("task:progress:run_a") <= KEPT_SECONDS == 60


async def test_while_redis_is_away_nothing_is_known_and_then_what_is_told_again(
    telling: SharedProgress, redis: RedisServer
) -> None:
    telling.tell("run_a", "1")
    await knows(telling, {"run_a": "1"})
    redis.kill()
    telling.tell("run_a", "2")
    assert await telling.of(["run_a"]) == {}
    redis.start()

    async def is_told() -> bool:
        telling.tell("run_a", "3")
        return await telling.of(["run_a"]) == {"run_a": "3"}

    await until(is_told, "it is told again", 10)
