"""Tests questions of several steps: they are planned, looked up and answered from stored figures."""

from __future__ import annotations

import json

import pytest

from core.events import StepDetail
from core.records.answer import cited_numbers
from tests.servers.local import LocalServer, Request, answering, asks_for_json, chat_stream
from tests.service.conftest import Open
from tests.service.house import CONTRACT, POLICY, Answer, House
from tests.service.test_first_line import report

MANIFOLD = "What is reimbursed for a night in a hotel in Haifa? And how many days of notice must Pelagit give?"
PROPOSED = ["What is reimbursed for a hotel night in Haifa?", "How many days of notice must Pelagit give?"]


@pytest.fixture
async def house(open_house: Open) -> House:
    found = await open_house()
    await found.read("NORDVIK_2022_10K.html", report("Nordvik Corporation", 2400, 300, 2000))
    await found.read("SALTEN_2022_10K.html", report("Salten Corporation", 900, 90, 600))
    return found


async def test_the_company_that_grew_fastest_is_named_with_all_that_were_compared(house: House) -> None:
    answer = await house.ask("Which company in my library grew fastest?")
    response = answer.view.response
    assert response is not None
    assert response.answer is not None
    assert (response.answer.value, response.confidence) == ("Salten", "high")
    assert "+50 %" in response.text
    assert "| Nordvik |" in response.text
    assert "<table" in answer.view.html()


async def test_no_named_company_is_left_out(house: House) -> None:
    answer = await house.ask("Compare the net sales of Nordvik and Salten")
    response = answer.view.response
    assert response is not None
    assert all(part in response.text for part in ("$2,400 million", "$900 million"))
    assert cited_numbers(response.text) == {1, 2}, "each company cites its own passage, and these come first"
    steps = [entry.event.label.en for entry in answer.entries if entry.event.type == "step.created"]
    assert steps.count("Looking up") == 2


async def test_in_deep_a_plan_waits_and_runs_as_it_was_changed(house: House) -> None:
    asked = await house.ask("Compare the net sales of Nordvik and Salten", mode="deep")
    assert asked.pending.kind == "plan"
    kept = [step for step in asked.pending.steps if "Salten" in step.text]
    response = (await house.reply(asked, steps=kept)).view.response
    assert response is not None
    assert "$900 million" in response.text
    assert "$2,400 million" not in response.text


async def test_a_changed_step_keeps_the_period_of_the_question(house: House) -> None:
    asked = await house.ask("Compare the net sales of Nordvik and Salten in 2021", mode="deep")
    steps = [
        step.model_copy(update={"text": step.text.replace("net sales", "net income")}) for step in asked.pending.steps
    ]
    response = (await house.reply(asked, steps=steps)).view.response
    assert response is not None
    assert response.answer is not None
    assert {cell.period for cell in response.answer.cells} == {"2021"}
    assert "net income" in response.text.lower()


class Planner:
    """A model that proposes ``steps``, and counts how often it is asked for them."""

    def __init__(self, *steps: str) -> None:
        self.steps, self.asked, self.read = list(steps), 0, ""

    def __call__(self, request: Request) -> object:
        system = str(request.body["messages"][0]["content"])
        if '"steps"' in system:
            self.asked += 1
            said = {"actions": ["inquire"], "confidence": "high", "steps": self.steps}
            return chat_stream(json.dumps(said))
        if not asks_for_json(request):
            self.read = system
        return answering(chat_stream("Up to 560 shekels [1]; ninety days [2]."))(request)


async def planned(open_house: Open, server: LocalServer) -> House:
    house = await open_house(model="openai:m", model_base_url=f"{server.url}/v1")
    await house.read("policy.md", POLICY)
    await house.read("contract.md", CONTRACT)
    return house


def details(answer: Answer) -> list[str]:
    return [each.event.detail.en for each in answer.entries if isinstance(each.event, StepDetail)]


async def test_a_model_proposes_steps_and_each_is_searched_for(open_house: Open) -> None:
    planner = Planner(*PROPOSED)
    async with LocalServer(responder=planner) as server:
        house = await planned(open_house, server)
        answer = await house.ask(MANIFOLD)
        assert planner.asked == 1
        assert " · ".join(PROPOSED) in details(answer)
        assert all(any(each.startswith(f"{step}: ") for each in details(answer)) for step in PROPOSED)
        assert all(f"- {step} ([" in planner.read for step in PROPOSED)
        assert {each.filename for each in answer.view.sources} == {"policy.md", "contract.md"}
        await house.ask("What is reimbursed for a night in a hotel in Haifa?")
        await house.ask(MANIFOLD, mode="quick")
    assert planner.asked == 1, "a simple question and a quick one need no steps"


async def test_proposed_steps_wait_in_deep_and_run_as_changed(open_house: Open) -> None:
    planner = Planner(*PROPOSED)
    async with LocalServer(responder=planner) as server:
        house = await planned(open_house, server)
        asked = await house.ask(MANIFOLD, mode="deep")
        assert [step.text for step in asked.pending.steps] == PROPOSED
        kept = [step for step in asked.pending.steps if "notice" in step.text]
        await house.reply(asked, steps=kept)
    assert f"- {PROPOSED[1]} ([" in planner.read
    assert f"- {PROPOSED[0]} " not in planner.read


async def test_nonsense_is_no_plan(open_house: Open) -> None:
    planner = Planner("x" * 301, "How many days of notice must Pelagit give?")
    async with LocalServer(responder=planner) as server:
        answer = await (await planned(open_house, server)).ask(MANIFOLD, mode="deep")
    assert planner.asked == 1
    assert "one search is enough" in details(answer)
    assert answer.view.response is not None
    assert {each.filename for each in answer.view.sources} == {"policy.md", "contract.md"}
