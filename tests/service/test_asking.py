"""Tests a run that asks for clarification: it waits, resumes where it stopped, and refuses answers that do not fit."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, TypedDict

import pytest
from langgraph.graph import START, StateGraph
from langgraph.types import interrupt

from core.errors import PalimpsestError
from core.events import Answered, Interrupted
from core.graph.interrupts import ALL, Reply
from core.graph.state import PastTurn
from core.records.interrupts import RUN, PlanStep
from core.search.documents.coverage import SearchCoverage
from pages.handlers.conversations import transcript_of
from tests.servers.local import LocalServer, chat_stream
from tests.service import asking_agent
from tests.service.asking_agent import WHAT, WHICH
from tests.service.conftest import Open
from tests.service.house import CONTRACT, POLICY, Answer, House, until

ASK = "Compare it."
Tell = Callable[[House, Answer], Awaitable[None]]


@pytest.fixture(autouse=True)
def _small_agent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("core.graph.agent.build_agent", asking_agent.build)


@pytest.fixture
async def furnished(house: House) -> House:
    await house.read("policy.md", POLICY)
    await house.read("contract.md", CONTRACT)
    return house


async def waits(house: House, answer: Answer) -> None:
    """Waits until the run is recorded as waiting for the answer: its question may be visible a moment earlier."""

    async def waiting() -> bool:
        run = await house.workbench.ledger.get("ada", answer.asked.run_id)
        return (run.state, run.waiting_for) == ("waiting", answer.pending.interrupt_id)

    await until(waiting, "the pause")


async def test_the_same_run_goes_on_through_two_questions(furnished: House) -> None:
    first = await furnished.ask(ASK)
    assert first.pending.question == WHICH
    assert {choice.label for choice in first.pending.choices} == {"policy.md", "contract.md", "All of these"}
    await waits(furnished, first)
    second = await furnished.reply(first, first.choice("policy.md"))
    assert second.pending.question == WHAT
    done = await furnished.reply(second, text="the law")
    assert done.view.outcome == "answered"
    assert done.view.response is not None
    assert done.view.response.text == "thought about the law"
    assert [entry.sequence for entry in done.entries] == list(range(1, len(done.entries) + 1))
    assert [e.event for e in done.entries if isinstance(e.event, Answered)] == [
        Answered(interrupt_id=first.pending.interrupt_id, labels=["policy.md"]),
        Answered(interrupt_id=second.pending.interrupt_id, text="the law"),
    ]
    steps = [entry.event.step_id for entry in done.entries if entry.event.type == "step.created"]
    assert len(steps) == len(set(steps)) == 2
    assert await furnished.outcomes_of(done.asked.run_id) == ["answered"]
    assert len(await furnished.workbench.conversations.messages("ada", done.asked.conversation.id)) == 2


async def test_no_work_is_paid_twice(open_house: Open) -> None:
    async with LocalServer(chat_stream("thought")) as server:
        house = await open_house(model="openai:m", model_base_url=f"{server.url}/v1", openai_api_key="k")
        await house.read("policy.md", POLICY)
        server.requests.clear()
        first = await house.ask(ASK)
        assert len(server.requests) == 1
        second = await house.reply(first, ALL)
        assert len(server.requests) == 1
        done = await house.reply(second, text="the law")
        assert len(server.requests) == 2
    assert done.view.outcome == "answered"


@pytest.mark.parametrize("restarted", [False, True], ids=["same process", "another process"])
async def test_a_waiting_run_is_still_there(open_house: Open, furnished: House, restarted: bool) -> None:
    first = await furnished.ask(ASK)
    house = furnished
    if restarted:
        await furnished.workbench.stop()
        house = await open_house()
    await waits(house, first)
    again = await house.workbench.ledger.entries("ada", first.asked.run_id)
    assert again == first.entries
    second = await house.reply(first, ALL)
    if restarted:
        await house.workbench.stop()
        house = await open_house()
    done = await house.reply(second, text="x")
    assert done.view.outcome == "answered"


async def test_cancelling_adds_no_answer_and_the_next_question_is_taken_at_once(furnished: House) -> None:
    first = await furnished.ask(ASK)
    thread = first.asked.conversation.id
    await furnished.workbench.resume("ada", first.asked.run_id, first.pending.interrupt_id, None)
    next_one = await furnished.ask(ASK, conversation_id=thread)
    assert await furnished.outcomes_of(first.asked.run_id) == ["cancelled"]
    entries = await furnished.entries("ada", first.asked.run_id)
    assert not any(entry.event.type in ("response", "assistant.delta", "error") for entry in entries)
    assert next_one.pending.interrupt_id != first.pending.interrupt_id
    done = await furnished.reply(await furnished.reply(next_one, ALL), text="x")
    assert done.view.outcome == "answered"
    agent = furnished.workbench._turns._agent
    kept = (await agent.graph.aget_state({"configurable": {"thread_id": thread}})).values
    assert len(kept["turns"]) == 1
    assert set(kept["conversation_docs"]) == {"Travel policy", "Metering contract"}


async def test_cancel_and_send_at_once(furnished: House) -> None:
    first = await furnished.ask(ASK)
    _, asked = await asyncio.gather(
        furnished.workbench.cancel("ada", first.asked.run_id),
        furnished.workbench.ask("ada", ASK, conversation_id=first.asked.conversation.id),
    )
    assert (await furnished.entries("ada", asked.run_id))[-1].event.type == "interrupt"


async def test_a_waiting_conversation_takes_no_second_question(furnished: House) -> None:
    first = await furnished.ask(ASK)
    with pytest.raises(PalimpsestError) as caught:
        await furnished.workbench.ask("ada", "Something else", conversation_id=first.asked.conversation.id)
    assert "waiting for your answer" in caught.value.problem.what.en
    assert (await furnished.ask(ASK)).pending.question == WHICH
    await waits(furnished, first)


REFUSED: dict[str, tuple[Reply, str]] = {
    "an option that does not exist": (Reply(choice_ids=["doc_nothing"]), "option does not exist"),
    "words where one chooses": (Reply(text="policy.md"), "Choose one of the options"),
    "several where one is asked": (Reply(choice_ids=["policy.md", "contract.md"]), "Only one"),
    "nothing": (Reply(), "does not answer the question"),
    "choice and words": (Reply(choice_ids=[ALL], text="and more"), "does not answer the question"),
    "blanks": (Reply(text="  \u202e\x00 "), "does not answer the question"),
}


@pytest.mark.parametrize("case", REFUSED)
async def test_what_does_not_fit_is_refused_and_the_pause_stays(furnished: House, case: str) -> None:
    first = await furnished.ask(ASK)
    reply, words = REFUSED[case]
    ids = {choice.label: choice.id for choice in first.pending.choices}
    reply = Reply(choice_ids=[ids.get(each, each) for each in reply.choice_ids], text=reply.text)
    with pytest.raises(PalimpsestError, match=words):
        await furnished.workbench.resume("ada", first.asked.run_id, first.pending.interrupt_id, reply)
    await waits(furnished, first)
    assert (await furnished.reply(first, ALL)).pending.question == WHAT


async def test_a_choice_where_words_are_asked_is_refused(furnished: House) -> None:
    second = await furnished.reply(await furnished.ask(ASK), ALL)
    for reply in (Reply(choice_ids=[ALL]), Reply(text="x" * 100_000)):
        with pytest.raises(PalimpsestError):
            await furnished.workbench.resume("ada", second.asked.run_id, second.pending.interrupt_id, reply)
    await waits(furnished, second)


async def test_a_second_click_and_an_old_card_are_refused(furnished: House) -> None:
    first = await furnished.ask(ASK)
    clicks = await asyncio.gather(*(furnished.reply(first, ALL) for _ in range(4)), return_exceptions=True)
    taken = [each for each in clicks if isinstance(each, Answer)]
    assert len(taken) == 1
    refused = [each for each in clicks if isinstance(each, PalimpsestError)]
    assert {each.problem.category for each in refused} == {"validation"}
    with pytest.raises(PalimpsestError, match="already been answered"):
        await furnished.reply(first, ALL)
    await waits(furnished, taken[0])


async def test_resuming_what_does_not_wait_is_refused(furnished: House) -> None:
    first = await furnished.ask("once")
    done = await furnished.reply(first, ALL)
    assert done.view.outcome == "answered"
    with pytest.raises(PalimpsestError, match="no question to answer"):
        await furnished.workbench.resume("ada", first.asked.run_id, first.pending.interrupt_id, None)
    with pytest.raises(PalimpsestError, match="does not exist"):
        await furnished.workbench.resume("ada", "run_" + "0" * 32, first.pending.interrupt_id, None)
    assert await furnished.outcomes_of(first.asked.run_id) == ["answered"]


async def test_the_run_of_another_is_nobodys_to_answer(furnished: House) -> None:
    first = await furnished.ask(ASK)
    for reply in (Reply(choice_ids=[ALL]), None):
        with pytest.raises(PalimpsestError, match="does not exist"):
            await furnished.workbench.resume("bob", first.asked.run_id, first.pending.interrupt_id, reply)
    await furnished.workbench.cancel("ada", first.asked.run_id)
    assert await furnished.outcomes_of(first.asked.run_id) == ["cancelled"]


async def test_several_may_be_chosen_where_it_says_so(furnished: House) -> None:
    first = await furnished.ask("several once")
    both = [choice.id for choice in first.pending.choices if choice.id != ALL]
    done = await furnished.reply(first, *both, both[0])
    assert done.view.response is not None
    assert all(each in done.view.response.text for each in both)
    assert any(isinstance(e.event, Answered) and len(e.event.labels) == 2 for e in done.entries)


async def test_a_document_deleted_meanwhile_is_said_and_the_others_remain(furnished: House) -> None:
    first = await furnished.ask("once")
    policy = first.choice("policy.md")
    await furnished.workbench.library.delete("ada", policy)
    with pytest.raises(PalimpsestError, match=r"policy\.md is no longer"):
        await furnished.reply(first, policy)
    await waits(furnished, first)
    done = await furnished.reply(first, first.choice("contract.md"))
    assert done.view.outcome == "answered"


async def test_when_every_document_was_deleted_cancel_is_left(furnished: House) -> None:
    first = await furnished.ask("once")
    for document in await furnished.workbench.library.find("ada"):
        await furnished.workbench.library.delete("ada", document.id)
    with pytest.raises(PalimpsestError, match="no longer"):
        await furnished.reply(first, ALL)
    await furnished.workbench.cancel("ada", first.asked.run_id)
    again = await furnished.ask("once", conversation_id=first.asked.conversation.id)
    assert again.pending.kind == "retrieval_low"
    assert (await furnished.reply(again, "continue")).view.outcome == "answered"


async def test_a_place_that_is_lost_is_said_and_the_thread_goes_on(furnished: House) -> None:
    first = await furnished.ask("once")
    await furnished.workbench._turns._checkpointer.adelete_thread(first.asked.conversation.id)
    failed = await furnished.reply(first, ALL)
    assert failed.view.outcome == "failed"
    assert failed.view.problem is not None
    assert "cannot continue" in failed.view.problem.what.en
    again = await furnished.ask("once", conversation_id=first.asked.conversation.id)
    assert (await furnished.reply(again, ALL)).view.outcome == "answered"


async def test_a_plan_runs_as_it_is_or_as_the_user_changed_it(furnished: House) -> None:
    asked = await furnished.ask("once, by plan")
    assert (asked.pending.kind, asked.pending.steps) == ("plan", asking_agent.STEPS)
    whole = await furnished.reply(asked, RUN)
    assert "about The rent of 2023, The rent of 2024" in whole.view.response.text
    asked = await furnished.ask("once, by plan", conversation_id=asked.asked.conversation.id)
    changed = await furnished.reply(asked, steps=[PlanStep(id="2", text="The rent of 2025")])
    assert changed.view.response.text.endswith("about The rent of 2025")
    transcript = await transcript_of(furnished.workbench, "ada", asked.asked.conversation.id)
    first, second = (turn.asked_back[0] for turn in transcript.turns)
    assert "1. The rent of 2023\n2. The rent of 2024" in first.question
    assert (first.answer, second.answer) == ("Run", "1. The rent of 2025")


@pytest.mark.parametrize("ids", [["3"], ["1", "1"]])
async def test_a_plan_is_not_run_with_a_step_that_it_does_not_have(furnished: House, ids: list[str]) -> None:
    asked = await furnished.ask("once, by plan")
    with pytest.raises(PalimpsestError, match="no step of the plan"):
        await furnished.reply(asked, steps=[PlanStep(id=each) for each in ids])
    kept = await furnished.reply(asked, steps=[PlanStep(id="1")])
    assert kept.view.response.text.endswith("about The rent of 2023")


async def test_a_column_is_chosen_among_those_with_sample_values(furnished: House) -> None:
    asked = await furnished.ask("once, by column")
    assert (asked.pending.kind, asked.pending.choices) == ("column_choice", asking_agent.COLUMNS)
    assert (await furnished.reply(asked, "c2")).view.response.text.endswith("about c2")


class _FlatState(TypedDict, total=False):
    """The state as it was saved before its fields were in groups."""

    run_id: str
    question: str
    reach: SearchCoverage
    turns: list[PastTurn]


async def test_a_run_that_waited_before_an_update_is_said_to_be_lost_and_its_thread_goes_on(furnished: House) -> None:
    first = await furnished.ask("once")
    thread, turns = first.asked.conversation.id, furnished.workbench._turns
    await turns._checkpointer.adelete_thread(thread)
    graph = StateGraph(_FlatState).add_node("ask_which", lambda _: interrupt({}))
    earlier = graph.add_edge(START, "ask_which").compile(checkpointer=turns._checkpointer)
    past = [PastTurn(question="Who pays?", answer="Ada.", number=1)]
    saved: Any = {"run_id": first.asked.run_id, "question": "once", "reach": SearchCoverage(), "turns": past}
    await earlier.ainvoke(saved, {"configurable": {"thread_id": thread}}, durability="exit")
    failed = await furnished.reply(first, ALL)
    assert failed.view.problem is not None
    assert "cannot continue" in failed.view.problem.what.en
    again = await furnished.ask("once", conversation_id=thread)
    assert (await furnished.reply(again, ALL)).view.outcome == "answered"
    kept = (await turns._agent.graph.aget_state({"configurable": {"thread_id": thread}})).values
    assert [turn["question"] for turn in kept["turns"]] == ["Who pays?", "once"]


async def test_a_model_that_fails_after_the_answer_ends_the_run_and_the_thread_goes_on(open_house: Open) -> None:
    replies = iter([chat_stream("thought"), chat_stream("half", ending="cut")])
    async with LocalServer(responder=lambda _: next(replies, chat_stream("thought"))) as server:
        house = await open_house(model="openai:m", model_base_url=f"{server.url}/v1", openai_api_key="k")
        first = await house.ask("once")
        failed = await house.reply(first, "continue")
        assert failed.view.outcome == "failed"
        again = await house.ask("once", conversation_id=first.asked.conversation.id)
        assert (await house.reply(again, "continue")).view.outcome == "answered"


async def test_every_question_says_so_in_the_ledger_once(furnished: House) -> None:
    done = await furnished.reply(await furnished.reply(await furnished.ask(ASK), ALL), text="x")
    asked = [entry.event.interrupt_id for entry in done.entries if isinstance(entry.event, Interrupted)]
    assert len(asked) == len(set(asked)) == 2
