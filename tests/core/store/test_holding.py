from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import suppress
from pathlib import Path

import pytest

from core.store.holding import Holder
from core.store.lease import LeaseLostError, refuse_late_write
from core.store.sqlite.truth import SqliteTruth
from core.store.truth import Change, Collection, Filter, Json
from tests.service.house import until


@pytest.fixture
async def rows(tmp_path: Path) -> AsyncIterator[Collection]:
    truth = SqliteTruth(tmp_path / "truth.sqlite", seconds=10.0)
    await truth.start()
    yield truth.collection("work")
    await truth.stop()


@pytest.fixture(autouse=True)
def _often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("core.store.holding.TIMES", 3_000)


def holder(owner: str) -> Holder:
    return Holder(owner, 30.0, time.time)


async def test_who_is_alive_keeps_it_for_longer_than_a_hold_lasts_until_it_is_left(
    rows: Collection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("core.store.holding.TIMES", 20)
    seconds, kept = 2.0, False
    async with Holder("one", seconds, time.time).holding(rows, "it") as held:
        assert held
        first = (await rows.find())[0]["lease_until"]

        async def is_prolonged() -> bool:
            return float(str((await rows.find())[0]["lease_until"])) > float(str(first)) + seconds + 0.1

        await until(is_prolonged, seconds=20)
        refuse_late_write()
        async with holder("other").holding(rows, "it") as had:
            assert not had
        kept = True
    assert kept
    async with holder("other").holding(rows, "it") as had:
        assert had
    assert await rows.count(holder("third").left()) == 0


async def test_whose_it_is_no_more_writes_nothing_and_takes_nothing_from_the_next(rows: Collection) -> None:
    ended = False
    async with holder("one").holding(rows, "it"):
        await rows.update("it", Change(set={"lease_owner": "other"}))

        async def is_refused() -> bool:
            try:
                refuse_late_write()
            except LeaseLostError:
                return True
            return False

        await until(is_refused, seconds=10)
        refuse_late_write()
        ended = True
    assert not ended, "the block is left at its next write"
    assert [row["lease_owner"] for row in await rows.find()] == ["other"]
    refuse_late_write()


async def test_what_fails_within_is_left_to_the_next(rows: Collection) -> None:
    with pytest.raises(ConnectionError):
        async with holder("one").holding(rows, "it"):
            raise ConnectionError("power")
    async with holder("other").holding(rows, "it") as held:
        assert held


async def test_what_is_held_is_left_though_it_was_being_prolonged_and_that_lost_its_cancel(
    rows: Collection, monkeypatch: pytest.MonkeyPatch
) -> None:
    prolonging, update = asyncio.Event(), rows.update

    async def deaf(id: str, change: Change, *, where: Filter | None = None) -> Json | None:
        if prolonging.is_set():
            return await update(id, change, where=where)
        prolonging.set()
        with suppress(asyncio.CancelledError):
            await asyncio.Event().wait()
        return {"_id": id}

    monkeypatch.setattr(rows, "update", deaf)
    async with asyncio.timeout(30):
        async with holder("one").holding(rows, "it"):
            await prolonging.wait()
    assert (await rows.find())[0]["lease_owner"] is None
