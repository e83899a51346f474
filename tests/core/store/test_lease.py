from __future__ import annotations

import asyncio

import pytest

from core.store.lease import Lease, LeaseLostError, refuse_late_write, writing_under
from core.store.scope import ScopedTruth
from core.store.sqlite.truth import SqliteTruth
from core.store.truth import Change, Upsert

ROW = {"_id": "one", "user_id": "ada", "said": 1}


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


def test_it_lasts_from_when_it_was_asked_for_and_not_from_when_it_was_granted() -> None:
    clock = Clock()
    lease = Lease(10.0, clock)
    granted = lease.asked_again()
    clock.now += 9.0
    granted()
    clock.now += 0.9
    assert lease.held
    clock.now += 0.1
    assert not lease.held


def test_what_is_not_granted_prolongs_nothing_and_what_is_lost_is_over_at_once() -> None:
    clock = Clock()
    lease = Lease(10.0, clock)
    clock.now += 9.0
    lease.asked_again()
    clock.now += 1.0
    assert not lease.held
    another = Lease(10.0, clock)
    another.lose()
    assert not another.held


@pytest.mark.parametrize("write", ["insert_many", "upsert", "update", "update_where", "bulk", "delete"])
async def test_once_it_is_over_no_write_to_anybodys_records_goes_through(truth: SqliteTruth, write: str) -> None:
    clock, scoped = Clock(), ScopedTruth(truth, "ada").collection("notes")
    await scoped.insert_many([ROW])
    changed = Change(set={"said": 2})
    given = {
        "insert_many": ([{**ROW, "_id": "other"}],),
        "upsert": ({**ROW, "said": 2},),
        "update": ("one", changed),
        "update_where": ({"said": 1}, changed),
        "bulk": ([Upsert({**ROW, "said": 2})],),
        "delete": ({"said": 1},),
    }[write]
    with writing_under(Lease(10.0, clock)):
        clock.now += 10.0
        with pytest.raises(LeaseLostError):
            await getattr(scoped, write)(*given)
    assert [row["said"] for row in await truth.collection("notes").find()] == [1]
    await getattr(scoped, write)(*given)


async def test_tasks_that_are_begun_under_it_are_held_to_it_and_others_are_not() -> None:
    lease = Lease(10.0)
    lease.lose()

    async def write() -> None:
        refuse_late_write()

    with writing_under(lease):
        within = asyncio.create_task(write())
    await write()
    await asyncio.gather(within, return_exceptions=True)
    assert within.cancelled(), "it ends like a cancelled one"
