from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress

import pytest

from core.errors import PalimpsestError, fail
from core.ids import new_id
from core.runs.jobs import UNFINISHED, Job, JobQueue, JobState, UnfinishedError
from core.setting_groups import Jobs
from core.store.lease import LeaseLostError
from core.store.sqlite.truth import SqliteTruth
from core.store.truth import Change, Filter
from core.store.typed_collection import TypedCollection, stored


class Recorder:
    """A worker whose behaviour the test decides."""

    def __init__(self, behaviour: Callable[[Job], JobState] | None = None) -> None:
        self.ran: list[str] = []
        self.rolled_back: list[str] = []
        self.started = asyncio.Event()
        self.finished = asyncio.Event()
        self.hold = asyncio.Event()
        self._behaviour = behaviour

    async def run(self, job: Job) -> JobState:
        self.ran.append(job.subject_id)
        self.started.set()
        if self._behaviour is None:
            await self.hold.wait()
            return "completed"
        self.finished.set()
        return self._behaviour(job)

    async def roll_back(self, job: Job) -> None:
        self.rolled_back.append(job.subject_id)
        self.finished.set()


@pytest.fixture
def queue(truth: SqliteTruth, clock, jobs: Jobs) -> Callable[[str], JobQueue]:
    return lambda owner: JobQueue("reading", truth, clock, new_id, owner, jobs)


async def state_of(truth: SqliteTruth, job: Job) -> str:
    for _ in range(200):
        row = await truth.collection("jobs").get(job.id)
        if row and row["state"] not in ("pending", "processing"):
            return str(row["state"])
        await asyncio.sleep(0.01)
    return "still going"


async def test_of_the_jobs_of_others_only_size_and_turn_are_told(queue) -> None:
    jobs = queue("one")
    await jobs.submit("ada", "doc_mine", "run_a", size=100)
    await jobs.submit("bob", "doc_secret", "run_b", size=200)
    found = await jobs.queued("ada")
    assert {(each.subject_id, each.size) for each in found} == {("doc_mine", 100), ("", 200)}
    assert all(each.due > 0 for each in found)


async def test_a_job_is_done_once(truth: SqliteTruth, queue) -> None:
    worker = Recorder(lambda job: "completed")
    jobs = queue("one")
    await jobs.start(worker, alone=True)
    job = await jobs.submit("ada", "doc", "run")
    assert await state_of(truth, job) == "completed"
    await jobs.stop()
    assert worker.ran == ["doc"]


async def test_a_job_left_by_a_stopped_process_is_taken_up_again(truth: SqliteTruth, queue) -> None:
    first = Recorder()
    jobs = queue("one")
    await jobs.start(first, alone=True)
    job = await jobs.submit("ada", "doc", "run")
    await first.started.wait()
    await jobs.stop()
    assert first.rolled_back == []

    second = Recorder(lambda job: "completed")
    again = queue("two")
    await again.start(second, alone=True)
    assert await state_of(truth, job) == "completed"
    await again.stop()
    assert second.ran == ["doc"]


async def test_a_job_whose_store_is_away_is_no_failure_and_is_begun_anew(truth: SqliteTruth, queue) -> None:
    def unreachable(job: Job) -> JobState:
        raise UnfinishedError("the store is away")

    first, jobs = Recorder(unreachable), queue("one")
    await jobs.start(first, alone=True)
    job = await jobs.submit("ada", "doc", "run")
    await first.finished.wait()
    await jobs.stop()
    left = await jobs.get(job.id)
    assert left is not None
    assert (left.state in UNFINISHED, left.attempts) == (True, 1)
    assert first.rolled_back == []

    second, again = Recorder(lambda job: "completed"), queue("two")
    await again.start(second, alone=True)
    assert await state_of(truth, job) == "completed"
    await again.stop()
    assert second.ran == ["doc"]


