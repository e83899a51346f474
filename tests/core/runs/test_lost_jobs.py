from __future__ import annotations

from typing import Any, cast

import pytest

from core.coordination.dispatch import Dispatch
from core.runs.lost_jobs import LostJobs
from core.store.sqlite.truth import SqliteTruth
from core.store.truth import Collection


class Messages:
    """Fake messages about jobs. ``left``: number of messages that no process has taken, or ``None`` if Redis
    is down; ``first``: no other process is doing the same check."""

    def __init__(self, left: int | None, first: bool = True) -> None:
        self.left, self.first = left, first
        self.told: list[str] = []

    async def untold(self) -> int | None:
        return self.left

    async def first_within(self, seconds: float) -> bool:
        return self.left is None or self.first

    async def tell(self, job_id: str) -> bool:
        self.told.append(job_id)
        return True


@pytest.fixture
async def rows(truth: SqliteTruth, clock) -> Collection:
    def job(name: str, state: str, lease_until: float, kind: str = "reading") -> dict[str, Any]:
        owner = "dead" if state == "processing" else None
        common = {"lease_owner": owner, "lease_until": lease_until, "created_at": clock() - 5}
        return {"_id": name, "kind": kind, "state": state, **common}

    rows = truth.collection("jobs")
    await rows.insert_many(
        [
            job("of the dead", "processing", clock() - 1),
            job("going on here", "processing", clock() - 1),
            job("of the living", "processing", clock() + 9),
            job("another's", "processing", clock() - 1, kind="embedding"),
            job("waits", "pending", 0.0),
            job("is done", "completed", 0.0),
            {**job("just come", "pending", 0.0), "created_at": clock()},
        ]
    )
    return rows


def lost(rows: Collection, clock, messages: Messages) -> LostJobs:
    return LostJobs(rows, "reading", clock, cast(Dispatch, messages))


async def states(rows: Collection) -> dict[str, str]:
    return {str(row["_id"]): str(row["state"]) for row in await rows.find()}


async def test_what_a_dead_process_had_begun_waits_again_and_nobody_can_end_it_for_it(rows: Collection, clock) -> None:
    before = await states(rows)
    await lost(rows, clock, Messages(0)).look(["going on here"])
    again = await rows.get("of the dead")
    assert again is not None
    assert (again["state"], again["lease_owner"], again["lease_until"]) == ("pending", None, 0.0)
    assert await states(rows) == {**before, "of the dead": "pending"}


@pytest.mark.parametrize(
    ("left", "led", "told"),
    [(0, True, {"waits", "of the dead"}), (1, True, set()), (None, False, set())],
    ids=["none", "some", "away"],
)
async def test_what_waits_is_told_again_only_where_no_message_is_left(
    rows: Collection, clock, left: int | None, led: bool, told: set[str]
) -> None:
    messages = Messages(left)
    assert await lost(rows, clock, messages).look(["going on here"]) is led
    assert set(messages.told) == told
    assert (await states(rows))["of the dead"] == "pending"


async def test_while_another_process_looks_this_one_does_not(rows: Collection, clock) -> None:
    before, messages = await states(rows), Messages(0, first=False)
    assert await lost(rows, clock, messages).look([]) is True
    assert messages.told == []
    assert await states(rows) == before


async def test_without_messages_workers_look_for_themselves(rows: Collection, clock) -> None:
    assert await LostJobs(rows, "reading", clock, None).look([]) is False
    assert (await states(rows))["of the dead"] == "pending"
