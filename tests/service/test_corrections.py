"""Tests corrections: the right answer that a user types for a failed answer, used when the same is asked again."""

from __future__ import annotations

import json

import pytest

from core.errors import PalimpsestError
from core.memory.records import FeedbackEffect
from tests.servers.local import LocalServer, answering, chat_stream
from tests.service.conftest import Open
from tests.service.house import Answer, House

LEASE = """# Lease of unit 7

The rent is 1,450 pounds a month in the first year. The deposit of 4,350 pounds is returned within 28 days.

The tenant gives four months' notice in writing. The certificate of the dust extraction goes to Piet Lanyon.
"""
QUESTION = "How long must the tenant wait for the deposit?"
VALUE = "28 days"


async def asked(house: House, question: str = QUESTION, user: str = "ada") -> Answer:
    answer = await house.ask(question, user)
    await house.workbench.memory.settle()
    return answer


async def corrected(house: House, value: str = VALUE, question: str = QUESTION) -> tuple[Answer, FeedbackEffect]:
    answer = await asked(house, question)
    memory = house.workbench.memory
    return answer, await memory.record_feedback("ada", answer.asked.message_id, "failed", right=value)


def line_of(answer: Answer) -> str:
    response = answer.view.response
    return response.answer.line if response and response.answer else ""


async def test_the_next_answer_begins_with_the_typed_value_and_cites_its_passage(house: House) -> None:
    document = await house.read("lease.md", LEASE)
    answer, effect = await corrected(house)
    given = effect.correction
    assert given
    assert given.pin
    assert given.before == line_of(answer).partition(" [")[0]
    assert (given.pin.document_id, "within 28 days" in given.pin.quote) == (document.id, True)
    again = await asked(house, "how long must the tenant wait for the deposit")
    response = again.view.response
    assert response
    assert response.answer
    assert (response.answer.line, response.confidence) == ("28 days [1]", "high")
    assert response.answer.cells[0].item_id == given.pin.item_id
    assert response.quotes[0].text == given.pin.quote
    html = again.view.html()
    assert "You gave this answer on" in html
    assert "Corrected by you" in html
    record = await house.workbench.memory.answer("ada", again.asked.message_id)
    assert record, "the corrected answer can be rated too"


async def test_a_passage_with_the_correction_and_what_was_not_used_are_not_lowered(house: House) -> None:
    await house.read("lease.md", LEASE)
    await house.read("parking.md", "# Parking\n\nThe tenant must wait for a parking place for the deposit of keys.\n")
    answer, effect = await corrected(house)
    lowered = {each.memory_id for each in effect.ranking_previews if each.factor < each.before}
    assert effect.correction
    assert effect.correction.pin
    assert effect.correction.pin.item_id not in lowered
    record = await house.workbench.memory.answer("ada", answer.asked.message_id)
    assert record
    assert lowered <= set(record.rests_on)


async def test_an_answer_that_used_nothing_lowers_nothing(house: House) -> None:
    await house.read("lease.md", LEASE)
    await asked(house)
    answer = await asked(house, "Which colour is the Peruvian mountain railway?")
    record = await house.workbench.memory.answer("ada", answer.asked.message_id)
    assert record
    assert record.rests_on == []
    effect = await house.workbench.memory.record_feedback("ada", answer.asked.message_id, "failed")
    assert effect.effect.moved == []


async def test_undo_brings_back_the_answer_from_the_documents(house: House) -> None:
    await house.read("lease.md", LEASE)
    answer, _ = await corrected(house)
    effect = await house.workbench.memory.undo_correction("ada", answer.asked.message_id)
    assert (effect.correction, effect.outcome) == (None, "failed")
    response = (await asked(house)).view.response
    assert response
    assert response.answer is None or response.answer.corrected is None
    with pytest.raises(PalimpsestError):
        await house.workbench.memory.undo_correction("ada", answer.asked.message_id)


async def test_worked_withdraws_a_correction(house: House) -> None:
    await house.read("lease.md", LEASE)
    answer, _ = await corrected(house)
    effect = await house.workbench.memory.record_feedback("ada", answer.asked.message_id, "worked")
    assert effect.correction is None
    assert await house.workbench.memory.corrections.of_question("ada", QUESTION) is None


async def test_neighbours_and_other_users_get_their_own_answers(house: House) -> None:
    await house.read("lease.md", LEASE)
    await house.read("other.md", LEASE.replace("28 days", "35 days"), "ben")
    neighbours = (
        "How long must the tenant wait for the keys?",
        "How long must the tenant of unit 9 wait for the deposit?",
        "How long must the tenant wait for the deposit of 2019?",
        "How much is the deposit?",
    )
    before = [line_of(await asked(house, each)) for each in neighbours]
    await corrected(house)
    assert [line_of(await asked(house, each)) for each in neighbours] == before
    response = (await asked(house, user="ben")).view.response
    assert response
    assert response.answer is None or response.answer.corrected is None


async def test_a_value_in_no_document_is_the_users_statement(house: House) -> None:
    await house.read("lease.md", LEASE)
    _, effect = await corrected(house, "until the new owner signs")
    assert effect.correction
    assert effect.correction.pin is None
    again = await asked(house)
    response = again.view.response
    assert response
    assert (response.kind, response.text) == ("remembered", "until the new owner signs")
    assert "You said this on" in again.view.html()
    assert "No document says it" in again.view.html()


async def test_a_deleted_document_takes_its_pin_along_until_the_deletion_is_undone(house: House) -> None:
    document = await house.read("lease.md", LEASE)
    await corrected(house)
    library, corrections = house.workbench.library, house.workbench.memory.corrections
    await library.delete("ada", document.id)
    assert await corrections.of_question("ada", QUESTION) is None
    await library.undelete("ada", document.id)
    assert await corrections.of_question("ada", QUESTION)
    await library.delete("ada", document.id)
    await library.upkeep.compact(0.0)
    await corrections.compact()
    assert await house.workbench.truth.collection("memory_corrections").count() == 0


async def test_a_second_correction_replaces_the_first(house: House) -> None:
    await house.read("lease.md", LEASE)
    await corrected(house)
    await corrected(house, "four months' notice")
    assert line_of(await asked(house)) == "four months' notice [1]"
    assert await house.workbench.truth.collection("memory_corrections").count() == 1


async def test_an_empty_or_too_long_value_is_refused(house: House) -> None:
    await house.read("lease.md", LEASE)
    answer = await asked(house)
    with pytest.raises(PalimpsestError):
        await house.workbench.memory.record_feedback("ada", answer.asked.message_id, "failed", right="x" * 501)


async def test_a_model_gets_the_pinned_passage_first_marked_as_what_the_user_gave(open_house: Open) -> None:
    async with LocalServer(responder=answering(chat_stream("It takes 28 days [1]."))) as server:
        house = await open_house(model="openai:m", model_base_url=f"{server.url}/v1")
        await house.read("lease.md", LEASE)
        await corrected(house)
        before = len(server.requests)
        again = await asked(house)
    prompts = [json.dumps(each.body["messages"]) for each in server.requests[before:]]
    prompt = next(each for each in prompts if "BEGIN CORRECTION" in each)
    assert "28 days [1]" in prompt.partition("BEGIN CORRECTION\\n")[2]
    assert "[Source 1] Lease" in prompt.partition("BEGIN SOURCES\\n")[2][:40]
    assert line_of(again).startswith("28 days [")
