from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable

import pytest

from core.coordination.announcements import MISSED, Announcements
from tests.core.coordination.conftest import Connect
from tests.redis_server import RedisServer
from tests.service.house import until

Start = Callable[[str], Awaitable[Announcements]]


@pytest.fixture
async def process(connect: Connect) -> AsyncIterator[Start]:
    """Returns the announcement channel of a process with this name, already subscribed."""
    started: list[Announcements] = []

    async def start(name: str) -> Announcements:
        each = Announcements(connect(), name)
        await each.start()
        started.append(each)
        async with asyncio.timeout(10):
            await each.hearing.wait()
        return each

    yield start
    for each in started:
        await each.stop()


def heard_by(process: Announcements) -> list[str]:
    heard: list[str] = []
    process.listen("runs", heard.append)
    return heard


async def test_what_one_tells_all_others_hear_and_it_does_not_itself(process: Start) -> None:
    one, other, third = [await process(name) for name in ("one", "other", "third")]
    at_one, at_other, at_third = heard_by(one), heard_by(other), heard_by(third)
    one.tell("runs", "run_a")
    one.tell("changed", "settings")
    other.tell("runs", "run_b")

    async def everybody_has() -> bool:
        return at_one == ["run_b"] and "run_a" in at_other and sorted(at_third) == ["run_a", "run_b"]

    await until(everybody_has, seconds=5)
    assert at_other == ["run_a"]


async def test_when_redis_is_back_listeners_are_told_that_they_may_have_missed_something(
    process: Start, redis: RedisServer
) -> None:
    one, other = await process("one"), await process("other")
    heard = heard_by(other)
    redis.kill()

    async def is_deaf() -> bool:
        return not one.hearing.is_set() and not other.hearing.is_set()

    await until(is_deaf, "the loss is noticed", seconds=20)
    one.tell("runs", "run_lost")
    redis.start()
    async with asyncio.timeout(20):
        await one.hearing.wait()
        await other.hearing.wait()
    assert heard == [MISSED]
    one.tell("runs", "run_a")

    async def has_it() -> bool:
        return heard == [MISSED, "run_a"]

    await until(has_it, seconds=5)


async def test_a_redis_that_hangs_is_noticed(process: Start, redis: RedisServer, monkeypatch) -> None:
    monkeypatch.setattr("core.coordination.announcements.PATIENCE", 0.1)
    one = await process("one")
    redis.freeze()

    async def is_deaf() -> bool:
        return not one.hearing.is_set()

    await until(is_deaf, seconds=20)
    redis.thaw()
    async with asyncio.timeout(20):
        await one.hearing.wait()


async def test_a_listener_that_fails_keeps_nobody_else_from_hearing(process: Start) -> None:
    one, other = await process("one"), await process("other")

    def fail(key: str) -> None:
        raise RuntimeError(key)

    other.listen("runs", fail)
    heard = heard_by(other)
    one.tell("runs", "run_a")

    async def has_it() -> bool:
        return heard == ["run_a"]

    await until(has_it, seconds=5)


async def test_without_redis_telling_does_nothing() -> None:
    alone = Announcements(None, "one")
    await alone.start()
    alone.tell("runs", "run_a")
    assert not alone._untold
    await alone.stop()
