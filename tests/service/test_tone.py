"""Tests that answers match the tone of the user's message, which is detected by rules, or by a model in the same call
as the title."""

from __future__ import annotations

import json

import pytest

from core.setting_groups import Tasks
from tests.servers.local import LocalServer
from tests.service.conftest import Open
from tests.service.house import Answer, House
from tests.service.test_model_calls import Scripted, calls_before_the_answer, furnished

INFERS = "Identify the tone"
UNSURE = "Sorry, what is reimbursed for a night in a hotel in Haifa?"
PLAIN = "What is reimbursed for a night in a hotel in Haifa?"
CASUAL = "hey, what do i get for a hotel night in haifa? thx"
FORMALLY, CASUALLY = "answer in a formal style", "answer in a relaxed, conversational style"


def inferred(tone: object, confidence: str = "high") -> str:
    return json.dumps({"tone": tone, "confidence": confidence})


def voices(server: LocalServer) -> list[str]:
    """Returns the prompts with which the answers were written."""
    prompts = [str(each.body["messages"][0]["content"]) for each in server.requests if each.body]
    return [each for each in prompts if "BEGIN SOURCES" in each and "bare JSON" not in each]


async def asked_twice(house: House, first: str, second: str = PLAIN) -> Answer:
    begun = await house.ask(first)
    return await house.ask(second, conversation_id=begun.asked.conversation.id)


async def test_what_a_model_infers_is_the_tone_of_the_next_answer(open_house: Open) -> None:
    async with LocalServer(responder=Scripted({INFERS: inferred("formal")})) as server:
        house = await furnished(open_house, server)
        answer = await asked_twice(house, UNSURE)
        first, second = voices(server)
    assert FORMALLY not in first
    assert FORMALLY in second
    assert any("formal tone" in each.event.detail.en for each in answer.entries if each.event.type == "step.detail")


@pytest.mark.parametrize(
    "nonsense",
    ["no", "{}", inferred("royal"), inferred(7), inferred("formal", "low"), '["formal"]', inferred("x" * 999)],
)
async def test_nonsense_changes_no_tone(open_house: Open, nonsense: str) -> None:
    async with LocalServer(responder=Scripted({INFERS: nonsense})) as server:
        answer = await asked_twice(await furnished(open_house, server), UNSURE)
        assert not any("changes the wording alone" in each for each in voices(server))
    assert answer.view.response is not None
    assert answer.view.response.text == "Up to 560 [1]."


async def test_what_a_rule_is_sure_of_no_model_is_asked(open_house: Open) -> None:
    async with LocalServer(responder=Scripted({INFERS: inferred("formal")})) as server:
        await asked_twice(await furnished(open_house, server), CASUAL)
        assert all(CASUALLY in each for each in voices(server)), "it goes on until another is shown"
        assert not any(INFERS in str(each.body) for each in server.requests)


async def test_nobody_waits_for_it(open_house: Open) -> None:
    async with LocalServer(responder=Scripted({INFERS: inferred("formal")})) as server:
        house = await furnished(open_house, server, dense_enabled=True)
        server.requests.clear()
        await house.ask(UNSURE)
        assert any(INFERS in str(each.body) for each in server.requests)
        assert calls_before_the_answer(server.requests) <= 2


async def test_it_can_be_switched_off(open_house: Open) -> None:
    async with LocalServer(responder=Scripted({INFERS: inferred("formal")})) as server:
        await asked_twice(await furnished(open_house, server, tasks=Tasks(tone=False)), UNSURE, CASUAL)
        assert not any(CASUALLY in each or FORMALLY in each for each in voices(server))
        assert not any(INFERS in str(each.body) for each in server.requests)
