"""The lag of the event loop, and what blocked it."""

from __future__ import annotations

import asyncio
import time

from core.resilience.loop_lag import LoopLag


def block(seconds: float) -> None:
    ends = time.monotonic() + seconds
    while time.monotonic() < ends:
        pass


async def test_a_blocked_loop_is_noted_with_the_code_that_ran() -> None:
    lag = LoopLag(clock=lambda: 5.0, blocked_seconds=0.2)
    await lag.start()
    try:
        await asyncio.sleep(0)
        block(0.6)
        for _ in range(500):
            await asyncio.sleep(0.01)
            if lag.pauses:
                break
    finally:
        await lag.stop()
    assert lag.longest > 0.3
    assert lag.pauses[0].at == 5.0
    assert "test_loop_lag.py" in lag.pauses[0].where
    assert "(block)" in lag.pauses[0].where
