"""Tests the questions below an answer: tried before, about the cited documents or others, without a trace."""

from __future__ import annotations

import asyncio

import pytest

from tests.service.conftest import Open
from tests.service.house import House

POLICY = (
    "# Travel policy {year}\n\nIssued by: Finance department\n\n## Lodging\n\n"
    "The nightly limit for hotels is {limit} USD.\n\n"
    "## Claims\n\nExpense claims must be submitted within {days} days after the trip.\n"
)


@pytest.fixture
async def policies(open_house: Open) -> House:
    house = await open_house(dense_enabled=True)
    await house.read("Travel policy 2030.md", POLICY.format(year=2030, limit=180, days=30))
    await house.read("Travel policy 2031.md", POLICY.format(year=2031, limit=200, days=21))
    return house


async def test_each_question_is_answered_as_found_and_differs_from_what_was_asked(policies: House) -> None:
    question = "What is the nightly limit for hotels in “Travel policy 2031”?"
    answer = await policies.ask(question)
    before = await policies.workbench.truth.collection("run_events").find({})
    found = await policies.workbench.suggested.of("ada", answer.asked.run_id)
    assert found
    assert question not in found
    assert await policies.workbench.truth.collection("run_events").find({}) == before, "trials leave no trace"
    for each in found:
        following = await policies.ask(each, conversation_id=answer.asked.conversation.id)
        assert following.view.response
        assert following.view.response.confidence == "high", each


async def test_a_newer_answer_takes_the_place_of_an_older_one(policies: House, monkeypatch: pytest.MonkeyPatch) -> None:
    first = await policies.ask("What is the nightly limit for hotels in “Travel policy 2031”?")
    second = await policies.ask("Who issued “Travel policy 2030”?")
    begun, real = asyncio.Event(), policies.workbench.suggested._found

    async def slow(user_id: str, candidate: object) -> bool:
        begun.set()
        await asyncio.Event().wait()
        return True

    monkeypatch.setattr(policies.workbench.suggested, "_found", slow)
    older = asyncio.create_task(policies.workbench.suggested.of("ada", first.asked.run_id))
    await begun.wait()
    monkeypatch.setattr(policies.workbench.suggested, "_found", real)
    await policies.workbench.suggested.of("ada", second.asked.run_id)
    assert await older == []
