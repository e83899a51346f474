"""Manages a queue of jobs that survive their process: each job has a lease, and a dead owner's job is resumed."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Literal, NamedTuple, Protocol

from pydantic import BaseModel, Field, PrivateAttr

from core.clock import Clock
from core.coordination.announcements import Announcements
from core.errors import UNANSWERED, explain
from core.ids import NewId
from core.resilience.ending import begin, end
from core.runs.lost_jobs import WAITS, LostJobs, waiting
from core.runs.round_robin import RoundRobin
from core.runs.scheduler import wait
from core.setting_groups import Jobs
from core.store.lease import Lease, writing_under
from core.store.truth import Change, DuplicateError, Filter, Json, Sorted, Truth
from core.store.typed_collection import TypedCollection

if TYPE_CHECKING:
    from core.coordination.dispatch import Dispatch

log = logging.getLogger(__name__)

JobState = Literal["pending", "processing", "completed", "failed", "cancelled"]
JobKind = Literal["reading", "recognition", "embedding", "extraction"]
UNFINISHED = ["pending", "processing"]
IDLE_SECONDS = 2.0
"""Seconds between checks for jobs without a notification or whose process died."""
HEARING_SECONDS = 3.0
"""Time limit in seconds for one check whether a message has arrived."""
HANDING_BACK_SECONDS = 10.0
"""Time limit in seconds for returning a job to the record store."""
OVERTAKEN_BYTES = 100_000.0
"""A job may be overtaken for one second per this many bytes of its file: 10 s for 1 MB, 8 minutes for 50 MB."""


class Job(BaseModel, populate_by_name=True):
    """A job. ``subject_id`` is the object that it works on: a document for an ingestion. ``attempts`` counts its
    starts, ``stops`` those of them that ended because the process was shut down properly, which is not the job's
    fault.

    Jobs are taken in the order of ``due``, an earliest-deadline-first queue: the time of arrival plus a time that grows
    with ``size`` (bytes). So small jobs go first, and a large one is overtaken only for a limited time. Jobs that a
    user waits for are due before all others (``JobQueue.prefer``).
    """

    id: str = Field(alias="_id")
    user_id: str
    kind: JobKind
    subject_id: str
    run_id: str
    state: JobState = "pending"
    attempts: int = 0
    stops: int = 0
    cancel_requested: bool = False
    lease_owner: str | None = None
    lease_until: float = 0.0
    created_at: float
    size: int = 0
    due: float = 0.0
    _lease: Lease | None = PrivateAttr(default=None)
    """The lease of the process that runs it, if another process could take it."""

    @property
    def is_held(self) -> bool:
        """Whether this process still holds the job, as far as it can tell without a request to the record store."""
        return self._lease is None or self._lease.held

    @property
    def tries(self) -> int:
        """The attempts that ended without a shutdown, and the current one."""
        return self.attempts - self.stops


class Queued(NamedTuple):
    """An unfinished job, as one user may see it: ``subject_id`` is empty for another user's job."""

    kind: JobKind
    subject_id: str
    due: float
    size: int


class UnfinishedError(Exception):
    """The job's data could not be reached; the job is restarted, here or elsewhere, when its lease ends."""


class Worker(Protocol):
    """Runs jobs of one kind. ``run`` may be called again for a job whose process died, and is called again after
    ``UnfinishedError``; any other error fails the job. If it returns "pending", a part of the job is done, and it is
    called again for the rest when it is the job's turn."""

    async def run(self, job: Job) -> JobState: ...

    async def roll_back(self, job: Job) -> None:
        """Undo the job's work: a user cancelled the job, before or during its run."""


