"""Tests versions of questions: editing a sent question, going back, and what each version knows and remembers."""

from __future__ import annotations

import json
from typing import Any

import pytest

from core.errors import PalimpsestError
from core.graph.stream import thread_state
from core.runs.records import TurnStart
from core.store.truth import Change
from pages.actions import Chosen
from pages.handlers.chat import Chat, Question
from pages.handlers.conversations import exported, transcript_of
from tests.service.calling import Endpoints, Someone
from tests.service.conftest import Open
from tests.service.house import POLICY, Answer, House

HOTEL = "What is reimbursed for a night in a hotel in Haifa?"
DINNER = "How much is reimbursed for dinner?"
FERRY = "Who repairs the ferry?"


@pytest.fixture
async def asked(house: House) -> tuple[House, Answer, Answer]:
    """A conversation of two turns."""
    await house.read("policy.md", POLICY)
    first = await house.ask(HOTEL)
    return house, first, await house.ask(DINNER, conversation_id=first.asked.conversation.id)


async def questions(house: House, answer: Answer) -> list[str]:
    turns = await house.workbench.conversations.turns("ada", answer.asked.conversation.id)
    return [turn.asked.text for turn in turns]


async def known(house: House, answer: Answer) -> list[str]:
    """The questions in the history of the thread in which ``answer`` was given."""
    run = await house.workbench.run("ada", answer.asked.run_id)
    state = await thread_state(house.workbench._turns._agent, run.thread or str(run.conversation_id))
    return [turn["question"] for turn in state["turns"]]


async def remembered(house: House) -> dict[str, str]:
    """Question → status of the exchanges in the memory."""
    items = await house.workbench._items.find("ada", {"kind": "exchange"})
    return {each.exchange.question: each.status for each in items if each.exchange}


async def test_an_edited_question_goes_on_from_its_turn(asked: tuple[House, Answer, Answer]) -> None:
    house, first, second = asked
    edited = await house.ask(FERRY, replaces=second.asked.run_id)
    assert await questions(house, first) == [HOTEL, FERRY]
    assert await known(house, edited) == [HOTEL, FERRY]
    third = await house.ask(DINNER, conversation_id=first.asked.conversation.id)
    assert await known(house, third) == [HOTEL, FERRY, DINNER], "the thread goes on from the edited turn"
    said = await house.workbench.conversations.said("ada", 100)
    assert [each.text for _, each in said if each.role == "user"] == [HOTEL, FERRY, DINNER], "no replaced version"
    left: Any = await Endpoints(house).conversation_memory(first.asked.conversation.id)
    assert [each["question"] for each in left["asked"]] == [DINNER, FERRY, HOTEL], "nor on the memory page"


async def test_the_first_question_takes_its_turns_with_it_and_brings_them_back(
    asked: tuple[House, Answer, Answer],
) -> None:
    house, first, second = asked
    edited = await house.ask(DINNER + " Please.", replaces=first.asked.run_id)
    assert await questions(house, first) == [DINNER + " Please."]
    assert await known(house, edited) == [DINNER + " Please."]
    assert await remembered(house) == {HOTEL: "archived", DINNER: "archived", DINNER + " Please.": "active"}
    title = (await house.workbench.conversations.get("ada", first.asked.conversation.id)).title
    assert title == DINNER + " Please."

    await house.workbench.choose_version("ada", first.asked.run_id)
    assert await questions(house, first) == [HOTEL, DINNER]
    assert await remembered(house) == {HOTEL: "active", DINNER: "active", DINNER + " Please.": "archived"}
    third = await house.ask(FERRY, conversation_id=first.asked.conversation.id)
    assert await known(house, third) == [HOTEL, DINNER, FERRY]
    (turn, *_) = await house.workbench.conversations.turns("ada", first.asked.conversation.id)
    assert turn.versions == (first.asked.run_id, edited.asked.run_id)
    assert second.asked.run_id not in turn.versions


async def test_turns_that_a_thread_no_longer_holds_are_read_from_their_runs(
    asked: tuple[House, Answer, Answer],
) -> None:
    house, first, second = asked
    thread = first.asked.conversation.id
    await house.workbench._turns._checkpointer.adelete_thread(thread)
    edited = await house.ask(FERRY, replaces=second.asked.run_id)
    assert await known(house, edited) == [HOTEL, FERRY]


