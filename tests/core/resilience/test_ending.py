from __future__ import annotations

import asyncio

import pytest

from core.resilience.ending import end


async def test_a_task_that_lost_its_cancel_is_cancelled_again_and_one_that_raises_has_ended() -> None:
    began = [asyncio.Event() for _ in range(3)]

    async def deaf() -> None:
        began[0].set()
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            await asyncio.Event().wait()

    async def broken() -> None:
        began[1].set()
        try:
            await asyncio.Event().wait()
        finally:
            raise ValueError("theirs")

    async def orderly() -> None:
        began[2].set()
        await asyncio.Event().wait()

    tasks = [asyncio.create_task(each()) for each in (deaf, broken, orderly)]
    for each in began:
        await each.wait()
    async with asyncio.timeout(10):
        await end(tasks, 0.05)
    assert [task.cancelled() for task in tasks] == [True, False, True]
    with pytest.raises(ValueError, match="theirs"):
        await tasks[1]
    await end([], 0.05)
