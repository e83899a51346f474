"""Tests waiting for a change: the wait ends when the change comes, also if it comes between two checks, and it times
out."""

from __future__ import annotations

import asyncio

import pytest

from core.runs.changes import Changes

LONG = 60.0


@pytest.mark.asyncio
async def test_everyone_who_waits_for_a_key_goes_on_and_nobody_else() -> None:
    changes = Changes()
    waiting = [asyncio.create_task(changes.wait("ada", 0, LONG)) for _ in range(2)]
    other = asyncio.create_task(changes.wait("bob", 0, LONG))
    await asyncio.sleep(0)
    changes.notify("ada")
    await asyncio.wait_for(asyncio.gather(*waiting), 5)
    assert not other.done()
    other.cancel()


@pytest.mark.asyncio
async def test_a_change_between_two_looks_is_not_missed() -> None:
    changes = Changes()
    seen = changes.version_of("ada")
    changes.notify("ada")
    assert await asyncio.wait_for(changes.wait("ada", seen, LONG), 5) < LONG


@pytest.mark.asyncio
async def test_where_nothing_changes_the_wait_ends_in_time() -> None:
    changes = Changes()
    assert await changes.wait("ada", changes.version_of("ada"), 0.01) >= 0.01
    assert changes.version_of("ada") == 0


@pytest.mark.asyncio
async def test_only_the_latest_are_known_and_who_waits_for_a_forgotten_one_looks_for_itself() -> None:
    changes = Changes(most=2)
    for key in ("ada", "bob"):
        changes.notify(key)
    seen = changes.version_of("ada")
    changes.notify("cleo")
    assert [bool(changes.version_of(key)) for key in ("ada", "bob", "cleo")] == [False, True, True]
    assert await asyncio.wait_for(changes.wait("ada", seen, LONG), 5) < LONG
    none = changes.version_of("ada")
    changes.notify("ada")
    assert changes.version_of("ada") not in (none, seen)
