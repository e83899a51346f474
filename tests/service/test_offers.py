"""Tests that a question's facts about the user are suggested after its answer, separately in each conversation."""

from __future__ import annotations

from core.events import Offered, OfferMade, StepCreated
from core.memory.memory import Memory
from tests.service.house import Answer, House
from viz.offers import offer_card


def offered(answer: Answer) -> list[OfferMade]:
    return [made for entry in answer.entries if isinstance(entry.event, Offered) for made in entry.event.offers]


def quiet(answer: Answer) -> bool:
    """Returns whether no step of the answer made suggestions."""
    labels = [entry.event.label.en for entry in answer.entries if isinstance(entry.event, StepCreated)]
    return "Suggesting things to remember" not in labels


async def known(memory: Memory, user: str = "ada") -> list[str]:
    return [item.text for item in await memory.bank.list(user)]


async def test_a_statement_beside_a_question_is_offered_and_then_known(house: House) -> None:
    memory = house.workbench.memory
    answer = await house.ask("I work as an auditor at Northwind Water. What is the lodging limit?")
    [made] = offered(answer)
    assert made.text == "I work as an auditor at Northwind Water."
    assert not quiet(answer)
    assert await known(memory) == []
    await memory.profile.accept("ada", made.offer_id)
    assert await known(memory) == ["I work as an auditor at Northwind Water."]
    context = await memory.get_cold_start_context("ada")
    assert "auditor at Northwind Water" in context
    again = await house.ask("I work as an auditor at Northwind Water. And the meal limit?")
    assert offered(again) == []
    assert quiet(again)


async def test_an_ordinary_question_offers_nothing(house: House) -> None:
    answer = await house.ask("What is the lodging limit in Israel?")
    assert offered(answer) == []
    assert quiet(answer)


async def test_an_order_to_remember_is_carried_out_and_can_be_undone(house: House) -> None:
    memory = house.workbench.memory
    answer = await house.ask("Remember that my manager is Ruth Cohen.")
    [made] = offered(answer)
    assert (made.text, made.command) == ("My manager is Ruth Cohen.", "remember")
    assert answer.view.response
    assert "My manager is Ruth Cohen." in answer.view.response.text
    assert 'data-state="accepted"' in answer.view.html()
    assert await known(memory) == ["My manager is Ruth Cohen."]
    undone = await memory.profile.undo("ada", made.offer_id)
    assert await known(memory) == []
    card = offer_card(made, undone.state, "en")
    assert "Remember this?" not in card
    await memory.profile.accept("ada", made.offer_id)
    assert await known(memory) == ["My manager is Ruth Cohen."]
    asked = await house.ask("What do you know about me?")
    assert asked.view.response
    assert "- My manager is Ruth Cohen. (" in asked.view.response.text
    assert [each.command for each in offered(asked)] == ["known"]
    assert 'data-state="declined"' in asked.view.html()
    again = await house.ask("Remember that my manager is Ruth Cohen.")
    assert offered(again) == []
    assert again.view.response
    assert "already" in again.view.response.text


async def test_an_order_to_forget_is_carried_out_and_can_be_undone(house: House) -> None:
    memory = house.workbench.memory
    await house.ask("Remember that my name is Dana.")
    answer = await house.ask("Forget my name")
    [made] = offered(answer)
    assert (made.text, made.command) == ("My name is Dana.", "forget")
    assert await known(memory) == []
    await memory.profile.undo("ada", made.offer_id)
    assert await known(memory) == ["My name is Dana."]


async def test_a_correction_replaces_the_fact_and_shows_both(house: House) -> None:
    memory = house.workbench.memory
    await house.ask("Remember that my budget is 30,000.")
    answer = await house.ask("No, my budget is 40,000, not 30,000")
    [made] = offered(answer)
    assert (made.text, made.was) == ("My budget is 40,000.", "My budget is 30,000.")
    assert await known(memory) == ["My budget is 40,000."]
    asked = await house.ask("What is my budget?")
    assert asked.view.response
    first, *others = asked.view.response.text.split("\n\n")
    assert "My budget is 40,000." in first
    assert "My budget is 30,000." in others[0]
    await memory.profile.undo("ada", made.offer_id)
    assert await known(memory) == ["My budget is 30,000."]


async def test_a_decline_holds_for_the_conversation(house: House) -> None:
    offers = house.workbench.memory.profile
    first = await house.ask("אני עובדת כמבקרת פנים בנורתווינד. מה תקרת הלינה?")
    [made] = offered(first)
    await offers.decline("ada", made.offer_id)
    conversation = first.asked.conversation.id
    again = await house.ask("אני עובדת כמבקרת פנים בנורתווינד. מה תקרת הארוחות?", conversation_id=conversation)
    assert offered(again) == []
    elsewhere = await house.ask("אני עובדת כמבקרת פנים בנורתווינד. מה תקרת הדלק?")
    assert offered(elsewhere) == []


async def test_two_people_have_offers_of_their_own(house: House) -> None:
    offers = house.workbench.memory.profile
    question = "My name is Dana. What is the lodging limit?"
    [hers] = offered(await house.ask(question))
    await offers.accept("ada", hers.offer_id)
    [theirs] = offered(await house.ask(question, user="bob"))
    assert theirs.offer_id != hers.offer_id
    assert await known(house.workbench.memory, "bob") == []
    assert [each.id for each in await offers.list("bob")] == [theirs.offer_id]


async def test_offers_come_back_with_the_answer_as_they_were_decided(house: House) -> None:
    answer = await house.ask("My name is Dana. I prefer tables to prose. What is the limit?")
    name, preference = offered(answer)
    await house.workbench.memory.profile.accept("ada", name.offer_id)
    await house.workbench.memory.profile.decline("ada", preference.offer_id)
    view = answer.view
    view.decided = await house.workbench.memory.profile.some("ada", [name.offer_id, preference.offer_id])
    html = view.html()
    assert f'data-offer="{name.offer_id}" data-state="accepted"' in html
    assert f'data-offer="{preference.offer_id}" data-state="declined"' in html
