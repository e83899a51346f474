from __future__ import annotations

from limits import RateLimitItemPerMinute

from core.coordination.rate_windows import RateWindows
from tests.core.coordination.conftest import Connect
from tests.redis_server import RedisServer

THREE = RateLimitItemPerMinute(3)


async def admitted(windows: RateWindows, times: int = 1, name: str = "ada") -> list[bool]:
    return [await windows.seconds_to_wait(THREE, "user", name) == 0 for _ in range(times)]


async def test_all_processes_count_together(connect: Connect) -> None:
    one, other = RateWindows(connect()), RateWindows(connect())
    assert await admitted(one, 2) == [True, True]
    assert await admitted(other, 2) == [True, False]
    assert await admitted(other, name="noa") == [True]


async def test_who_is_refused_is_told_when_to_come_again(connect: Connect) -> None:
    windows = RateWindows(connect())
    await admitted(windows, 3)
    assert 1 <= await windows.seconds_to_wait(THREE, "user", "ada") <= 61


async def test_what_is_refused_does_not_count(connect: Connect, redis: RedisServer) -> None:
    one, other = RateWindows(connect()), RateWindows(connect())
    await admitted(one, 3)
    assert await admitted(other, 5) == [False] * 5
    redis.client.flushall()
    assert await admitted(other, 4) == [True, True, True, False]


async def test_a_redis_that_is_gone_or_was_emptied_lets_nobody_do_more_than_one_process_would(
    connect: Connect, redis: RedisServer
) -> None:
    windows = RateWindows(connect())
    assert await admitted(windows, 2) == [True, True]
    redis.kill()
    assert await admitted(windows, 2) == [True, False]
    redis.start()
    assert await admitted(windows) == [False], "empty, but this process remembers"
    assert await admitted(windows, name="noa") == [True]
    assert await admitted(RateWindows(connect()), 3, name="noa") == [True, True, False], "counted together again"


async def test_without_redis_a_process_counts_for_itself() -> None:
    assert await admitted(RateWindows(), 4) == [True, True, True, False]