async def test_a_job_that_has_ended_is_not_leased_for_longer_though_the_cancel_was_lost(
    truth: SqliteTruth, jobs: Jobs, clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    queue = JobQueue("reading", truth, clock, new_id, "one", jobs.model_copy(update={"lease": 0.03}))
    renewing, update = asyncio.Event(), TypedCollection.update

    async def deaf(
        records: TypedCollection[Job], id: str, change: Change, *, where: Filter | None = None
    ) -> Job | None:
        if not renewing.is_set():
            renewing.set()
            with suppress(asyncio.CancelledError):
                await asyncio.Event().wait()
        return await update(records, id, change, where=where)

    monkeypatch.setattr(TypedCollection, "update", deaf)
    worker = Recorder()
    await queue.start(worker, alone=True)
    job = await queue.submit("ada", "doc", "run")
    await asyncio.wait_for(renewing.wait(), 30)
    worker.hold.set()
    assert await state_of(truth, job) == "completed"
    await queue.stop()
    assert [task for task in asyncio.all_tasks() if "_renew_lease" in repr(task)] == []


@pytest.mark.parametrize("state", ["pending", "processing"])
async def test_a_job_whose_process_was_killed_is_taken_up_at_once(truth: SqliteTruth, queue, clock, state: str) -> None:
    """Also if the process was killed after it took the lease and before it recorded that the job began."""
    job = await queue("killed").submit("ada", "doc", "run")
    leased = {"state": state, "lease_owner": "killed", "lease_until": clock() + 600.0}
    await truth.collection("jobs").update(job.id, Change(set=leased))
    worker = Recorder(lambda job: "completed")
    after = queue("after")
    await after.start(worker, alone=True)
    assert await state_of(truth, job) == "completed"
    await after.stop()


async def test_a_queue_that_drains_ends_what_it_has_and_begins_nothing_more(truth: SqliteTruth, queue) -> None:
    worker = Recorder()
    jobs = queue("one")
    await jobs.start(worker, alone=True)
    begun = await jobs.submit("ada", "begun", "run")
    await worker.started.wait()
    waits = await jobs.submit("ada", "waits", "run")
    await jobs.drain(0.0)
    worker.hold.set()
    await jobs.drain(30.0)
    assert await state_of(truth, begun) == "completed"
    await jobs.stop()
    assert worker.ran == ["begun"]
    left = await jobs.get(waits.id)
    assert left is not None
    assert (left.state, left.attempts) == ("pending", 0)


async def test_a_cancelled_job_is_rolled_back(truth: SqliteTruth, queue) -> None:
    worker = Recorder()
    jobs = queue("one")
    await jobs.start(worker, alone=True)
    job = await jobs.submit("ada", "doc", "run")
    await worker.started.wait()
    await jobs.cancel(job.id)
    assert await state_of(truth, job) == "cancelled"
    await jobs.stop()
    assert worker.rolled_back == ["doc"]


async def test_a_job_whose_lease_was_over_as_it_wrote_and_granted_again_is_begun_anew(
    truth: SqliteTruth, queue
) -> None:
    def lose_once(job: Job) -> JobState:
        if job.attempts == 1:
            raise LeaseLostError
        return "completed"

    worker = Recorder(lose_once)
    jobs = queue("one")
    await jobs.start(worker, alone=False)
    job = await jobs.submit("ada", "doc", "run")
    assert await state_of(truth, job) == "completed"
    await jobs.stop()
    assert (worker.ran, worker.rolled_back) == (["doc", "doc"], [])


AWAY = [
    fail("connection", "store.mongo.mongodb_reached", detail="away"),
    fail("timeout", "resilience.too_slow", detail="silent", name="MongoDB", seconds=5),
]


@pytest.mark.parametrize("away", AWAY, ids=["away", "silent"])
async def test_where_the_truth_does_not_answer_a_job_is_begun_anew(
    truth: SqliteTruth, queue, away: PalimpsestError
) -> None:
    def unanswered(job: Job) -> JobState:
        raise away

    worker, jobs = Recorder(unanswered), queue("one")
    await jobs.start(worker, alone=False)
    job = await jobs.submit("ada", "doc", "run")
    await worker.finished.wait()
    await jobs.stop()
    left = await jobs.get(job.id)
    assert left is not None
    assert (left.state in UNFINISHED, worker.rolled_back) == (True, [])


@pytest.mark.parametrize("away", AWAY, ids=["away", "silent"])
async def test_while_the_truth_is_away_no_job_is_taken_for_cancelled_or_failed(
    truth: SqliteTruth, queue, monkeypatch: pytest.MonkeyPatch, away: PalimpsestError
) -> None:
    def lose(job: Job) -> JobState:
        raise LeaseLostError

    judged = asyncio.Event()
    worker, jobs = Recorder(lose), queue("one")

    async def unanswered(job_id: str) -> Job | None:
        judged.set()
        raise away

    monkeypatch.setattr(jobs, "get", unanswered)
    await jobs.start(worker, alone=False)
    job = await jobs.submit("ada", "doc", "run")
    await judged.wait()
    await jobs.stop()
    left = await truth.collection("jobs").get(job.id)
    assert left is not None
    assert (left["state"] in UNFINISHED, worker.rolled_back) == (True, [])


async def test_a_job_cancelled_before_it_began_never_runs(truth: SqliteTruth, queue) -> None:
    worker = Recorder(lambda job: "completed")
    jobs = queue("one")
    job = await jobs.submit("ada", "doc", "run")
    await jobs.cancel(job.id)
    await jobs.start(worker, alone=True)
    assert await state_of(truth, job) == "cancelled"
    await jobs.stop()
    assert (worker.ran, worker.rolled_back) == ([], ["doc"])


async def test_a_worker_that_raises_fails_the_job_and_goes_on(truth: SqliteTruth, queue) -> None:
    def behave(job: Job) -> JobState:
        if job.subject_id == "bad":
            raise RuntimeError("no")
        return "completed"

    worker = Recorder(behave)
    jobs = queue("one")
    await jobs.start(worker, alone=True)
    bad, good = await jobs.submit("ada", "bad", "run"), await jobs.submit("ada", "good", "run")
    assert await state_of(truth, bad) == "failed"
    assert await state_of(truth, good) == "completed"
    await jobs.stop()


@pytest.fixture
def in_order(truth: SqliteTruth, queue) -> Callable[[JobQueue], Awaitable[list[str]]]:
    """The subjects of a queue's jobs in the order in which they are done."""

    async def run(jobs: JobQueue) -> list[str]:
        worker = Recorder(lambda job: "completed")
        waiting = await jobs.unfinished()
        await jobs.start(worker, alone=True)
        for job in waiting:
            assert await state_of(truth, job) == "completed"
        await jobs.stop()
        return worker.ran

    return run


async def test_small_files_go_first(queue, in_order) -> None:
    jobs = queue("one")
    for name, size in (("book", 40_000_000), ("report", 2_000_000), ("memo", 20_000)):
        await jobs.submit("ada", name, "run", size=size)
    assert await in_order(jobs) == ["memo", "report", "book"]


async def test_a_large_file_is_not_overtaken_for_ever(queue, in_order, clock) -> None:
    jobs = queue("one")
    await jobs.submit("ada", "book", "run", size=40_000_000)
    clock.now += 60
    await jobs.submit("ada", "soon", "run", size=20_000)
    clock.now += 600
    await jobs.submit("ada", "late", "run", size=20_000)
    assert await in_order(jobs) == ["soon", "book", "late"]


async def test_what_somebody_asked_about_goes_before_all(queue, in_order, clock) -> None:
    jobs = queue("one")
    for name, size in (("book", 40_000_000), ("report", 2_000_000), ("memo", 20_000)):
        await jobs.submit("ada", name, "run", size=size)
    await jobs.submit("bob", "his", "run", size=1_000)
    assert await jobs.prefer("ada", ["book", "report", "his", "unknown"]) == 2
    clock.now += 1
    assert await jobs.prefer("ada", ["memo"]) == 1
    assert await in_order(jobs) == ["memo", "report", "book", "his"]


async def test_a_job_that_is_done_in_parts_lets_others_go_between_them(truth: SqliteTruth, queue) -> None:
    parts = iter(["pending", "pending"])
    worker = Recorder(lambda job: next(parts, "completed") if job.subject_id == "long" else "completed")
    jobs = queue("one")
    long = await jobs.submit("ada", "long", "run_long", size=1_000)
    await jobs.submit("ada", "short", "run_short", size=2_000)
    await jobs.start(worker, alone=True)
    assert await state_of(truth, long) == "completed"
    await jobs.stop()
    assert sorted(worker.ran) == ["long", "long", "long", "short"]
    row = await truth.collection("jobs").get(long.id)
    assert row
    assert (row["attempts"], row["stops"]) == (3, 2), "a part that was done is no failed attempt"


async def test_the_rest_of_a_job_is_due_as_if_it_had_just_come(queue, truth: SqliteTruth, clock) -> None:
    parts = iter(["pending"])
    worker = Recorder(lambda job: next(parts, "completed"))
    jobs = queue("one")
    long = await jobs.submit("ada", "long", "run_long", size=1_000_000)
    short = await jobs.submit("ada", "short", "run_short", size=100_000)
    clock.now += 600.0
    later = await jobs.submit("ada", "later", "run_later", size=100_000)
    clock.now += 1.0
    await jobs.prefer("ada", [])
    await jobs.start(worker, alone=True)
    for job in (short, long, later):
        assert await state_of(truth, job) == "completed"
    await jobs.stop()
    assert worker.ran == ["short", "long", "later", "short"]


async def test_people_take_turns_however_many_files_one_of_them_brings(queue, in_order, clock) -> None:
    jobs = queue("one")
    for number in range(4):
        await jobs.submit("ada", f"hers {number}", "run", size=1_000)
        clock.now += 1
    await jobs.submit("bob", "his", "run", size=30_000_000)
    await jobs.submit("cleo", "theirs", "run", size=1_000)
    assert await in_order(jobs) == ["hers 0", "theirs", "his", "hers 1", "hers 2", "hers 3"]


async def test_many_files_of_one_person_hide_nobody_else(truth: SqliteTruth, queue, clock) -> None:
    jobs = queue("one")
    hers = Job(id="job", user_id="ada", kind="reading", subject_id="", run_id="", created_at=clock(), due=clock())
    await truth.collection("jobs").insert_many([{**stored(hers), "_id": f"job_{number}"} for number in range(2_000)])
    clock.now += 3_600
    await jobs.submit("bob", "his", "run", size=1_000)
    first, second = await jobs._claim(), await jobs._claim()
    assert first is not None
    assert second is not None
    assert {first.user_id, second.user_id} == {"ada", "bob"}


async def test_whose_turn_it_is_is_not_asked_for_each_of_many_small_files(
    truth: SqliteTruth, queue, clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    jobs = queue("one")
    for number in range(5):
        await jobs.submit("ada", f"hers {number}", "run", size=1_000)
    asked: list[float] = []
    count_by = jobs._jobs.rows.count_by

    async def counted(field: str, filter: Filter | None = None) -> dict[str, int]:
        asked.append(clock())
        return await count_by(field, filter)

    monkeypatch.setattr(jobs._jobs.rows, "count_by", counted)
    for _ in range(4):
        await jobs._claim()
    assert len(asked) == 1
    clock.now += 2
    await jobs._claim()
    assert len(asked) == 2
