"""Tests messages that ask or want several things."""

from __future__ import annotations

import pytest

from core.graph.nodes import understand
from core.question.destination import Destination, Wish
from tests.service.house import House

CATERING = (
    "# Catering contract Pot and Plate\n\nThe contract runs for two years from 1 September 2031.\n\n"
    "## Late food\n\nIf the food is more than 20 minutes late, the caterer pays 50 euros.\n"
)
SURVEY = "# Roof survey 2031\n\nThe surveyor Jane Holt inspected the roof on 3 March 2031.\n"


@pytest.fixture
async def office(house: House) -> House:
    await house.read("catering.md", CATERING)
    await house.read("survey.md", SURVEY)
    return house


async def test_each_question_of_a_message_is_answered_from_its_own_document(office: House) -> None:
    answer = await office.ask("1. what happens if the food is late\n2. who inspected the roof")
    response = answer.view.response
    assert response is not None
    first, second = response.text.split("### who inspected the roof")
    number = {source.title: f"[{source.number}]" for source in answer.view.sources}
    assert "50 euros" in first
    assert number["Catering contract Pot and Plate"] in first
    assert number["Roof survey 2031"] not in first
    assert "Jane Holt" in second
    assert number["Roof survey 2031"] in second


async def test_a_pronoun_in_the_second_question_means_the_first(office: House) -> None:
    answer = await office.ask("Who inspected the roof? And when did she do it?")
    response = answer.view.response
    assert response is not None
    assert "3 March 2031" in response.text.split("### And when did she do it?")[1]


async def test_a_further_wish_to_remember_is_carried_out(office: House, monkeypatch: pytest.MonkeyPatch) -> None:
    wishes = Destination(more=(Wish(place="remember", text="I prefer tables"),))
    monkeypatch.setattr(understand, "destination_of", lambda *_: wishes)
    answer = await office.ask("Who inspected the roof, and remember that I prefer tables")
    response = answer.view.response
    assert response is not None
    assert "Jane Holt" in response.text
    assert "I prefer tables" in response.text.splitlines()[-1]


async def test_a_question_after_a_command_is_answered_with_its_sources(
    office: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    wishes = Destination(wish=Wish(place="remember"), more=(Wish(place="documents", text="Who inspected the roof?"),))
    monkeypatch.setattr(understand, "destination_of", lambda *_: wishes)
    answer = await office.ask("Remember that I prefer tables. Who inspected the roof?")
    response = answer.view.response
    assert response is not None
    assert "Jane Holt" in response.text
    assert [source.title for source in answer.view.sources] == ["Roof survey 2031"]


async def test_an_order_and_a_question_are_both_served_without_asking_which(office: House) -> None:
    answer = await office.ask("Summarize the catering contract. Who inspected the roof?")
    response = answer.view.response
    assert response is not None
    assert response.action == "summarize"
    summary, found = response.text.split("### Who inspected the roof?")
    assert "two years" in summary
    assert "Jane Holt" in found
