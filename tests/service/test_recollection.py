"""Tests that questions about earlier conversations are answered from them, with date and conversation."""

from __future__ import annotations

import pytest

from core.events import Response, Source
from tests.servers.local import LocalServer, answering, asks_for_json, chat_stream
from tests.service.conftest import Open
from tests.service.house import POLICY, Answer, House


async def said(house: House, question: str, answer: str, user: str = "ada") -> str:
    """Stores an exchange as a conversation; returns the conversation's id."""
    workbench = house.workbench
    conversation = await workbench.conversations.start(user, question)
    run = await workbench.ledger.start(user, "question", question, conversation_id=conversation.id)
    await workbench.conversations.add_turn(conversation, question, run_id=run.id, language="en", mode="enhanced")
    await workbench.ledger.append(run, 2, [Response(kind="generated", text=answer, language="en")])
    await workbench.ledger.end(run, "answered")
    return conversation.id


def reply(answer: Answer) -> Response:
    assert answer.view.response
    return answer.view.response


def cited(answer: Answer) -> list[Source]:
    return [source for source in answer.view.sources if f"[{source.number}]" in reply(answer).text]


async def test_a_later_decision_answers_and_the_earlier_one_stays_visible(house: House) -> None:
    first = await said(house, "Lodging for Ghent: we take the guest house.", "Noted: guest house.")
    second = await said(house, "The guest house is full. For Ghent we go for the Hotel Reep after all.", "Understood.")
    answer = await house.ask("Which lodging in Ghent did we choose in the end?")
    now, before = reply(answer).text.split("\n\n")
    assert "Hotel Reep" in now
    assert "we take the guest house" in before
    assert [(each.kind, each.document_id) for each in cited(answer)] == [
        ("conversation", second),
        ("conversation", first),
    ]
    assert f'data-cite="{cited(answer)[0].number}"' in answer.view.html()


async def test_what_was_never_said_is_answered_in_one_sentence(house: House) -> None:
    await said(house, "My sister Liv is allergic to nuts.", "I will leave nuts out.")
    answer = reply(await house.ask("Did I ever tell you when Liv's birthday is?"))
    assert answer.kind == "nothing_found"
    assert answer.text.startswith("No, nothing in our conversations")
    assert "\n" not in answer.text


async def test_nobody_reads_the_conversations_of_another(house: House) -> None:
    await said(house, "My sister Liv is allergic to nuts.", "I will leave nuts out.")
    answer = reply(await house.ask("What did I tell you about my sister Liv?", user="bob"))
    assert answer.kind == "nothing_found"
    assert "nuts" not in answer.text


async def test_a_time_lists_what_was_said_then(house: House) -> None:
    await said(house, "Does the night train take bicycles?", "Yes, with a reservation.")
    answer = reply(await house.ask("What did we talk about today?"))
    assert "Does the night train take bicycles?" in answer.text
    assert reply(await house.ask("What did we talk about last year?")).kind == "nothing_found"


async def test_a_fact_about_the_user_is_the_whole_answer(house: House) -> None:
    await house.ask("Remember that my name is Dana.")
    await house.ask("Remember that my manager is Ruth Cohen.")
    answer = await house.ask("What is my name?")
    assert "My name is Dana." in reply(answer).text
    assert "Ruth" not in reply(answer).text
    assert [each.kind for each in cited(answer)] == ["memory"]


async def test_a_forgotten_fact_is_not_recalled_from_the_conversation(house: House) -> None:
    await said(house, "My dentist is Doctor Meerbaum.", "Good to know.")
    await house.ask("Remember that my dentist is Doctor Meerbaum.")
    assert "Meerbaum" in reply(await house.ask("What did I tell you about my dentist?")).text
    await house.ask("Forget my dentist")
    assert "Meerbaum" not in reply(await house.ask("What did I tell you about my dentist?")).text


async def test_a_wish_about_form_acts_on_the_next_answer(house: House) -> None:
    await house.read("policy.md", POLICY)
    asked = "What does the policy say about a night in a hotel and about dinner?"
    usual = reply(await house.ask(asked))
    assert len(usual.quotes) > 1
    noted = await house.ask("Answer in one sentence.")
    assert reply(noted).kind == "told"
    assert len(reply(await house.ask(asked, conversation_id=noted.asked.conversation.id)).quotes) == 1


FACTS = (
    "I work in procurement",
    "I live in Haifa",
    "I am an engineer",
    "I prefer short answers",
    "I speak three languages",
    "I am responsible for the fleet",
    "I lead a team of four",
)


async def test_a_model_reads_the_exchanges_in_full(open_house: Open) -> None:
    answer_text = chat_stream("The Hotel Reep [1].", usage=(100, 10))
    async with LocalServer(responder=answering(answer_text)) as server:
        house = await open_house(model="openai:m", model_base_url=f"{server.url}/v1")
        talk = await said(house, "For Ghent we go for the Hotel Reep after all.", "Understood, for all four nights.")
        for fact in FACTS:
            await house.ask(f"Remember that {fact}.")
        server.requests.clear()
        answer = await house.ask("Which hotel in Ghent did we choose?")
    prompts = [str(each.body) for each in server.requests if not asks_for_json(each)]
    assert any("Hotel Reep after all" in each and "for all four nights" in each for each in prompts)
    assert not any("There is no memory that is relevant" in each for each in prompts if "Hotel Reep after all" in each)
    assert any("About the user" in each and all(fact in each for fact in FACTS) for each in prompts)
    assert not any("BEGIN DATASETS" in each for each in prompts)
    assert reply(answer).kind == "generated"
    assert [each.document_id for each in cited(answer)] == [talk]


