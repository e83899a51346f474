"""What is called outside: *what was measured of it* → rows by the names that people know."""

from __future__ import annotations

from core.memory.maintenance.metrics import Calls, Metrics
from core.messages import message
from core.operations.records import Called
from core.words import Words

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
"""Whatever else is called has a title of its own."""


def called(metrics: Metrics) -> list[Called]:
    """By name; what was never called is not there."""
    return [_row(name, calls) for name, calls in sorted(metrics.snapshot().dependencies.items())]


def _row(name: str, calls: Calls) -> Called:
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
