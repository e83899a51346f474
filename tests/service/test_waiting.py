"""Tests a question asked while its documents are read: it waits, or gets a partial answer and then a full one."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from core.events import AnswerNow, FollowedUp, PartlyRead, StepDetail
from core.library.reading import Progress, Readers, Reading
from core.library.stalled_readings import StalledReadings
from core.runs.records import Message
from core.setting_groups import Deadlines
from core.settings import Settings
from pages.handlers.conversations import transcript_of
from tests.service.conftest import Open
from tests.service.house import CONTRACT, POLICY, Answer, GatedEmbeddings, House, until
from tests.service.reading_here import read_here

QUESTION = "What does a night in a hotel in Haifa cost?"
NOTICE = "How many days of notice must Pelagit give?"


class Gates:
    """A reader that waits before each file whose gate is closed."""

    def __init__(self) -> None:
        self.closed: dict[str, asyncio.Event] = {}

    def close(self, filename: str) -> asyncio.Event:
        self.closed[filename] = asyncio.Event()
        return self.closed[filename]

    async def read(
        self, readers: Readers, path: Path, filename: str, settings: Settings, progress: Progress, *scans: Path | None,
        as_dataset: bool = False,
    ) -> Reading:  # fmt: skip
        if filename in self.closed:
            await self.closed[filename].wait()
        return await read_here(readers, path, filename, settings, progress, *scans, as_dataset=as_dataset)


@pytest.fixture
def gates(monkeypatch: pytest.MonkeyPatch) -> Gates:
    made = Gates()
    monkeypatch.setattr(Readers, "read_file", lambda *given, **named: made.read(*given, **named))
    return made


@pytest.fixture
async def patient(open_house: Open) -> House:
    """A workbench that offers a partial answer immediately and otherwise waits as long as necessary."""
    return await open_house(deadlines=Deadlines(wait_for_text=0.0, wait_at_most=120.0))


async def begin(house: House, question: str, conversation_id: str | None = None) -> Callable[[], Awaitable[Answer]]:
    asked = await house.workbench.ask("ada", question, conversation_id=conversation_id)

    async def end() -> Answer:
        return Answer(asked, await house.entries("ada", asked.run_id))

    end.asked = asked  # type: ignore[attr-defined]
    return end


async def said(house: House, run_id: str, kind: type) -> list[object]:
    return [each.event for each in await house.workbench.ledger.entries("ada", run_id) if isinstance(each.event, kind)]


async def offered(house: House, run_id: str) -> AnswerNow:
    await until(lambda: said(house, run_id, AnswerNow), "the offer of an answer from what is ready")
    first = (await said(house, run_id, AnswerNow))[0]
    assert isinstance(first, AnswerNow)
    return first


async def full_answer(house: House, run_id: str) -> tuple[Message, Answer]:
    async def following() -> Message | None:
        return await house.workbench.conversations.following("ada", run_id)

    await until(following, "the full answer")
    message = await following()
    assert message
    conversation = await house.workbench.conversations.get("ada", message.conversation_id)
    entries = await house.entries("ada", message.run_id or "")
    asked = type("Asked", (), {"run_id": message.run_id, "message_id": message.id, "conversation": conversation})
    return message, Answer(asked, entries)  # type: ignore[arg-type]


async def partly_answered(house: House, gates: Gates) -> tuple[Answer, asyncio.Event]:
    """Asks a question that is answered from the policy only, while the contract is still being read."""
    await house.read("policy.md", POLICY)
    gate = gates.close("contract.md")
    await house.give("contract.md", CONTRACT)
    end = await begin(house, NOTICE)
    run_id = end.asked.run_id  # type: ignore[attr-defined]
    await offered(house, run_id)
    await house.workbench.answer_now("ada", run_id)
    return await end(), gate


async def test_a_first_question_waits_for_the_documents_and_never_says_that_they_hold_nothing(
    patient: House, gates: Gates
) -> None:
    gate = gates.close("policy.md")
    await patient.give("policy.md", POLICY)
    end = await begin(patient, QUESTION)
    run_id = end.asked.run_id  # type: ignore[attr-defined]
    await until(lambda: said(patient, run_id, StepDetail), "a word about the wait")
    gate.set()
    answer = await end()
    assert "560 shekels" in answer.view.response.text
    assert await said(patient, run_id, AnswerNow) == [], "there was nothing to answer from"
    assert await said(patient, run_id, PartlyRead) == []


async def test_the_wait_says_how_many_and_ends_in_the_right_answer(patient: House, gates: Gates) -> None:
    await patient.read("policy.md", POLICY)
    gate = gates.close("contract.md")
    await patient.give("contract.md", CONTRACT)
    end = await begin(patient, NOTICE)
    run_id = end.asked.run_id  # type: ignore[attr-defined]
    offer = await offered(patient, run_id)
    assert (offer.open, offer.ready, offer.total) == (True, 1, 2)
    meanwhile = [each.detail.en for each in await said(patient, run_id, StepDetail)]  # type: ignore[attr-defined]
    assert "1 of 2 documents is still being read" in meanwhile, "of an ended run the last count alone is kept"
    gate.set()
    answer = await end()
    assert "ninety days" in answer.view.response.text
    assert answer.view.at_once is None, "the offer is gone with the wait"
    details = [each.detail.en for each in await said(patient, run_id, StepDetail)]  # type: ignore[attr-defined]
    assert "2 of 2 documents are ready" in details
    assert await patient.workbench.conversations.following("ada", run_id) is None


async def test_an_answer_from_what_is_ready_is_followed_by_the_full_one(patient: House, gates: Gates) -> None:
    first, gate = await partly_answered(patient, gates)
    assert first.view.response.kind == "nothing_found"
    assert "has been read so far" in first.view.response.text
    assert "Answered from 1 of 2 documents" in first.view.html()
    assert "feedback" not in first.view.html(), "the full answer is the one that is judged"
    gate.set()
    message, full = await full_answer(patient, first.asked.run_id)
    assert "ninety days" in full.view.response.text
    assert "Updated answer from all 2 documents" in full.view.html()
    assert NOTICE in full.view.html()
    assert [each.follows for each in await said(patient, message.run_id or "", FollowedUp)] == [first.asked.run_id]  # type: ignore[attr-defined]
    messages = await patient.workbench.conversations.messages("ada", message.conversation_id)
    assert [each.role for each in messages] == ["user", "assistant", "assistant"], "the first answer stays"
    await until(lambda: owed(patient, first), "that nothing is owed any more")


async def owed(house: House, first: Answer) -> bool:
    return not await house.workbench.follow_ups.is_owed("ada", first.asked.run_id)


async def test_both_answers_count_once(patient: House, gates: Gates) -> None:
    first, gate = await partly_answered(patient, gates)
    memory = patient.workbench.memory
    assert await memory.answer("ada", first.asked.message_id) is None
    gate.set()
    message, _ = await full_answer(patient, first.asked.run_id)
    record = await memory.answer("ada", message.id)
    assert record
    assert record.question == NOTICE
    rows = await patient.workbench.truth.collection("items").find({"user_id": "ada", "kind": "exchange"})
    assert len(rows) == 1
    again = await patient.ask("And what does a night in a hotel cost?", conversation_id=message.conversation_id)
    thread = await patient.workbench._turns._agent.graph.aget_state(
        {"configurable": {"thread_id": message.conversation_id}}
    )
    assert [turn["question"] for turn in thread.values["turns"]] == [NOTICE, again.asked.question]
    assert "ninety days" in thread.values["turns"][0]["answer"]
    transcript = await transcript_of(patient.workbench, "ada", message.conversation_id)
    assert [turn.question for turn in transcript.turns] == [NOTICE, again.asked.question]
    assert "ninety days" in transcript.turns[0].answer


@pytest.fixture
def dead(monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """Ids of documents whose reader process counts as dead; the test adds them."""
    found: set[str] = set()

    async def of(_: StalledReadings, user_id: str) -> set[str]:
        return found if user_id == "ada" else set()

    monkeypatch.setattr(StalledReadings, "of", of)
    return found


async def test_where_the_reader_of_the_rest_has_died_what_is_ready_answers_and_the_full_answer_follows(
    open_house: Open, gates: Gates, dead: set[str]
) -> None:
    house = await open_house(deadlines=Deadlines(wait_for_text=100.0, wait_at_most=120.0))
    await house.read("policy.md", POLICY)
    gate = gates.close("contract.md")
    dead.add((await house.give("contract.md", CONTRACT)).document.id)
    first = await (await begin(house, NOTICE))()
    assert first.view.partly is not None
    assert "restarts within half a minute" in first.notices
    dead.clear()
    gate.set()
    _, full = await full_answer(house, first.asked.run_id)
    assert "ninety days" in full.view.response.text
    assert "elsewhere" not in full.notices


async def test_where_nothing_else_is_ready_it_is_said_that_the_reading_goes_on_elsewhere(
    patient: House, gates: Gates, dead: set[str]
) -> None:
    gate = gates.close("contract.md")
    dead.add((await patient.give("contract.md", CONTRACT)).document.id)
    end = await begin(patient, NOTICE)
    run_id = end.asked.run_id  # type: ignore[attr-defined]

    async def is_told() -> bool:
        details = await said(patient, run_id, StepDetail)
        return any("restarts within half a minute" in each.detail.en for each in details)  # type: ignore[attr-defined]

    await until(is_told, "that it goes on elsewhere")
    dead.clear()
    gate.set()
    answer = await end()
    assert "ninety days" in answer.view.response.text
    assert answer.view.partly is None


async def test_while_something_is_being_read_the_rest_is_waited_for(
    patient: House, gates: Gates, dead: set[str]
) -> None:
    await patient.read("policy.md", POLICY)
    gate = gates.close("contract.md")
    other = gates.close("other.md")
    await patient.give("contract.md", CONTRACT)
    dead.add(
        (await patient.give("other.md", "# Other\n\nThe reservoir of Hadar holds 900 cubic metres.\n")).document.id
    )
    end = await begin(patient, NOTICE)
    await offered(patient, end.asked.run_id)  # type: ignore[attr-defined]
    gate.set()
    answer = await end()
    assert "ninety days" in answer.view.response.text
    assert answer.view.partly is not None
    other.set()


async def test_one_run_at_a_time_holds_and_the_full_answer_waits_its_turn(
    patient: House, gates: Gates, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, gate = await partly_answered(patient, gates)
    other = gates.close("other.md")
    await patient.give("other.md", "# Other\n\nThe reservoir of Hadar holds 900 cubic metres of water.\n")
    gate.set()
    thread = first.asked.conversation.id
    end = await begin(patient, "How much does the reservoir of Hadar hold?", thread)
    await until(lambda: stored(patient, "contract.md"), "the contract")
    assert await patient.workbench.conversations.following("ada", first.asked.run_id) is None
    other.set()
    assert "900 cubic" in (await end()).view.response.text
    _, full = await full_answer(patient, first.asked.run_id)
    assert "ninety days" in full.view.response.text


async def stored(house: House, filename: str) -> bool:
    return any(each.filename == filename and each.is_stored for each in await house.workbench.library.find("ada"))


async def test_a_full_answer_is_owed_over_a_restart(open_house: Open, gates: Gates) -> None:
    given = {"deadlines": Deadlines(wait_for_text=0.0, wait_at_most=120.0)}
    house = await open_house(**given)
    first, gate = await partly_answered(house, gates)
    await house.workbench.stop()
    gate.set()
    house = await open_house(**given)
    _, full = await full_answer(house, first.asked.run_id)
    assert "ninety days" in full.view.response.text


async def test_a_question_that_names_a_document_waits_for_no_other(patient: House, gates: Gates) -> None:
    await patient.read("policy.md", POLICY)
    gates.close("contract.md")
    await patient.give("contract.md", CONTRACT)
    answer = await patient.ask('What does a night in a hotel in Haifa cost according to @"Travel policy"?')
    assert "560 shekels" in answer.view.response.text
    assert answer.view.partly is None


async def test_a_short_name_at_the_head_of_a_filename_is_enough_to_wait_for_no_other(
    patient: House, gates: Gates
) -> None:
    await patient.read("3M_2018.md", "# Annual figures of 3M\n\nNet sales of 3M were 32,765 million dollars in 2018.\n")
    gates.close("Larch_2018.md")
    await patient.give("Larch_2018.md", CONTRACT)
    answer = await patient.ask("What were 3M's net sales in 2018?")
    assert "32,765" in answer.view.response.text
    assert answer.view.partly is None


async def test_where_the_rest_could_not_be_read_the_first_answer_stands(patient: House, gates: Gates) -> None:
    await patient.read("policy.md", POLICY)
    gate = gates.close("broken.pdf")
    broken = (await patient.give("broken.pdf", b"%PDF-1.7 nothing that can be read")).document
    end = await begin(patient, QUESTION)
    run_id = end.asked.run_id  # type: ignore[attr-defined]
    await offered(patient, run_id)
    await patient.workbench.answer_now("ada", run_id)
    first = await end()
    gate.set()
    assert (await patient.settled(broken)).state == "failed"
    await until(lambda: owed(patient, first), "that nothing is owed any more")
    assert await patient.workbench.conversations.following("ada", run_id) is None


async def test_a_wait_can_be_stopped_and_leaves_nothing_owed(patient: House, gates: Gates) -> None:
    await patient.read("policy.md", POLICY)
    gates.close("contract.md")
    await patient.give("contract.md", CONTRACT)
    end = await begin(patient, NOTICE)
    asked = end.asked  # type: ignore[attr-defined]
    await offered(patient, asked.run_id)
    await patient.workbench.cancel("ada", asked.run_id)
    assert (await end()).view.outcome == "cancelled"
    assert not await patient.workbench.follow_ups.is_owed("ada", asked.run_id)


async def test_nobody_ends_the_wait_of_another(patient: House, gates: Gates) -> None:
    await patient.read("policy.md", POLICY)
    gate = gates.close("contract.md")
    await patient.give("contract.md", CONTRACT)
    end = await begin(patient, NOTICE)
    asked = end.asked  # type: ignore[attr-defined]
    with pytest.raises(Exception, match="does not exist"):
        await patient.workbench.answer_now("eve", asked.run_id)
    gate.set()
    assert "ninety days" in (await end()).view.response.text


async def test_what_words_do_not_find_waits_for_meaning(
    open_house: Open, embeddings: GatedEmbeddings, gates: Gates
) -> None:
    house = await open_house(dense_enabled=True, deadlines=Deadlines(wait_for_text=0.0, wait_at_most=120.0))
    embeddings.gate.clear()
    await house.give("policy.md", POLICY)
    await until(lambda: stored(house, "policy.md"), "the policy")
    end = await begin(house, "zzz qqq xxx")
    run_id = end.asked.run_id  # type: ignore[attr-defined]
    await until(lambda: waited(house, run_id), "the wait for meaning")
    embeddings.gate.set()
    answer = await end()
    assert "2 documents" not in answer.view.html()
    steps = [each.label for each in answer.view.trace.roots]
    assert steps.count("Searching your documents") == 2


async def waited(house: House, run_id: str) -> bool:
    details = await said(house, run_id, StepDetail)
    return any("being read" in each.detail.en for each in details)  # type: ignore[attr-defined]
