"""Tests that a monthly spending limit holds for simultaneous model calls, for several processes, and when one of them
dies."""

from __future__ import annotations

import asyncio

import pytest

from core.errors import PalimpsestError
from core.models.meter import Reservation, paid_by
from core.runs.spending import COLLECTION, Spending
from core.settings import Settings
from core.store.truth import Truth

LIMIT = 1.0
NOVEMBER = 1_795_000_000.0


class Time:
    now = NOVEMBER

    def __call__(self) -> float:
        return self.now


async def opened(truth: Truth, clock: Time, limit: float | None = LIMIT) -> Spending:
    """Opens the spending records as a separate process would."""
    spending = Spending(truth, Settings(_env_file=None, model_spending=limit), clock)  # type: ignore[call-arg]
    await spending.ensure()
    return spending


async def reserved(spending: Spending, expected: float | None, seconds: float = 60.0) -> Reservation | None:
    with paid_by("ada"):
        return await spending.reserve(expected, seconds)


async def test_of_calls_at_the_same_time_only_those_pass_that_the_limit_holds(truth: Truth) -> None:
    clock = Time()
    here, there = await opened(truth, clock), await opened(truth, clock)
    asked = [reserved(each, 0.1) for _ in range(10) for each in (here, there)]
    ended = await asyncio.gather(*asked, return_exceptions=True)
    held = [each for each in ended if isinstance(each, Reservation)]
    refused = [each for each in ended if isinstance(each, PalimpsestError)]
    assert (len(held), len(refused)) == (10, 10)
    assert {each.problem.category for each in refused} == {"rate_limit"}
    await asyncio.gather(*(here.settle(each, 0.05) for each in held))
    assert (await there.of("ada")).cost == pytest.approx(0.5)
    assert await reserved(there, 0.5)
    with pytest.raises(PalimpsestError):
        await reserved(here, 0.01)


async def test_what_a_dead_process_had_set_aside_comes_back(truth: Truth) -> None:
    clock = Time()
    dead, alive = await opened(truth, clock), await opened(truth, clock)
    assert await reserved(dead, 0.9, seconds=240.0)
    with pytest.raises(PalimpsestError):
        await reserved(alive, 0.2)
    clock.now += 241.0
    held = await reserved(alive, 0.9)
    row = await truth.collection(COLLECTION).get("ada:2026-11")
    assert held
    assert row
    assert list(row["held"]) == [held.key], "what is void is kept no longer"


async def test_who_settles_late_pays_all_the_same(truth: Truth) -> None:
    clock = Time()
    spending = await opened(truth, clock)
    held = await reserved(spending, 0.1, seconds=1.0)
    clock.now += 40 * 86_400.0
    await spending.settle(held, 0.7)
    assert (await spending.of("ada")).cost == 0.0, "another month has begun"
    clock.now = NOVEMBER
    assert (await spending.of("ada")).cost == pytest.approx(0.7)


async def test_a_sum_of_an_earlier_version_is_gone_on_with(truth: Truth) -> None:
    rows = truth.collection(COLLECTION)
    await rows.ensure()
    await rows.insert_many([{"_id": "ada:2026-11", "user_id": "ada", "month": "2026-11", "cost": 0.8}])
    spending = await opened(truth, Time())
    with pytest.raises(PalimpsestError):
        await reserved(spending, 0.3)
    await spending.settle(await reserved(spending, 0.2), 0.1)
    assert (await spending.of("ada")).cost == pytest.approx(0.9)


@pytest.mark.parametrize("expected", [None, 0.0])
async def test_what_has_no_price_is_refused_only_beyond_the_limit(truth: Truth, expected: float | None) -> None:
    spending = await opened(truth, Time())
    assert await reserved(spending, expected) is None
    await spending.settle(await reserved(spending, LIMIT), LIMIT)
    with pytest.raises(PalimpsestError):
        await reserved(spending, expected)


async def test_without_a_limit_nothing_is_set_aside_and_all_is_added(truth: Truth) -> None:
    spending = await opened(truth, Time(), limit=None)
    assert await reserved(spending, 1e9) is None
    with paid_by("ada"):
        await spending.settle(None, 12.5)
    assert (await spending.of("ada")).cost == 12.5