async def test_a_question_that_nothing_bears_on_was_never_answered(house: House) -> None:
    await house.ask("hello")
    await house.ask("My name is Ruth and I work in procurement.")
    answer = reply(await house.ask("What is my budget?"))
    assert answer.kind == "nothing_found"
    assert "budget" in answer.text
    assert "\n" not in answer.text


async def test_a_question_about_the_library_is_not_answered_from_conversations(house: House) -> None:
    await house.read("policy.md", POLICY)
    await house.ask("What can you do?")
    await house.ask("My library card expires in May.")
    for asked in ("What is in my library?", "מה יש בספרייה שלי?"):
        assert not [each for each in (await house.ask(asked)).view.sources if each.kind in ("conversation", "memory")]


async def test_what_was_only_said_is_forgotten_and_can_be_recalled_after_undo(house: House) -> None:
    said_first = await house.ask("My name is Ruth and I work in procurement.")
    talk = said_first.asked.conversation.id
    assert "Ruth" in reply(await house.ask("What is my name?", conversation_id=talk)).text
    done = await house.ask("Forget my name.", conversation_id=talk)
    assert "My name is Ruth." in reply(done).text
    assert reply(await house.ask("What is my name?", conversation_id=talk)).kind == "nothing_found"
    assert "procurement" in reply(await house.ask("What did I tell you about procurement?")).text
    profile = house.workbench.memory.profile
    [card] = await profile.of_message("ada", done.asked.run_id)
    await profile.undo("ada", card.id)
    assert "Ruth" in reply(await house.ask("What is my name?")).text
    assert await house.workbench.memory.bank.list("ada") == []
    await profile.accept("ada", card.id)
    assert reply(await house.ask("What is my name?")).kind == "nothing_found"


async def test_a_model_does_not_read_what_was_forgotten(open_house: Open) -> None:
    async with LocalServer(responder=answering(chat_stream("No idea.", usage=(100, 10)))) as server:
        house = await open_house(model="openai:m", model_base_url=f"{server.url}/v1")
        await house.read("policy.md", POLICY)
        talk = (await house.ask("My name is Ruth and I work in procurement.")).asked.conversation.id
        await house.ask("Forget my name.", conversation_id=talk)
        server.requests.clear()
        await house.ask("What does the policy say about dinner?", conversation_id=talk)
    prompts = "\n".join(str(each.body) for each in server.requests)
    assert "procurement" in prompts
    assert "Ruth" not in prompts


async def test_an_order_to_forget_finds_a_fact_in_the_other_language(house: House) -> None:
    await house.ask("Remember that my budget is 40,000.")
    assert "40,000" in reply(await house.ask("שכח את התקציב שלי")).text
    assert await house.workbench.memory.bank.list("ada") == []


@pytest.mark.parametrize(
    ("order", "asked", "wished"),
    [
        ("Answer in Hebrew from now on", "What does the policy say about dinner?", "he"),
        ("מעכשיו תענה באנגלית", "מה כתוב במדיניות על ארוחת ערב?", "en"),
    ],
)
async def test_an_order_about_the_language_holds_for_all_conversations_until_undone(
    house: House, order: str, asked: str, wished: str
) -> None:
    await house.read("policy.md", POLICY)
    before = reply(await house.ask(asked)).language
    done = await house.ask(order)
    assert (reply(done).kind, reply(done).language) == ("told", wished)
    assert reply(await house.ask(asked)).language == wished != before
    assert reply(await house.ask("hello")).language == wished
    profile = house.workbench.memory.profile
    [card] = await profile.of_message("ada", done.asked.run_id)
    assert (card.command, card.state) == ("remember", "accepted")
    await profile.undo("ada", card.id)
    assert reply(await house.ask(asked)).language == before


async def test_a_model_is_asked_for_the_wished_language(open_house: Open) -> None:
    async with LocalServer(responder=answering(chat_stream("120 [1].", usage=(100, 10)))) as server:
        house = await open_house(model="openai:m", model_base_url=f"{server.url}/v1")
        await house.read("policy.md", POLICY)
        await house.ask("Answer in Hebrew from now on.")
        server.requests.clear()
        answer = reply(await house.ask("What does the policy say about dinner?"))
    prompts = [str(each.body) for each in server.requests if not asks_for_json(each)]
    assert answer.language == "he"
    assert any("Hebrew" in each for each in prompts)


async def test_without_documents_a_later_statement_answers_a_question_that_speaks_of_no_talk(house: House) -> None:
    await said(house, "The rent for the studio is 840 euros a month.", "Noted.")
    await said(house, "The landlord has raised the rent for the studio to 910 euros.", "That is 70 euros more.")
    now = reply(await house.ask("How much is the rent for the studio?")).text
    assert "910" in now
    assert "70 euros more" in now
    assert "840" not in now