async def test_a_turn_of_an_earlier_release_can_be_edited(asked: tuple[House, Answer, Answer]) -> None:
    house, first, second = asked
    messages = house.workbench.truth.collection("messages")
    await messages.update_where({"user_id": "ada"}, Change(set={"after": None, "start": None}))
    edited = await house.ask(FERRY, replaces=second.asked.run_id)
    assert await questions(house, first) == [HOTEL, FERRY]
    assert await known(house, edited) == [HOTEL, FERRY]


async def test_what_was_known_before_a_turn_is_stored_with_it(asked: tuple[House, Answer, Answer]) -> None:
    house, first, _ = asked
    before, after = await house.workbench.conversations.turns("ada", first.asked.conversation.id)
    assert before.asked.start == TurnStart()
    assert after.asked.start is not None
    assert (after.asked.start.number, after.asked.start.asked) == (1, HOTEL)


async def test_nobody_edits_the_question_of_another(asked: tuple[House, Answer, Answer]) -> None:
    house, first, second = asked
    for attempt in (
        house.workbench.ask("bob", FERRY, replaces=first.asked.run_id),
        house.workbench.choose_version("bob", first.asked.run_id),
    ):
        with pytest.raises(PalimpsestError) as refused:
            await attempt
        assert refused.value.problem.category == "not_found"
    await house.ask(FERRY, replaces=first.asked.run_id)
    with pytest.raises(PalimpsestError):
        await house.workbench.ask("ada", FERRY, replaces=second.asked.run_id)
    assert await questions(house, first) == [FERRY]


async def test_a_waiting_question_is_exported_with_its_choices_and_ends_when_it_is_edited(house: House) -> None:
    for year in (2030, 2031):
        await house.read(f"mill-{year}.md", f"# Mill lease {year}\n\nThe yearly fee of the mill is {year} shekels.\n")
    waiting = await house.ask("What is the yearly fee in the mill lease?")
    pending, conversation = waiting.pending, waiting.asked.conversation.id
    transcript = await transcript_of(house.workbench, "ada", conversation)
    (turn,) = json.loads(exported(transcript, "json", "en"))["turns"]
    assert turn["pending"]["run_id"] == waiting.asked.run_id
    assert [each["id"] for each in turn["pending"]["choices"]] == [each.id for each in pending.choices]
    text = exported(transcript, "markdown", "en")
    assert f"`{pending.interrupt_id}`" in text
    assert all(f"`{each.id}`" in text for each in pending.choices)
    edited = await house.ask("What is the yearly fee in the mill lease of 2031?", replaces=waiting.asked.run_id)
    assert "2031" in edited.view.html()
    assert (await house.workbench.run("ada", waiting.asked.run_id)).outcome == "cancelled"


async def test_asked_again_with_the_card(house: House) -> None:
    for year in (2030, 2031):
        await house.read(f"mill-{year}.md", f"# Mill lease {year}\n\nThe yearly fee of the mill is {year} shekels.\n")
    question = "What is the yearly fee in the mill lease?"
    waiting = await house.ask(question)
    chosen = await house.reply(waiting, waiting.pending.choices[0].id)
    again = await house.ask(question, replaces=chosen.asked.run_id)
    assert [each.id for each in again.pending.choices] == [each.id for each in waiting.pending.choices]


async def test_a_deleted_conversation_leaves_no_thread_of_any_version(open_house: Open) -> None:
    house = await open_house()
    await house.read("policy.md", POLICY)
    first = await house.ask(HOTEL)
    edited = await house.ask(DINNER, replaces=first.asked.run_id)
    run = await house.workbench.run("ada", edited.asked.run_id)
    await house.workbench.delete_conversation("ada", first.asked.conversation.id)
    await house.workbench._conversation_removal.finish(undo_seconds=0.0)
    for thread in (first.asked.conversation.id, str(run.thread)):
        assert await thread_state(house.workbench._turns._agent, thread) == {}


async def test_the_page_shows_the_current_versions(asked: tuple[House, Answer, Answer]) -> None:
    house, first, _ = asked
    chat = Chat(house.workbench, Someone("ada"))
    reply = await chat.ask("ada", Question(text=FERRY, replaces=first.asked.run_id))
    await house.entries("ada", str(reply["run"]))
    opened = await chat.open_conversation("ada", Chosen(id=first.asked.conversation.id))
    shown, answer = opened["messages"]
    assert (shown["text"], shown["versions"]) == (FERRY, [first.asked.run_id, reply["run"]])
    assert answer["versions"] == []
