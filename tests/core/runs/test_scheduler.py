from __future__ import annotations

import asyncio

import pytest

from core.runs.scheduler import Scheduler


async def test_the_scheduler_works_first_and_then_sleeps() -> None:
    worked: list[str] = []
    asleep = asyncio.Event()

    async def work() -> None:
        worked.append("work")

    async def wait(called: asyncio.Event, seconds: float) -> None:
        assert seconds == 60.0
        worked.append("sleep")
        asleep.set()
        await called.wait()

    scheduler = Scheduler("promotion", work, 60.0, wait)
    await scheduler.start()
    await asleep.wait()
    assert worked == ["work", "sleep"]
    asleep.clear()
    scheduler.call()
    await asleep.wait()
    assert worked == ["work", "sleep", "work", "sleep"]
    await scheduler.stop()


async def test_the_first_round_waits_until_it_is_due_or_called() -> None:
    waited: list[float] = []
    working = asyncio.Event()

    async def work() -> None:
        working.set()

    async def wait(called: asyncio.Event, seconds: float) -> None:
        waited.append(seconds)
        await called.wait()

    scheduler = Scheduler("promotion", work, 60.0, wait, first=20.0)
    await scheduler.start()
    for _ in range(5):
        await asyncio.sleep(0)
    assert (waited, working.is_set()) == ([20.0], False)
    scheduler.call()
    await asyncio.wait_for(working.wait(), 30)
    await scheduler.stop()


async def test_the_scheduler_survives_work_that_fails() -> None:
    rounds = asyncio.Queue[int]()

    async def work() -> None:
        rounds.put_nowait(1)
        raise ConnectionError("away")

    scheduler = Scheduler("promotion", work, 1e-3)
    await scheduler.start()
    for _ in range(3):
        await asyncio.wait_for(rounds.get(), 30)
    await scheduler.stop()


async def test_stopping_ends_work_that_fails_on_being_cancelled() -> None:
    working = asyncio.Event()

    async def work() -> None:
        working.set()
        try:
            await asyncio.Event().wait()
        finally:
            raise ConnectionError("away")

    scheduler = Scheduler("promotion", work, 3600.0)
    await scheduler.start()
    await working.wait()
    await asyncio.wait_for(scheduler.stop(), 30)


@pytest.mark.parametrize("ticks", range(8))
async def test_stopping_ends_a_scheduler_that_has_just_been_called(ticks: int) -> None:
    async def work() -> None:
        await asyncio.sleep(0)

    scheduler = Scheduler("promotion", work, 3600.0)
    await scheduler.start()
    for _ in range(5):
        await asyncio.sleep(0)
    scheduler.call()
    for _ in range(ticks):
        await asyncio.sleep(0)
    await asyncio.wait_for(scheduler.stop(), 30)


async def test_what_is_called_for_soon_after_a_round_waits_for_the_next() -> None:
    begun = asyncio.Queue[float]()

    async def work() -> None:
        begun.put_nowait(asyncio.get_running_loop().time())

    scheduler = Scheduler("knowledge", work, 3600.0, apart=0.05)
    await scheduler.start()
    first = await asyncio.wait_for(begun.get(), 30)
    for _ in range(3):
        scheduler.call()
        await asyncio.sleep(0)
    assert await asyncio.wait_for(begun.get(), 30) - first >= 0.05
    await scheduler.stop()
    assert begun.empty()
