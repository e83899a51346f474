"""Tests a kill at any step of an outcome or a promotion: the next process loses nothing and counts nothing twice."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import pytest

from core.clock import DAY
from core.memory.lifecycle.promotion import LEASE_SECONDS
from core.records.memory_meta import Tier
from core.store.items import Status
from tests.faults import learning
from tests.faults.conftest import Kill
from tests.faults.learning import ANSWER, FEEDBACK, PROMOTION, STEPS, Life, memory
from tests.faults.runner import USER
from tests.replaying import replay

Live = Callable[[float], Awaitable[Life]]


@pytest.fixture
async def next_life(home: Path) -> AsyncIterator[Live]:
    lives: list[Life] = []

    async def begin(now: float) -> Life:
        lives.append(Life(home, now))
        await lives[-1].start()
        return lives[-1]

    yield begin
    for life in lives:
        await life.stop()


async def stats(life: Life) -> list[tuple[float, int, int, int]]:
    """Returns score, uses, and the counts of "worked" and "failed" for each of the three memories."""
    items = [await life.items.get(USER, memory(number, "working").id) for number in (1, 2, 3)]
    return [
        (item.stats.score, item.stats.uses, item.stats.worked_count, item.stats.failed_count) for item in items if item
    ]


WORKED, FAILED, UNTOUCHED = (0.7, 1, 1, 0), (0.2, 1, 0, 1), (0.5, 0, 0, 0)


async def assert_learned(life: Life, rate: float) -> None:
    (advice,) = await life.routing.recommend(USER, ["pump", "reset"])
    assert (advice.uses, advice.success_rate) == (1, rate)
    (tally,) = await life.truth.collection("memory_actions").find()
    assert (tally["worked"], tally["failed"]) == (int(rate), 1 - int(rate))
    assert await life.learning.sweep() == 0


@pytest.mark.parametrize("moment", FEEDBACK)
async def test_killed_in_a_feedback(moment: str, home: Path, kill: Kill, next_life: Live) -> None:
    await kill(learning.feedback, home, moment)
    life = await next_life(200.0)
    said = moment != "nothing is written"
    await life.outcomes.resume()
    assert await stats(life) == ([WORKED, WORKED, UNTOUCHED] if said else [FAILED] * 3)
    await life.learning.sweep()
    await life.learning.settle()
    await assert_learned(life, 1.0 if said else 0.0)
    assert [each.applied for each in await life.outcomes.of_answer(USER, ANSWER)] == [True] * (1 + said)
    assert await life.outcomes.resume() == 0

    # A client that got no confirmation sends its report again.
    again = await life.outcomes.record(USER, ANSWER, "worked", used=[1, 2])
    assert again.ignored == ("same as before" if said else None)
    assert await stats(life) == [WORKED, WORKED, UNTOUCHED]
    assert len(await life.lessons.of_answer(USER, ANSWER)) == 2


PLACES: dict[int, tuple[Tier, Status]] = {
    1: ("patterns", "active"),
    2: ("working", "archived"),
    3: ("history", "archived"),
    4: ("patterns", "active"),
    5: ("memory_bank", "archived"),
    6: ("memory_bank", "active"),
    7: ("memory_bank", "active"),
}


@pytest.mark.parametrize("moment", PROMOTION)
async def test_killed_in_a_promotion(moment: str, home: Path, kill: Kill, next_life: Live) -> None:
    await kill(learning.promote, home, moment)
    life = await next_life(3 * DAY + LEASE_SECONDS + 60)
    report = await life.promotion.run(USER)
    assert not report.busy
    items = {number: await life.items.get(USER, memory(number, "working").id) for number in PLACES}
    assert {number: (item.tier, item.status) for number, item in items.items() if item} == PLACES
    told = await life.promotion.transitions(USER)
    assert len(told) == STEPS
    assert all(each.done for each in told)
    assert replay(told) == {memory(number, "working").id: PLACES[number] for number in (1, 2, 3, 5)}
    assert (await life.promotion.run(USER)).transitions == []
    await life.items.repair()
    assert await life.truth.collection("items").count({"synced": False}) == 0
