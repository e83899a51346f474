"""Tests that a question made to keep the workbench busy delays no other question."""

from __future__ import annotations

import asyncio.events
import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from tests.service.house import CONTRACT, POLICY, House

REPORT = """# Acme Corp annual report 2023

Acme Corp. annual report for the fiscal year ended December 31, 2023. Revenue was $1,234 million in 2023.

| | 2023 | 2022 |
|---|---|---|
| Revenue | 1,234 | 1,100 |
| Net income | 100 | 90 |
"""
LONGEST = 8_000
MOST_SECONDS = 0.3
"""Maximum processor seconds during which the event loop may answer no request."""


@contextmanager
def watched_loop(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[float]]:
    """Records the processor seconds that each step of the event loop takes."""
    steps: list[float] = []
    ran = asyncio.events.Handle._run

    def timed(handle: asyncio.events.Handle) -> None:
        begins = time.thread_time()
        ran(handle)
        steps.append(time.thread_time() - begins)

    with monkeypatch.context() as patch:
        patch.setattr(asyncio.events.Handle, "_run", timed)
        yield steps


@pytest.mark.parametrize(
    "unit",
    ["compare 2023 and 2024 ", "\u00a0", "1", "Acme ", "$1, ", "@policy ", "a@a. ", "\u05de\u05d4 \u05d4\u05d9\u05d5 "],
)
async def test_the_loop_is_never_held_for_long(house: House, monkeypatch: pytest.MonkeyPatch, unit: str) -> None:
    for name, text in (("policy.md", POLICY), ("contract.md", CONTRACT), ("acme-2023.md", REPORT)):
        await house.read(name, text)
    await house.ask("What was the revenue of Acme in 2023?")
    question = ("Compare: " + unit * LONGEST)[:LONGEST]
    with watched_loop(monkeypatch) as steps:
        answer = await house.ask(question, mode="quick")
    assert max(steps) < MOST_SECONDS
    kept = await house.workbench.conversations.messages("ada", answer.asked.conversation.id)
    assert kept[0].text == question.strip()
