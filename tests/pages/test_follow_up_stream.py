"""Tests the stream that reports when a question's full answer follows its partial one, also if the full answer began
between two checks."""

from __future__ import annotations

import json
from types import SimpleNamespace
from typing import cast

import pytest

from core.workbench import Workbench
from pages.live import _follow_up_stream


class BeginsBetween:
    """A question whose full answer is due at the first check and has begun before the second check."""

    def __init__(self) -> None:
        self._looks = 0

    def _look(self) -> int:
        self._looks += 1
        return self._looks

    async def is_owed(self, user_id: str, run_id: str) -> bool:
        return self._look() == 1

    async def following(self, user_id: str, run_id: str) -> SimpleNamespace | None:
        return SimpleNamespace(run_id="run_full", language="he") if self._look() > 1 else None


@pytest.mark.asyncio
async def test_a_full_answer_that_begins_between_two_looks_is_told_of() -> None:
    house = BeginsBetween()
    ledger = SimpleNamespace(version_of=lambda user_id: 0)
    workbench = cast(Workbench, SimpleNamespace(conversations=house, follow_ups=house, ledger=ledger))
    told = [part async for part in _follow_up_stream(workbench, "ada", "run_part")]
    assert [json.loads(part.removeprefix("data: ")) for part in told] == [{"run": "run_full", "language": "he"}]
