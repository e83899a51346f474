"""Tests maintenance rounds of several processes that share a Redis: a process that works on jobs does each round for
all of them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack

import pytest

from core.coordination.dispatch import Dispatch
from core.runs.shared_round import EVERYONE, SharedRound
from tests.core.coordination.conftest import Connect
from tests.redis_server import RedisServer
from tests.service.house import until


class Process:
    """A process that takes part in maintenance; ``done`` lists the users for whom it did the work."""

    def __init__(self, connect: Connect | None, workers: int, apart: float = 0.0, until_done: bool = False) -> None:
        self.dispatch = Dispatch(connect(), "house", "upkeep") if connect else None
        self.done: list[str] = []
        self.fails = False
        self.round = SharedRound("upkeep", self._work, self.dispatch, workers, apart, until_done=until_done)

    def held_up(self) -> tuple[asyncio.Event, asyncio.Event]:
        """Makes the work wait. Returns two events: the first is set when the work has begun; set the second to let it
        continue."""
        begun, go_on = asyncio.Event(), asyncio.Event()

        async def work(whose: str) -> None:
            self.done.append(whose)
            begun.set()
            await go_on.wait()

        self.round._work = work
        return begun, go_on

    async def did(self, *whose: str) -> bool:
        return self.done == list(whose)

    async def _work(self, whose: str) -> None:
        self.done.append(whose)
        if self.fails:
            raise OSError("the truth is away")


Open = Callable[..., Process]


@pytest.fixture
async def process(connect: Connect) -> AsyncIterator[Open]:
    async with AsyncExitStack() as stack:

        def another(workers: int, apart: float = 0.0, until_done: bool = False) -> Process:
            made = Process(connect, workers, apart, until_done)
            assert made.dispatch
            stack.push_async_callback(made.dispatch.close)
            stack.push_async_callback(made.round.stop)
            return made

        yield another


async def test_a_worker_does_what_is_due_at_a_server(process: Open) -> None:
    server, worker = process(0), process(1)
    await server.round.start()
    await worker.round.start()
    await server.round.due("ada")
    await until(lambda: worker.did("ada"))
    assert server.done == []


async def test_what_fails_at_a_worker_does_not_end_its_rounds(process: Open) -> None:
    server, worker = process(0), process(1)
    await worker.round.start()
    worker.fails = True
    await server.round.due("ada")
    await until(lambda: worker.did("ada"))
    worker.fails = False
    await server.round.due("ben")
    await until(lambda: worker.did("ada", "ben"))


async def test_who_finds_that_nobody_took_the_last_round_does_it(process: Open) -> None:
    server = process(0)
    await server.round.start()
    await server.round.due()
    assert server.done == []
    await server.round.due("ben")
    assert server.done == ["ben"]


async def test_what_is_due_everywhere_at_the_same_time_is_done_once(process: Open) -> None:
    servers, worker = [process(0, apart=60.0) for _ in range(3)], process(1, apart=60.0)
    await worker.round.start()
    for each in (*servers, worker):
        await each.round.due()
    await until(lambda: worker.did(EVERYONE))
    assert [each.done for each in servers] == [[], [], []]
    assert await worker.dispatch.untold() == 0  # type: ignore[union-attr]


async def test_while_one_works_for_a_person_nobody_else_does_and_who_asks_is_told_so(process: Open) -> None:
    server, one, other = (process(workers, apart=60.0, until_done=True) for workers in (0, 1, 1))
    begun, go_on = one.held_up()
    await one.round.start()
    assert await server.round.due("ada")
    await begun.wait()
    await other.round.start()
    assert not await server.round.due("ada")
    assert not await other.round.due("ada")
    assert await server.round.due("ben")
    await until(lambda: other.did("ben"))
    go_on.set()

    async def has_ended() -> bool:
        return await server.round.due("ada")

    await until(has_ended)
    assert one.done + other.done in (["ada", "ben"], ["ada", "ada", "ben"], ["ada", "ben", "ada"])


async def test_a_round_that_failed_may_be_begun_again_at_once(process: Open) -> None:
    alone = process(0, apart=60.0, until_done=True)
    await process(0).round.due("unheard")
    alone.fails = True
    for _ in range(2):
        with pytest.raises(OSError, match="away"):
            await alone.round.due("ada")


async def test_a_worker_that_drains_takes_no_round_and_does_none(process: Open) -> None:
    server, draining = process(0), process(1)
    await draining.round.start()
    await draining.round.drain()
    await server.round.due("ada")
    await draining.round.due("ben")
    other = process(1)
    await other.round.start()
    await until(lambda: other.did("ada", "ben"))
    assert draining.done == []


async def test_a_round_that_a_worker_was_told_of_as_it_drained_is_done_by_another(process: Open) -> None:
    server, draining, other = process(0), process(1), process(1)
    begun, go_on = draining.held_up()
    await draining.round.start()
    here = asyncio.create_task(draining.round.due("ada"))
    await begun.wait()
    here_too = asyncio.create_task(draining.round._when_told("ben"))
    await asyncio.sleep(0)
    await draining.round.drain()
    assert draining.done == ["ada"], "what is being done goes on"
    go_on.set()
    await asyncio.gather(here, here_too)
    await other.round.start()
    await until(lambda: other.did("ben"))
    assert (draining.done, server.done) == (["ada"], [])


async def test_a_round_that_is_being_done_ends_with_its_process(process: Open) -> None:
    begun, ended = asyncio.Event(), asyncio.Event()
    server, worker = process(0), process(1)

    async def work(_: str) -> None:
        begun.set()
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()

    worker.round._work = work
    await worker.round.start()
    await server.round.due("ada")
    await begun.wait()
    await worker.round.stop()
    assert ended.is_set()


async def test_without_redis_each_does_it_itself(process: Open, redis: RedisServer) -> None:
    server = process(0, apart=60.0)
    redis.kill()
    await server.round.due("ada")
    assert server.done == ["ada"]


async def test_one_process_alone_is_told_what_failed() -> None:
    alone = Process(None, 1)
    alone.fails = True
    with pytest.raises(OSError, match="away"):
        await alone.round.due()


async def test_rounds_of_one_process_do_not_overlap(process: Open) -> None:
    at_once: list[int] = []

    async def work(_: str) -> None:
        at_once.append(1)
        await asyncio.sleep(0)
        assert at_once == [1]
        at_once.clear()

    here = SharedRound("upkeep", work, None, 1)
    await asyncio.gather(here.due(), here.due())
