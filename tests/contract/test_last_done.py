"""Tests that every process knows when maintenance was last done, on both record stores."""

from __future__ import annotations

from core.memory.maintenance.last_done import Done, LastDone, LastDoneView
from core.store.truth import Truth


def done(at: float) -> Done:
    return Done(at=at, looked_at=9, found=2, changed=1)


async def test_what_one_process_did_is_known_to_the_other(truth: Truth) -> None:
    one, other = LastDone(truth), LastDone(truth)
    assert await other.read() == LastDoneView()
    await one.note("check", done(5.0))
    await one.note("promotion", done(6.0))
    await one.note("check", done(7.0))
    assert await other.read() == LastDoneView(check=done(7.0), promotion=done(6.0))
