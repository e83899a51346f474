"""Tests that a process that had no contact with the record store for long checks whether a newer version has taken
over, before it reads or writes."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from uuid import uuid4

import pytest
from langgraph.checkpoint.base import empty_checkpoint
from pydantic import SecretStr

from core.settings import Settings
from core.store import checkpoints
from core.store.migrations.stored import FORMAT_NOTED
from core.store.migrations.upgrade import FORMAT
from core.store.mongo import MongoTruth
from core.store.silence import SILENT_SECONDS, Silence
from core.store.truth import Change

THREAD = {"configurable": {"thread_id": "a", "checkpoint_ns": ""}}


class EndedError(BaseException):
    """Raised instead of ending the process."""


class Clock:
    now = 1_000.0

    def __call__(self) -> float:
        return self.now


def end() -> None:
    raise EndedError


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
async def older(mongo_truth: MongoTruth, mongodb_uri: str, clock: Clock) -> AsyncIterator[MongoTruth]:
    """A process of an older version on the database of ``mongo_truth``, which a newer version already uses."""
    await mongo_truth.collection(FORMAT_NOTED).upsert({"_id": "format", "number": FORMAT})
    truth = MongoTruth(mongodb_uri, mongo_truth.database.name, silence=Silence(end, clock))
    await truth.start()
    yield truth
    await truth.stop()


async def test_who_was_silent_while_a_later_version_took_over_writes_nothing_more(
    older: MongoTruth, mongo_truth: MongoTruth, clock: Clock
) -> None:
    rows, there = older.collection("items"), mongo_truth.collection("items")
    await rows.upsert({"_id": "1", "n": 1})
    clock.now += SILENT_SECONDS + 1
    await mongo_truth.collection(FORMAT_NOTED).update("format", Change(set={"number": FORMAT + 1}))
    for late in (
        rows.update("1", Change(set={"n": 2})),
        rows.update_where({}, Change(set={"n": 2})),
        rows.upsert({"_id": "1", "n": 2}),
        rows.insert_many([{"_id": "2"}]),
        rows.delete({"_id": "1"}),
        rows.claim({"_id": "1"}, owner="late", seconds=1.0, now=1.0),
    ):
        with pytest.raises(EndedError):
            await late
    assert await there.find() == [{"_id": "1", "n": 1}]


async def test_who_was_silent_goes_on_where_nobody_took_over(older: MongoTruth, clock: Clock) -> None:
    clock.now += SILENT_SECONDS + 1
    await older.collection("items").upsert({"_id": "1"})
    assert not older._silence.is_long
    assert await older.collection("items").count() == 1


async def test_who_was_silent_lays_down_no_checkpoint_of_the_earlier_version(
    older: MongoTruth, mongo_truth: MongoTruth, mongodb_uri: str, tmp_path: Path, clock: Clock,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.setattr(checkpoints, "Silence", lambda: Silence(end, clock))
    settings = Settings(
        _env_file=None, home=tmp_path, mongodb_uri=SecretStr(mongodb_uri), mongodb_database=mongo_truth.database.name
    )
    async with checkpoints.open_checkpointer(settings) as saver:
        at = await saver.aput(THREAD, empty_checkpoint(), {}, {})  # type: ignore[arg-type]
        clock.now += SILENT_SECONDS + 1
        await saver.aput_writes(at, [("question", "who")], uuid4().hex)
        await mongo_truth.collection(FORMAT_NOTED).update("format", Change(set={"number": FORMAT + 1}))
        clock.now += SILENT_SECONDS + 1
        with pytest.raises(EndedError):
            await saver.aput(THREAD, empty_checkpoint(), {}, {})  # type: ignore[arg-type]
        with pytest.raises(EndedError):
            await saver.aput_writes(at, [("question", "what")], uuid4().hex)
        assert len([each async for each in saver.alist(THREAD)]) == 1  # type: ignore[arg-type]
