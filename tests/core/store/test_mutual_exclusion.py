from __future__ import annotations

import asyncio
import time

import pytest

from core.errors import PalimpsestError
from core.store.holding import Holder
from core.store.lease import refuse_late_write
from core.store.mutual_exclusion import MutualExclusion
from core.store.truth import Change, Truth
from tests.service.house import until


def turns(truth: Truth, owner: str | None, lease: float = 30.0, seconds: float = 20.0) -> MutualExclusion:
    return MutualExclusion(truth, "turns", Holder(owner, lease, time.time) if owner else None, seconds)


class Work:
    """A task that counts how many calls are running at the same time; each call runs until ``leave`` is set."""

    def __init__(self) -> None:
        self.inside, self.most, self.begun = 0, 0, 0
        self.leave = asyncio.Event()

    async def __call__(self) -> int:
        self.begun += 1
        self.inside += 1
        self.most = max(self.most, self.inside)
        try:
            await self.leave.wait()
            await asyncio.sleep(0)
        finally:
            self.inside -= 1
        return self.begun

    async def is_begun(self) -> bool:
        return self.begun > 0


@pytest.mark.parametrize("owners", [("one", "other"), (None, None)], ids=["processes", "one process"])
async def test_of_one_user_one_is_at_it_at_a_time(truth: Truth, owners: tuple[str | None, str | None]) -> None:
    work, one = Work(), turns(truth, owners[0])
    other = turns(truth, owners[1]) if owners[1] else one
    both = [asyncio.create_task(each.run("ada", work)) for each in (one, other, one, other)]
    await until(work.is_begun)
    await asyncio.sleep(0.3)
    assert work.begun == 1
    work.leave.set()
    assert sorted(await asyncio.gather(*both)) == [1, 2, 3, 4]
    assert work.most == 1


async def test_users_do_not_wait_for_each_other(truth: Truth) -> None:
    held, free = Work(), Work()
    one, free.leave = turns(truth, "one"), asyncio.Event()
    waiting = asyncio.create_task(one.run("ada", held))
    await until(held.is_begun)
    free.leave.set()
    assert await one.run("ben", free) == 1
    held.leave.set()
    assert await waiting == 1


async def test_who_does_not_leave_is_not_waited_for_for_ever(truth: Truth) -> None:
    work = Work()
    waiting = asyncio.create_task(turns(truth, "one").run("ada", work))
    await until(work.is_begun)
    with pytest.raises(PalimpsestError) as caught:
        await turns(truth, "other", seconds=0.2).run("ada", work)
    assert caught.value.problem.category == "timeout"
    work.leave.set()
    assert await waiting == 1


async def test_what_was_lost_in_its_middle_is_begun_anew_when_its_turn_comes(
    truth: Truth, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("core.store.holding.TIMES", 3_000)
    rows, begun = truth.collection("turns"), 0

    async def work() -> str:
        nonlocal begun
        begun += 1
        if begun > 1:
            return "done"
        await rows.update_where({}, Change(set={"lease_owner": "other", "lease_until": time.time() + 0.5}))
        while True:
            refuse_late_write()
            await asyncio.sleep(0.01)

    assert await turns(truth, "one").run("ada", work) == "done"
    assert begun == 2


async def test_what_was_done_stays_done_though_it_could_not_be_left(
    truth: Truth, monkeypatch: pytest.MonkeyPatch
) -> None:
    work = Work()
    work.leave.set()

    async def away(*_: object, **__: object) -> None:
        raise ConnectionError

    monkeypatch.setattr("core.store.scope.ScopedCollection.update", away)
    assert await turns(truth, "one").run("ada", work) == 1
