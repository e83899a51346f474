"""Tests starter questions with the real agent: they are tried in the background, and a trial leaves no trace."""

from __future__ import annotations

import asyncio

import pytest

from core.review.questions.candidate import CandidateQuestion
from core.words import Language
from tests.service.house import House, until

REPORT = (
    "# Annual report 2024 of Nordvik Ltd\n\nAnnual report for the year ended 31 December 2024.\n\n"
    "## Income statement\n\n| USD million | 2024 | 2023 |\n|---|---|---|\n"
    "| Revenue | 120 | 100 |\n| Net income | 12 | 9 |\n"
)


async def questions(house: House, language: Language = "en") -> list[str]:
    starters = house.workbench.starters
    documents = await house.workbench.library.find("ada")
    await starters.of("ada", documents, language)

    async def done() -> bool:
        return not starters.is_trying("ada", language)

    await until(done, "the trials")
    return await starters.of("ada", documents, language)


async def test_starters_are_answered_as_found_and_their_trials_leave_no_trace(house: House) -> None:
    await house.read("report.md", REPORT)
    offered = await questions(house)
    assert offered
    assert await house.workbench.conversations.search("ada", "") == []
    assert await house.workbench.truth.collection("runs").find({"kind": "question"}) == []
    answer = await house.ask(offered[0])
    assert answer.view.response
    assert answer.view.response.confidence == "high"


async def test_a_trial_gives_way_to_a_question(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    await house.read("report.md", REPORT)
    trials, tried = house.workbench._agent.trials, asyncio.Event()
    response, interrupted = trials._response, []

    async def slow(user_id: str, question: str) -> object:
        tried.set()
        if interrupted:
            return await response(user_id, question)
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            interrupted.append(question)
            raise

    monkeypatch.setattr(trials, "_response", slow)
    trial = asyncio.create_task(trials.found("ada", CandidateQuestion("What was Nordvik's revenue in FY2024?", "", "")))
    await tried.wait()
    await house.ask("What was the net income in 2023?")
    assert interrupted
    assert await trial is True
