"""Tests a job queue's speed: it is computed from how much the queue shrank between two checks, if it shrank enough."""

from __future__ import annotations

from core.library.records import BYTES_A_VECTOR
from core.library.throughput import Throughput
from core.runs.jobs import JobKind, Queued


def queue(first: int, last: int, kind: JobKind = "reading", size: int = 2_000) -> list[Queued]:
    return [Queued(kind, "", float(place), size) for place in range(first, last)]


def test_what_is_gone_is_what_was_done() -> None:
    measured = Throughput()
    measured.look(100.0, [*queue(0, 50), *queue(0, 20, "embedding", 3 * BYTES_A_VECTOR)])
    assert (measured.bytes, measured.passages) == (None, None)
    measured.look(110.0, [*queue(20, 90), *queue(10, 30, "embedding", 3 * BYTES_A_VECTOR)])
    assert (measured.bytes, measured.passages) == (4_000.0, 3.0)


def test_whose_a_job_is_makes_no_difference() -> None:
    measured = Throughput()
    measured.look(100.0, queue(0, 50))
    measured.look(110.0, [each._replace(subject_id="doc_mine") for each in queue(40, 50)])
    assert measured.bytes == 8_000.0


def test_looks_that_are_too_near_or_too_far_measure_nothing() -> None:
    measured = Throughput()
    measured.look(100.0, queue(0, 50))
    measured.look(101.0, queue(20, 50))
    assert measured.bytes is None
    measured.look(105.0, queue(30, 50))
    assert measured.bytes == 12_000.0
    measured.look(200.0, queue(40, 50))
    assert measured.bytes is None


def test_a_few_that_are_gone_tell_nothing() -> None:
    measured = Throughput()
    measured.look(100.0, queue(0, 50))
    measured.look(110.0, queue(4, 50))
    assert measured.bytes is None
