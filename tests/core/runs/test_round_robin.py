from __future__ import annotations

from core.runs.round_robin import SECONDS, RoundRobin
from core.store.sqlite.truth import SqliteTruth
from core.store.truth import Collection, Filter


class Slow:
    """A collection in which looking up the waiting users takes ``seconds`` on the test's clock."""

    def __init__(self, rows: Collection, clock, seconds: float) -> None:
        self.rows, self.clock, self.seconds = rows, clock, seconds
        self.asked = 0

    async def count(self, filter: Filter | None = None) -> int:
        return await self.rows.count(filter)

    async def count_by(self, field: str, filter: Filter | None = None) -> dict[str, int]:
        self.asked += 1
        self.clock.now += self.seconds
        return await self.rows.count_by(field, filter)


async def asked_in_a_minute(truth: SqliteTruth, clock, seconds: float) -> int:
    rows = truth.collection("jobs")
    await rows.insert_many([{"_id": each, "user_id": each, "due": 5.0} for each in ("ada", "bob")])
    slow = Slow(rows, clock, seconds)
    turns = RoundRobin(slow, clock)
    ends = clock() + 60
    while clock() < ends:
        assert set((await turns.next({}))["user_id"]["$in"]) == {"ada", "bob"}
        clock.now += 0.1
    return slow.asked


async def test_who_waits_is_asked_each_second_where_that_is_soon_known(truth: SqliteTruth, clock) -> None:
    assert await asked_in_a_minute(truth, clock, 0.001) >= 60 / SECONDS * 0.8


async def test_where_it_takes_long_to_learn_who_waits_little_of_the_time_is_spent_on_it(
    truth: SqliteTruth, clock
) -> None:
    assert 2 <= await asked_in_a_minute(truth, clock, 1.0) <= 4


async def test_what_somebody_asked_for_goes_first_as_soon_as_it_is_known(truth: SqliteTruth, clock) -> None:
    rows = truth.collection("jobs")
    turns = RoundRobin(rows, clock)
    await rows.insert_many([{"_id": "job", "user_id": "ada", "due": 5.0}])
    assert await turns.next({}) == {}
    await rows.insert_many([{"_id": "asked for", "user_id": "ada", "due": -5.0}])
    clock.now += SECONDS
    assert await turns.next({}) == {"due": {"$lt": 0}}
