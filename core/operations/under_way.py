"""Lists unfinished jobs and runs of a user or of all users, and external calls from the metrics."""

from __future__ import annotations

from core.memory.maintenance.metrics import Calls, Metrics
from core.messages import message
from core.operations.records import Called, UnderWay
from core.runs.jobs import UNFINISHED, Job
from core.runs.records import Run
from core.store.truth import Truth
from core.store.typed_collection import records_of
from core.words import Words

MOST = 50
NAMES = {
    "Search by meaning": message("operations.dependencies.dense"),
    "Search by words": message("operations.dependencies.lexical"),
    "The embedding model": message("operations.dependencies.embeddings"),
    "The cross-encoder": message("operations.dependencies.reranker"),
    "The document store": message("operations.dependencies.truth"),
    "Writing to the index": message("operations.dependencies.writing"),
    "Vectors of memories": message("operations.dependencies.background"),
    "The language model": message("operations.dependencies.model"),
}
"""Display names of external calls; calls not listed here have their own title."""


async def under_way(truth: Truth, user_id: str | None) -> list[UnderWay]:
    """Unfinished work, the oldest first; ``None`` means all users (administrators)."""
    oldest, asked = [("created_at", 1)], {"kind": "question", "state": {"$in": ["running", "waiting"]}}
    jobs = await records_of(truth, user_id, "jobs", Job).find({"state": {"$in": UNFINISHED}}, sort=oldest, limit=MOST)
    runs = await records_of(truth, user_id, "runs", Run).find(asked, sort=oldest, limit=MOST)
    found = [*map(_of_job, jobs), *map(_of_run, runs)]
    return sorted(found, key=lambda each: each.since)[:MOST]


def _of_job(job: Job) -> UnderWay:
    waits = job.state == "pending"
    return UnderWay(kind=job.kind, user_id=job.user_id, about=job.subject_id, since=job.created_at, waits=waits)


def _of_run(run: Run) -> UnderWay:
    waits = run.state == "waiting"
    return UnderWay(kind=run.kind, user_id=run.user_id, about=run.subject, since=run.created_at, waits=waits)


def called(metrics: Metrics) -> list[Called]:
    """External calls by name; those never made are left out."""
    return [_of_calls(name, calls) for name, calls in sorted(metrics.snapshot().dependencies.items())]


def _of_calls(name: str, calls: Calls) -> Called:
    return Called(
        name=NAMES.get(name, Words.alike(name)),
        breaker=calls.breaker,
        calls=calls.ok + calls.error + calls.timeout,
        failed=calls.error + calls.timeout,
        refused=calls.refused,
        last=round(calls.last, 1),
        p50=round(calls.latency.p50, 1),
        p95=round(calls.latency.p95, 1),
    )
