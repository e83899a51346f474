"""What is being worked on now: *a person, or everyone* → the jobs and runs that have not ended."""

from __future__ import annotations

from core.operations.records import UnderWay
from core.runs.jobs import UNFINISHED, Job
from core.runs.records import Run
from core.store.scope import ScopedTruth
from core.store.truth import Collection, Truth

MOST = 50


async def under_way(truth: Truth, user_id: str | None) -> list[UnderWay]:
    """The oldest first; ``None`` is everyone (administrators)."""

    def collection(name: str) -> Collection:
        return truth.collection(name) if user_id is None else ScopedTruth(truth, user_id).collection(name)

    jobs = await collection("jobs").find({"state": {"$in": UNFINISHED}}, sort=[("created_at", 1)], limit=MOST)
    runs = await collection("runs").find(
        {"kind": "question", "state": {"$in": ["running", "waiting"]}}, sort=[("created_at", 1)], limit=MOST
    )
    found = [_of_job(Job.model_validate(each)) for each in jobs]
    found += [_of_run(Run.model_validate(each)) for each in runs]
    return sorted(found, key=lambda each: each.since)[:MOST]


def _of_job(job: Job) -> UnderWay:
    waits = job.state == "pending"
    return UnderWay(kind=job.kind, user_id=job.user_id, about=job.subject_id, since=job.created_at, waits=waits)


def _of_run(run: Run) -> UnderWay:
    waits = run.state == "waiting"
    return UnderWay(kind=run.kind, user_id=run.user_id, about=run.subject, since=run.created_at, waits=waits)
