"""Tests that an answer that worked is reused when the question is repeated: documents are searched only if there is a
reason."""

from __future__ import annotations

import pytest

from core.events import Searched, StepCreated
from core.graph.tools.offering import DOCUMENTS
from tests.servers.local import LocalServer, Reply, Request, asks_for_json, chat_stream, judgement
from tests.service.conftest import Open
from tests.service.house import CONTRACT, HEBREW, POLICY, Answer, House

QUESTION = "How much is a night in a hotel in Haifa reimbursed?"
IN_HEBREW = "כמה מוחזרת לינה במלון בחיפה?"
SEARCHING = "Searching your documents"
NEWER = "# Hotel update\n\nA night in a hotel in Haifa is reimbursed up to 700 shekels, no longer 560.\n"


def searched(answer: Answer) -> Searched:
    return [each.event for each in answer.entries if isinstance(each.event, Searched)][-1]


def steps(answer: Answer) -> set[str]:
    return {each.event.label.en for each in answer.entries if isinstance(each.event, StepCreated)}


async def proven(house: House, question: str = QUESTION, times: int = 1) -> Answer:
    """Asks a question and reports that its answer worked."""
    answer = await house.ask(question)
    for _ in range(times):
        await house.workbench.memory.record_outcome("ada", answer.asked.message_id, "worked", authority="person")
    return answer


@pytest.fixture
async def informed(house: House) -> House:
    await house.read("policy.md", POLICY)
    await house.read("contract.md", CONTRACT)
    return house


@pytest.mark.parametrize(("question", "file", "text"), [(QUESTION, "policy.md", POLICY), (IN_HEBREW, "he.md", HEBREW)])
async def test_what_worked_is_answered_from_memory_and_cited(house: House, question: str, file: str, text: str) -> None:
    await house.read(file, text)
    first = await proven(house, question)
    again = await house.ask(question)
    assert searched(again).from_memory
    assert SEARCHING not in steps(again)
    assert again.view.response is not None
    assert first.view.response is not None
    assert again.view.response.text == first.view.response.text
    assert [each.filename for each in again.view.sources] == [file]


async def test_the_search_is_one_step_away(informed: House) -> None:
    await proven(informed)
    assert searched(await informed.ask(QUESTION)).from_memory
    anew = await informed.ask(QUESTION, without=["memory"])
    assert not searched(anew).from_memory
    assert SEARCHING in steps(anew)


@pytest.mark.parametrize(
    "question",
    [
        "How much is a night in a hotel in Haifa reimbursed now?",
        "How much is a night in a hotel in Haifa reimbursed, according to policy.md?",
        "How much was a night in a hotel in Haifa reimbursed in 2024?",
        "How much is dinner in a hotel in Haifa at night?",
        "Please search again how much a night in a hotel in Haifa is reimbursed",
    ],
)
async def test_what_names_something_or_asks_for_more_is_searched(informed: House, question: str) -> None:
    await proven(informed)
    answer = await informed.ask(question)
    assert not searched(answer).from_memory


async def test_a_deep_question_is_searched(informed: House) -> None:
    await proven(informed)
    assert not searched(await informed.ask(QUESTION, mode="deep")).from_memory


async def test_what_was_never_judged_or_failed_is_searched(informed: House) -> None:
    await informed.ask(QUESTION)
    assert not searched(await informed.ask(QUESTION)).from_memory
    answer = await proven(informed)
    await informed.workbench.memory.record_outcome("ada", answer.asked.message_id, "failed", authority="person")
    assert not searched(await informed.ask(QUESTION)).from_memory


async def test_a_newer_document_that_bears_on_it_is_searched(informed: House) -> None:
    await proven(informed)
    await informed.read("invoice.md", "# Invoice\n\nTwelve turbines were delivered to Marigold.\n")
    assert searched(await informed.ask(QUESTION)).from_memory
    await informed.read("update.md", NEWER)
    answer = await informed.ask(QUESTION)
    assert not searched(answer).from_memory
    assert "update.md" in {each.filename for each in answer.view.sources}


async def test_what_rests_on_a_deleted_document_is_not_answered_from_memory(informed: House) -> None:
    answer = await proven(informed)
    (document,) = {each.document_id for each in answer.view.sources if each.filename == "policy.md"}
    await informed.workbench.library.delete("ada", document)
    assert not searched(await informed.ask(QUESTION)).from_memory


async def test_another_persons_memory_answers_nothing(informed: House) -> None:
    await proven(informed)
    await informed.read("policy.md", POLICY, user="eve")
    assert not searched(await informed.ask(QUESTION, user="eve")).from_memory


MEMORY_TOOLS = {
    "search_memory", "record_response", "get_context_insights", "add_to_memory_bank", "update_memory", "archive_memory",
}  # fmt: skip


class Model:
    """Calls a tool whenever it is offered one."""

    def __init__(self) -> None:
        self.offered: list[list[str]] = []

    def __call__(self, request: Request) -> Reply:
        if asks_for_json(request):
            return judgement()
        self.offered.append([each["function"]["name"] for each in request.body.get("tools", [])])
        return chat_stream("Up to 560 shekels [1].")


async def test_a_model_that_answers_from_memory_may_still_look_into_documents(open_house: Open) -> None:
    model = Model()
    async with LocalServer(responder=model) as server:
        house = await open_house(model="m", model_base_url=f"{server.url}/v1", model_tools=True)
        await house.read("policy.md", POLICY)
        await proven(house)
        again = await house.ask(QUESTION)
    assert searched(again).from_memory
    assert model.offered[-1] == [*DOCUMENTS]
    assert again.view.response is not None
    assert again.view.response.text == "Up to 560 shekels [1]."
    assert [each.filename for each in again.view.sources] == ["policy.md"]


async def test_memory_tools_are_offered_where_the_memory_is_asked_for(open_house: Open) -> None:
    model = Model()
    async with LocalServer(responder=model) as server:
        house = await open_house(model="m", model_base_url=f"{server.url}/v1", model_tools=True)
        await house.read("policy.md", POLICY)
        await house.ask(QUESTION)
        plain = model.offered[-1]
        await house.ask("Search your memory: what did we say about hotels in Haifa?")
    assert not MEMORY_TOOLS & set(plain)
    assert "search_memory" in model.offered[-1]