class JobQueue:
    """The jobs of one kind, which workers of this and all other processes run.

    With a ``dispatch``, workers are notified of jobs, and lost notifications are repeated. Without one, or while it is
    unavailable, they poll. In both cases the record store decides which job is next and which process has it.
    """

    def __init__(
        self,
        kind: JobKind,
        truth: Truth,
        clock: Clock,
        new_id: NewId,
        owner: str,
        settings: Jobs,
        announcements: Announcements | None = None,
        dispatch: Dispatch | None = None,
    ) -> None:
        self.kind = kind
        self._jobs = TypedCollection(truth.collection("jobs"), Job)
        self._clock = clock
        self._new_id = new_id
        self._owner = owner
        self._settings = settings
        self._alone = False
        self._drained = False
        self._wake = asyncio.Event()
        self._dispatch = dispatch
        self._unled = asyncio.Event()
        """Set while workers poll for jobs."""
        self._places = asyncio.Semaphore(settings.workers)
        self._workers: list[asyncio.Task[None]] = []
        self._hearing: list[asyncio.Task[None]] = []
        self._told: set[asyncio.Task[bool]] = set()
        """Tasks that look for the next job because a message arrived."""
        self._turns = RoundRobin(self._jobs.rows, clock)
        self._lost = LostJobs(self._jobs.rows, kind, clock, dispatch)
        self._running: dict[str, asyncio.Task[JobState]] = {}
        self._announcements = announcements or Announcements(None, owner)
        self._announcements.listen("cancelled", self._end_here)

    async def start(self, worker: Worker, *, alone: bool) -> None:
        """Start working. ``alone``: no other process shares the record store, so all remaining leases belong to dead
        processes."""
        self._alone = alone
        await self._jobs.rows.ensure(sort=[Sorted(("state", "kind", "due", "size")), Sorted(("subject_id",))])
        if alone:
            await self._jobs.rows.update_where({"kind": self.kind, "state": {"$in": UNFINISHED}}, WAITS)
        count = self._settings.workers
        self._workers = [asyncio.create_task(self._work(worker)) for _ in range(count)]
        if count:
            self._workers.append(asyncio.create_task(self._find_lost()))
        if self._dispatch and count:
            listening = self._dispatch.listen(partial(self._when_told, worker), count)
            self._hearing = [asyncio.create_task(listening)]

    async def drain(self, seconds: float) -> None:
        """Start no more jobs, and wait this long for running ones to end."""
        self._drained = True
        await end(self._hearing, HEARING_SECONDS)
        if self._running:
            await asyncio.wait(list(self._running.values()), timeout=seconds)

    async def stop(self) -> None:
        """Release the jobs; they are resumed at the next start."""
        await end(self._hearing, HEARING_SECONDS)
        await end([*self._workers, *self._told], HANDING_BACK_SECONDS)

    async def submit(
        self, user_id: str, subject_id: str, run_id: str, job_id: str | None = None, *, size: int = 0
    ) -> Job:
        """Add a job; one with a known ``job_id`` is not changed, so a crashed step may be repeated."""
        now = self._clock()
        job = Job(
            id=job_id or self._new_id("job"),
            user_id=user_id,
            kind=self.kind,
            subject_id=subject_id,
            run_id=run_id,
            created_at=now,
            size=size,
            due=now + size / OVERTAKEN_BYTES,
        )
        with contextlib.suppress(DuplicateError):
            await self._jobs.insert(job)
        self._turns.look_again()
        self._wake.set()
        await self._tell_of(job.id)
        return job

    async def get(self, job_id: str) -> Job | None:
        return await self._jobs.get(job_id)

    async def unfinished(self) -> list[Job]:
        """Jobs of every kind and user that are waiting or running (maintenance)."""
        return await self._jobs.find({"state": {"$in": UNFINISHED}})

    async def queued(self, user_id: str) -> list[Queued]:
        """Jobs of every kind that are waiting or running: the user's own, and for all others only their size and due
        time."""
        return [
            Queued(job.kind, job.subject_id if job.user_id == user_id else "", job.due, job.size)
            for job in await self.unfinished()
        ]

    async def runs_of(self, user_id: str, subject_id: str) -> list[str]:
        """The runs of all jobs of any kind on a subject."""
        return [job.run_id for job in await self._jobs.find({"user_id": user_id, "subject_id": subject_id})]

    async def forget(self, user_id: str, subject_id: str) -> None:
        """Delete all jobs for a permanently removed subject. Remove their runs first, because they are found through
        the jobs."""
        await self._jobs.rows.delete({"user_id": user_id, "subject_id": subject_id})

    async def prefer(self, user_id: str, subject_ids: Sequence[str]) -> int:
        """Put the waiting jobs for these subjects before all others, the latest request first; returns how many there
        are."""
        theirs = {**waiting(self.kind), "user_id": user_id, "subject_id": {"$in": list(subject_ids)}}
        preferred = await self._jobs.rows.update_where(theirs, Change(set={"due": -self._clock()}))
        self._turns.look_again()
        return preferred

    async def cancel(self, job_id: str) -> None:
        """Record the cancellation for the process that runs it, now or later; if that is this process, cancel
        immediately."""
        await self._jobs.update(job_id, Change(set={"cancel_requested": True}))
        self._end_here(job_id)
        self._announcements.tell("cancelled", job_id)
        self._wake.set()

    def _end_here(self, job_id: str) -> None:
        if task := self._running.get(job_id):
            task.cancel()

    async def _tell_of(self, job_id: str) -> bool:
        return self._dispatch is not None and await self._dispatch.tell(job_id)

    async def _find_lost(self) -> None:
        while True:
            try:
                if await self._lost.look(self._running):
                    self._unled.clear()
                else:
                    self._unled.set()
            except Exception:
                log.exception("jobs that were lost are looked for later")
            await asyncio.sleep(IDLE_SECONDS)

    async def _when_told(self, worker: Worker, _: str) -> None:
        """Run the next job, which need not be the job in the message: users take turns, and messages do not consider
        users."""
        await asyncio.wait([begin(self._do_next(worker), self._told)])

    async def _work(self, worker: Worker) -> None:
        while True:
            await self._unled.wait()
            self._wake.clear()
            if not await self._do_next(worker):
                await wait(self._wake, IDLE_SECONDS)

    async def _do_next(self, worker: Worker) -> bool:
        """Run the next job; returns whether there was one."""
        async with self._places:
            job = None if self._drained else await self._claim()
            if job is None:
                return False
            try:
                await self._run(job, worker)
            except Exception:
                log.exception("job %s is left to whoever finds its lease over", job.id)
            return True

    async def _claim(self) -> Job | None:
        lease = None if self._alone else Lease(self._settings.lease)
        try:
            turn = await self._turns.next(waiting(self.kind))
            row = await self._lease(turn)
            if row is None and turn:
                self._turns.look_again()
                row = await self._lease(await self._turns.next(waiting(self.kind)))
        except Exception:
            log.exception("no job could be claimed")
            await asyncio.sleep(IDLE_SECONDS)
            return None
        if row is None:
            return None
        job = Job.model_validate(row)
        job._lease = lease
        self._turns.took(job.user_id)
        return job

    async def _lease(self, turn: Filter) -> Json | None:
        return await self._jobs.rows.claim(
            {**waiting(self.kind), **turn},
            owner=self._owner,
            seconds=self._settings.lease,
            now=self._clock(),
            sort=[("due", 1), ("size", 1)],
            change=Change(set={"state": "processing"}, inc={"attempts": 1}),
        )

    async def _run(self, job: Job, worker: Worker) -> None:
        task = asyncio.create_task(self._do(job, worker))
        self._running[job.id] = task
        lease = asyncio.create_task(self._renew_lease(job, task))
        try:
            await asyncio.wait([task])
        except asyncio.CancelledError:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
            await self._give_back(job)
            raise
        finally:
            self._running.pop(job.id, None)
            await end([lease])
        state = await self._verdict(job, task, worker)
        if state == "pending":
            await self._put_back(job)
            return
        ended = Change(set={"state": state, "lease_until": 0.0})
        if state is None or await self._jobs.update(job.id, ended, where=self._ours(job)) is None:
            log.warning("job %s is left to whoever begins it next", job.id)

    def _ours(self, job: Job) -> Json:
        """The condition that this process still owns the job. It includes the number of attempts, so that a late write
        is refused."""
        return {"lease_owner": self._owner, "attempts": job.attempts}

    async def _put_back(self, job: Job) -> None:
        """Queue the rest of a partly done job as if it had just arrived, so that it delays no other job."""
        due = job.due if job.due < 0 else self._clock() + job.size / OVERTAKEN_BYTES
        change = WAITS.also(due=due, stops=job.attempts)
        if await self._jobs.update(job.id, change, where=self._ours(job)) is not None:
            self._turns.look_again()
            self._wake.set()
            await self._tell_of(job.id)

    async def _give_back(self, job: Job, *, stops: int = 1) -> None:
        """Return the job to the queue. A shutdown is not a failure of the job, and the next process need not wait for
        the lease to end."""
        try:
            await self._jobs.update(job.id, Change(set=WAITS.set, inc={"stops": stops}), where=self._ours(job))
            await self._tell_of(job.id)
        except Exception:
            log.warning("job %s keeps its lease", job.id, exc_info=True)

    async def _do(self, job: Job, worker: Worker) -> JobState:
        if job.cancel_requested:
            raise asyncio.CancelledError
        if job._lease is None:
            return await worker.run(job)
        with writing_under(job._lease):
            return await worker.run(job)

    async def _verdict(self, job: Job, task: asyncio.Task[JobState], worker: Worker) -> JobState | None:
        """The job's outcome; ``None`` if this process lost the job or the job will be restarted, so that its outcome is
        still open."""
        try:
            if task.cancelled():
                now = await self.get(job.id) if job.is_held else None
                if now is None:
                    return None
                if not now.cancel_requested:  # its lease had ended when it wrote, and has been granted again since
                    await self._give_back(job, stops=0)
                    return None
                await worker.roll_back(job)
                return "cancelled"
            return task.result()
        except Exception as error:
            # An unavailable record store means neither that a person cancelled the job nor that it failed.
            if isinstance(error, UnfinishedError) or explain(error).category in UNANSWERED:
                log.warning("job %s waits for the end of its lease: %s", job.id, error)
                return None
            log.exception("job %s failed", job.id)
            return "failed"

    async def _renew_lease(self, job: Job, task: asyncio.Task[JobState]) -> None:
        while True:
            await asyncio.sleep(self._settings.lease / 3)
            granted = job._lease.asked_again() if job._lease else None
            change = Change(set={"lease_until": self._clock() + self._settings.lease})
            try:
                renewed = await self._jobs.update(job.id, change, where=self._ours(job))
            except Exception:
                log.warning("the lease of %s could not be renewed", job.id, exc_info=True)
                continue
            if renewed and granted:
                granted()
            elif job._lease:
                job._lease.lose()
                task.cancel()
            if renewed and renewed.cancel_requested:
                task.cancel()
