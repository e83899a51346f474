"""Tests the list of run errors on both record stores: of one user or of all users, and deleted with the run."""

from __future__ import annotations

import pytest

from core.errors import problem_of
from core.events import Failure, RunCompleted
from core.ids import new_id
from core.operations.run_errors import KEPT_DAYS, RunErrors
from core.runs.ledger import RunLedger
from core.runs.records import Run
from core.settings import Jobs
from core.store.truth import Truth


class Clock:
    now = 1_000_000.0

    def __call__(self) -> float:
        self.now += 1.0
        return self.now


class Failing:
    """Creates runs that fail and lists their errors."""

    def __init__(self, truth: Truth) -> None:
        self.clock = Clock()
        self.ledger = RunLedger(truth, self.clock, new_id, "here", Jobs())
        self.errors = RunErrors(truth, self.ledger, self.clock)

    async def fail(self, user_id: str, subject: str) -> Run:
        run = await self.ledger.start(user_id, "question", subject, conversation_id="c")
        failure = Failure(problem=problem_of("server", "runs.ledger.unknown_run"))
        await self.ledger.append(run, 2, [failure, RunCompleted(outcome="failed")])
        await self.ledger.end(run, "failed")
        return run

    async def told(self, user_id: str | None) -> list[str]:
        return [each.subject for each in await self.errors.last(user_id, 10)]


@pytest.fixture
async def failing(truth: Truth) -> Failing:
    failing = Failing(truth)
    await failing.ledger.ensure()
    await failing.errors.ensure()
    return failing


async def test_everybody_sees_their_own_and_all_are_the_latest_first(failing: Failing) -> None:
    run = await failing.fail("ada", "first")
    await failing.fail("bob", "second")
    await failing.fail("ada", "third")
    assert await failing.told("ada") == ["third", "first"]
    assert await failing.told("bob") == ["second"]
    assert await failing.told(None) == ["third", "second", "first"]
    first = (await failing.errors.last("ada", 10))[-1]
    assert (first.run_id, first.conversation_id, first.problem.category) == (run.id, "c", "server")


async def test_a_run_that_went_well_is_not_there(failing: Failing) -> None:
    run = await failing.ledger.start("ada", "question", "well")
    await failing.ledger.append(run, 2, [RunCompleted(outcome="answered")])
    assert await failing.told("ada") == []


async def test_it_goes_with_its_run_and_after_its_time(failing: Failing) -> None:
    run = await failing.fail("ada", "first")
    await failing.fail("ada", "second")
    await failing.ledger.forget("ada", [run.id])
    assert await failing.told("ada") == ["second"]
    failing.clock.now += KEPT_DAYS * 86_400.0
    assert await failing.told("ada") == []
