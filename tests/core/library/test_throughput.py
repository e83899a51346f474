"""Tests the speed of a kind of work: it is computed from how much of each job is left at two moments."""

from __future__ import annotations

import pytest

from core.library.throughput import Throughput


def test_work_that_is_gone_was_done() -> None:
    measured = Throughput()
    measured.look(100.0, dict.fromkeys(range(50), 2000.0))
    assert measured.rate is None
    measured.look(110.0, dict.fromkeys(range(20, 90), 2000.0))
    assert measured.rate == 4_000.0, "jobs that are new were not done"


def test_a_part_of_a_long_job_counts_and_so_do_the_gaps_between_jobs() -> None:
    measured = Throughput()
    for now, left in ((0.0, 1_000.0), (10.0, 800.0), (20.0, 800.0)):
        measured.look(now, {"long": left})
    assert measured.rate == pytest.approx(10.0, rel=0.1)


def test_recent_work_counts_more() -> None:
    measured = Throughput()
    left = 10_000.0
    for second in range(0, 600, 3):
        measured.look(float(second), {"long": left})
        left -= 30.0 if second < 300 else 6.0
    assert measured.rate == pytest.approx(2.0, rel=0.2)


def test_looks_that_are_too_near_or_too_far_measure_nothing() -> None:
    measured = Throughput()
    measured.look(100.0, {"job": 500.0})
    measured.look(100.5, {"job": 300.0})
    assert measured.rate is None
    measured.look(200.0, {"job": 100.0})
    assert measured.rate is None
    measured.look(210.0, {"job": 50.0})
    assert measured.rate == 5.0
    measured.look(300.0, {})
    measured.look(310.0, {"later": 9.0})
    assert measured.rate == 5.0, "an empty queue is no slow one"
