from __future__ import annotations

import asyncio

import pytest

from core.library.intelligence.giving_way import MOST_GIVEN_UP, GivingWay


class Questions:
    """Simulates users' questions; the test starts and ends each one."""

    def __init__(self) -> None:
        self.busy: set[str] = set()
        self._begun = asyncio.Event()
        self._over = asyncio.Event()
        self._over.set()

    def ask(self) -> None:
        self.busy = {"run"}
        self._over.clear()
        self._begun.set()

    def answer(self) -> None:
        self.busy = set()
        self._begun.clear()
        self._over.set()

    async def quiet(self) -> None:
        await self._over.wait()

    async def begun(self) -> None:
        await self._begun.wait()


class Call:
    """A model call that ends when the test allows it; counts how often it was started and cancelled."""

    def __init__(self) -> None:
        self.made = self.given_up = 0
        self.waiting = asyncio.Event()
        self.gate = asyncio.Event()

    async def __call__(self) -> str:
        self.made += 1
        self.waiting.set()
        try:
            await self.gate.wait()
        except asyncio.CancelledError:
            self.given_up += 1
            raise
        return "said"


async def begun(call: Call) -> None:
    await asyncio.wait_for(call.waiting.wait(), 5)
    call.waiting.clear()


async def test_a_call_waits_for_a_question_and_is_given_up_for_one_that_comes() -> None:
    questions, call = Questions(), Call()
    questions.ask()
    task = asyncio.create_task(GivingWay(questions, lambda: True).make(call))
    await asyncio.sleep(0)
    assert call.made == 0
    questions.answer()
    await begun(call)
    questions.ask()
    await asyncio.sleep(0.01)
    assert (call.made, call.given_up) == (1, 1)
    questions.answer()
    await begun(call)
    call.gate.set()
    assert await task == "said"
    assert call.made == 2


async def test_where_calls_run_side_by_side_none_is_given_up() -> None:
    questions, call = Questions(), Call()
    task = asyncio.create_task(GivingWay(questions, lambda: False).make(call))
    await begun(call)
    questions.ask()
    call.gate.set()
    assert await task == "said"
    assert (call.made, call.given_up) == (1, 0)


async def test_in_the_end_a_call_is_made_beside_the_questions() -> None:
    questions, call = Questions(), Call()
    task = asyncio.create_task(GivingWay(questions, lambda: True).make(call))
    for _ in range(MOST_GIVEN_UP):
        await begun(call)
        questions.ask()
        await asyncio.sleep(0.01)
        questions.answer()
    await begun(call)
    questions.ask()
    call.gate.set()
    assert await task == "said"
    assert (call.made, call.given_up) == (MOST_GIVEN_UP + 1, MOST_GIVEN_UP)


async def test_whoever_is_stopped_leaves_no_call_behind() -> None:
    questions, call = Questions(), Call()
    task = asyncio.create_task(GivingWay(questions, lambda: True).make(call))
    await begun(call)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert call.given_up == 1


async def test_what_a_call_raises_is_raised() -> None:
    async def fail() -> str:
        raise ConnectionError("gone")

    with pytest.raises(ConnectionError):
        await GivingWay(Questions(), lambda: True).make(fail)
