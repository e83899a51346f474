"""Tests the list of documents that a question is about: shown, removed, carried over, missing, asked for; and messages
without a request."""

from __future__ import annotations

import pytest

from core.events import Offered, Searched
from core.records.subject_matter import Chip
from tests.service.conftest import Open
from tests.service.house import POLICY, Answer, House


def annual(name: str, year: int, revenue: str, more: str = "") -> str:
    """Makes the text of an annual report whose cover names the company and the year."""
    return (
        f"FORM 10-K\n\nANNUAL REPORT PURSUANT TO SECTION 13 OR 15(d) OF THE SECURITIES EXCHANGE ACT OF 1934\n\n"
        f"For the fiscal year ended December 31, {year}\n\n{name}\n"
        f"(Exact name of registrant as specified in its charter)\n\n"
        f"# Results of operations\n\nRevenue was {revenue} million in {year}. Operating income was 9 million.\n\n"
        f"# Business\n\n{name} makes turbines and sells them. {more}\n"
    )


@pytest.fixture
async def filed(house: House) -> House:
    await house.read("nw30.txt", annual("Nordwind Corp.", 2030, "51", "Nordwind has 12 plants."))
    await house.read("nw31.txt", annual("Nordwind Corp.", 2031, "52"))
    await house.read("mg31.txt", annual("Marigold Inc.", 2031, "73", "Marigold employs 40 people."))
    await house.read("policy.md", POLICY)
    return house


def searched(answer: Answer) -> Searched:
    return [each.event for each in answer.entries if isinstance(each.event, Searched)][-1]


def chips(answer: Answer) -> dict[str, Chip]:
    return {each.key: each for each in searched(answer).chips}


def files(answer: Answer) -> set[str]:
    return {each.filename for each in answer.view.sources}


async def test_what_is_named_is_shown_and_can_be_taken_off(filed: House) -> None:
    question = "What was Nordwind's revenue in 2030?"
    answer = await filed.ask(question)
    assert {"organisation:Nordwind", "period:2030", "metric:revenue"} <= set(chips(answer))
    assert chips(answer)["organisation:Nordwind"].binds
    assert files(answer) == {"nw30.txt"}
    assert searched(answer).confidence > 0.9
    again = await filed.ask(question, without=["organisation:Nordwind"])
    assert "organisation:Nordwind" not in chips(again)
    assert searched(again).without == ["organisation:Nordwind"]
    free = await filed.ask(question, without=["period:2030"])
    assert "period:2030" not in chips(free)
    assert "nw31.txt" in files(free)


async def test_a_document_that_is_named_is_a_chip_and_can_be_taken_off(filed: House) -> None:
    question = 'What is said about hotels in @"Travel policy"?'
    answer = await filed.ask(question)
    chip = next(each for each in searched(answer).chips if each.kind == "document")
    assert (chip.label, chip.binds) == ("Travel policy", True)
    again = await filed.ask(question, without=[chip.key])
    assert not any(each.kind == "document" for each in searched(again).chips)


async def test_a_follow_up_takes_over_and_lets_go(filed: House) -> None:
    first = await filed.ask("What was Nordwind's revenue in 2031?")
    thread = first.asked.conversation.id
    before = await filed.ask("And in the year before?", conversation_id=thread)
    assert searched(before).question == "What was Nordwind's revenue in FY2030?"
    assert chips(before)["organisation:Nordwind"].meant == "carried"
    assert chips(before)["period:2030"].text == "the year before"
    assert files(before) == {"nw30.txt"}
    other = await filed.ask("ומה לגבי Marigold?", conversation_id=thread)
    assert files(other) >= {"mg31.txt"}
    assert chips(other)["metric:revenue"].meant == "carried"
    gone = await filed.ask("How much is reimbursed for a hotel in Haifa?", conversation_id=thread)
    assert not any(each.kind == "organisation" and each.binds for each in searched(gone).chips)
    assert files(gone) == {"policy.md"}


async def test_whose_report_is_meant_is_asked_and_remembered(filed: House) -> None:
    asked = await filed.ask("What was revenue in 2031?")
    assert asked.pending.question == "Whose report do you mean?"
    labels = [each.label for each in asked.pending.choices]
    assert labels[:2] in (
        ["Nordwind · Annual report · FY2031", "Marigold · Annual report · FY2031"],
        ["Marigold · Annual report · FY2031", "Nordwind · Annual report · FY2031"],
    )
    done = await filed.reply(asked, asked.choice("Marigold"))
    assert files(done) == {"mg31.txt"}
    after = await filed.ask("And operating income?", conversation_id=done.asked.conversation.id)
    assert files(after) == {"mg31.txt"}


async def test_what_is_named_and_not_there_is_said(filed: House) -> None:
    nobody = await filed.ask("What was Sunstone's revenue in 2031?")
    assert [(each.kind, each.name) for each in searched(nobody).absent] == [("organisation", "Sunstone")]
    assert nobody.view.response is not None
    assert "Sunstone" in nobody.view.response.text
    assert "73" not in nobody.view.response.text
    never = await filed.ask("What was Nordwind's revenue in 2012?")
    assert [(each.kind, each.name) for each in searched(never).absent] == [("period", "2012")]
    assert searched(never).confidence < 0.5
    assert never.view.response is not None
    assert never.view.response.kind == "nothing_found"


async def test_an_empty_question_gets_the_question_it_needs(filed: House) -> None:
    asked = await filed.ask("Tell me about it.")
    assert asked.pending.kind == "text_input"
    done = await filed.reply(asked, text="How many plants does Nordwind have in 2030?")
    assert files(done) == {"nw30.txt"}


@pytest.mark.parametrize("message", ["Hi!", "תודה רבה", "bye"])
async def test_courtesies_are_answered_as_such(filed: House, message: str) -> None:
    answer = await filed.ask(message)
    assert answer.view.response is not None
    assert answer.view.response.kind == "told"
    assert not answer.view.sources


async def test_what_somebody_tells_of_themselves_is_offered_to_be_kept(open_house: Open) -> None:
    house = await open_house()
    answer = await house.ask("I'm Dana, I audit vendors")
    assert answer.view.response is not None
    assert answer.view.response.kind == "told"
    offers = [each.event for each in answer.entries if isinstance(each.event, Offered)]
    assert [each.text for each in offers[0].offers] == ["I'm Dana.", "I audit vendors."]
    assert "I audit vendors." in answer.view.response.text


async def test_an_order_to_remember_two_things_makes_two_memories(open_house: Open) -> None:
    house = await open_house()
    answer = await house.ask("Remember that the audit starts in May and that Dana leads it.")
    offers = [each.event for each in answer.entries if isinstance(each.event, Offered)]
    assert len(offers[0].offers) == 2
