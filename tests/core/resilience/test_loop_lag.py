"""Tests the event loop's lag, and the report of what blocked it."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Callable

import pytest

from core.resilience.loop_lag import LoopLag


def hold_the_interpreter() -> None:
    """Matches a slow pattern: during the match no other thread can run."""
    re.match(r"(?:a|a)*b", "a" * 25)


def block(seconds: float) -> None:
    ends = time.monotonic() + seconds
    while time.monotonic() < ends:
        pass


@pytest.mark.parametrize(
    ("work", "named"),
    [(lambda: block(0.6), "(block)"), (hold_the_interpreter, "(hold_the_interpreter)")],
    ids=["on the loop", "in a pattern"],
)
async def test_a_blocked_loop_is_noted_with_the_code_that_ran(work: Callable[[], None], named: str) -> None:
    lag = LoopLag(clock=lambda: 5.0, blocked_seconds=0.2)
    await lag.start()
    try:
        await asyncio.sleep(0)
        block(0.25)  # This delay is too short to be reported, so it must not appear in a later report.
        await asyncio.sleep(0.2)
        work()
        for _ in range(500):
            await asyncio.sleep(0.01)
            if lag.pauses:
                break
    finally:
        await lag.stop()
    assert lag.longest > 0.2
    assert lag.pauses[0].at == 5.0
    assert "test_loop_lag.py" in lag.pauses[0].where
    assert named in lag.pauses[0].where
