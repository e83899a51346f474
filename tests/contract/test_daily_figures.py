"""Tests that daily usage figures add up in both record stores, whichever process writes them, and that old ones are
deleted."""

from __future__ import annotations

import asyncio

import pytest

from core.operations.figures.daily import DailyFigures
from core.operations.figures.figures import Figures
from core.store.truth import Truth

DAY = 86_400.0


class Clock:
    now = 1_000 * DAY

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
async def daily(truth: Truth, clock: Clock) -> DailyFigures:
    daily = DailyFigures(truth, clock, days=10)
    await daily.ensure()
    return daily


def some(seconds: float = 1.2) -> Figures:
    figures = Figures()
    figures.time("stage:searching", seconds)
    figures.count("outcomes:answered", 2)
    figures.count("model:cost", 0.25)
    return figures


async def test_what_several_processes_count_adds_up(daily: DailyFigures, truth: Truth, clock: Clock) -> None:
    other = DailyFigures(truth, clock, days=10)
    await asyncio.gather(*(each.add(some(), None) for each in (daily, other) for _ in range(4)))
    [day] = await other.last(7, None)
    assert day.figures.of("outcomes") == {"answered": 16}
    assert day.figures.of("model") == {"cost": 2.0}
    assert day.figures.time_of("stage:searching") == _observed(8, 1.2)


def _observed(times: int, seconds: float) -> object:
    figures = Figures()
    for _ in range(times):
        figures.time("x", seconds)
    found = figures.time_of("x")
    return found.model_copy(update={"total": pytest.approx(times * seconds)})


async def test_people_have_their_own(daily: DailyFigures) -> None:
    await daily.add(some(), "ada")
    await daily.add(Figures(), "bob")
    assert [each.figures.of("outcomes") for each in await daily.last(7, "ada")] == [{"answered": 2}]
    assert await daily.last(7, "bob") == []
    assert await daily.last(7, None) == []


async def test_days_stand_in_their_order_and_old_ones_go(daily: DailyFigures, clock: Clock) -> None:
    for bytes in range(12):
        await daily.add(some(), None)
        await daily.note_bytes(bytes)
        clock.now += DAY
    clock.now -= DAY
    assert [each.bytes for each in await daily.last(3, None)] == [9.0, 10.0, 11.0]
    await daily.compact()
    assert [each.bytes for each in await daily.last(100, None)] == [float(bytes) for bytes in range(2, 12)]
