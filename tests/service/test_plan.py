"""Tests questions of several steps: they are planned, looked up and answered from stored figures."""

from __future__ import annotations

import pytest

from core.records.answer import cited_numbers
from tests.service.conftest import Open
from tests.service.house import House
from tests.service.test_first_line import report


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
    assert len(cited_numbers(response.text)) == 2
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
