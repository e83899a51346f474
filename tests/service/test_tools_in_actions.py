"""Tests tools in summaries, comparisons and audits: called by a model or without one, with consent, cited, judged."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from core.events import Response, StepDetail
from core.setting_groups import DataGov
from core.tools.tool import FoundText, ToolResult
from tests.servers.ckan import CkanServer
from tests.servers.local import LocalServer, Reply, Request, asks_for_json, chat_stream, tool_stream
from tests.service.conftest import Open
from tests.service.house import CONTRACT, POLICY, Answer, House
from tests.service.test_open_data import FEW
from tests.service.test_tools import clock, furnished, model, notes, once, told_by_tools

FOUND = "More from tools"
TOKYO = ToolResult(text="", texts=[FoundText(title="Tokyo time", text="In Tokyo it is 18:30.")])
ASKS_TIME = tool_stream(("get_current_time", {"query": "Tokyo"}))
SUMMARIZE = "Summarize the travel policy, and tell the current time in the Tokyo timezone."
EMAIL = "For the trip to Haifa I booked a hotel night for 700 shekels. Dinner will cost 90 shekels."


async def act(house: House, action: str, question: str) -> Answer:
    asked = await house.workbench.ask("ada", question, action=action)  # type: ignore[arg-type]
    return Answer(asked, await house.entries("ada", asked.run_id))


def said(answer: Answer) -> Response:
    assert answer.view.response, answer.view.problem
    return answer.view.response


def of_action(then: str, call: Reply = ASKS_TIME) -> Callable[[Request], Reply]:
    """A model that summarizes, and calls tools if any are offered."""
    calling = once(call, then)
    points = '{"points": [{"text": "A hotel night is up to 560 shekels.", "passages": [1]}]}'

    def respond(request: Request) -> Reply:
        system = str(request.body["messages"][0]["content"])
        if system.startswith("Read one part of a document"):
            return chat_stream(points)
        if asks_for_json(request) or "BEGIN DONE" in system:
            return calling(request)
        return chat_stream("A hotel night is up to 560 shekels [1].")

    return respond


def is_summary(request: Request) -> bool:
    return str(request.body["messages"][0]["content"]).startswith("Summarize whole documents")


@pytest.mark.parametrize("native", [True, False])
async def test_a_model_calls_a_tool_within_a_summary(open_house: Open, native: bool) -> None:
    made = clock(TOKYO)
    block = chat_stream('```json\n{"tool": "get_current_time", "arguments": {"query": "Tokyo"}}\n```')
    call = ASKS_TIME if native else block
    async with LocalServer(responder=of_action("In Tokyo it is 18:30 [2]. It rains there [9].", call)) as server:
        house = await furnished(open_house, made, **model(server, native=native))
        answer = await act(house, "summarize", SUMMARIZE)
        if native:
            assert told_by_tools(server)[0].startswith("[2] Tokyo time")
    response = said(answer)
    done, _, below = response.text.partition(f"## {FOUND}")
    assert response.action == "summarize"
    assert "[1]" in done
    assert "In Tokyo it is 18:30 [2]." in below
    assert response.removed == [9]
    assert [(each.number, each.kind) for each in answer.view.sources] == [(1, "document"), (2, "tool")]
    assert len(made.calls) == 1
    judged = {response.text[each.start : each.end]: each.verdict for each in response.support}
    assert next(verdict for text, verdict in judged.items() if "18:30" in text) == "supported"
    assert next(verdict for text, verdict in judged.items() if "rains" in text) != "supported"
    record = await house.workbench.memory.answer("ada", answer.asked.message_id)
    assert record
    assert [(each.name, each.result) for each in record.tool_runs] == [("get_current_time", "ok")]
    details = [entry.event.detail.en for entry in answer.entries if isinstance(entry.event, StepDetail)]
    assert "The get_current_time tool: Tokyo" in details


async def test_an_order_that_asks_for_no_tool_is_done_as_before(open_house: Open) -> None:
    async with LocalServer(responder=of_action("Unwanted [2].")) as server:
        house = await furnished(open_house, clock(TOKYO), **model(server))
        answer = await act(house, "summarize", "Summarize the travel policy.")
        assert not any("BEGIN DONE" in str(each.body["messages"][0]["content"]) for each in server.requests)
    assert FOUND not in said(answer).text


async def test_what_a_model_writes_without_a_source_gives_way_to_what_was_found(open_house: Open) -> None:
    async with LocalServer(responder=of_action("I looked it up for you.")) as server:
        house = await furnished(open_house, clock(TOKYO), **model(server))
        answer = await act(house, "summarize", SUMMARIZE)
    assert "I looked it up" not in said(answer).text
    assert "In Tokyo it is 18:30. [2]" in said(answer).text


async def test_rounds_of_calls_are_counted(open_house: Open) -> None:
    """If a model calls tools again and again, it is no longer offered any after some rounds."""
    made = clock(TOKYO)
    async with LocalServer(responder=of_action("", ASKS_TIME)) as server:
        responder = server.responder
        assert responder
        server.responder = lambda request: (
            ASKS_TIME if "BEGIN DONE" in str(request.body["messages"][0]["content"]) else responder(request)
        )
        house = await furnished(open_house, made, **model(server))
        answer = await act(house, "summarize", SUMMARIZE)
    assert answer.view.outcome == "answered"
    assert 1 <= len(made.calls) <= 4


async def test_a_tool_that_fails_within_an_action_is_told(open_house: Open) -> None:
    async with LocalServer(responder=of_action("NOTHING")) as server:
        house = await furnished(open_house, clock(RuntimeError("500 at /secret")), **model(server))
        answer = await act(house, "summarize", SUMMARIZE)
    assert FOUND not in said(answer).text
    assert any("failed" in words.en for words in answer.view.notices)
    assert not any("secret" in words.en for words in answer.view.notices)


@pytest.mark.parametrize("decision", ["once", "never"])
async def test_a_summary_is_written_into_a_note_when_its_person_agrees(open_house: Open, decision: str) -> None:
    made = notes()
    write = tool_stream(("write_note", {"text": "A hotel night is up to 560 shekels."}))
    async with LocalServer(responder=of_action("The note is written [2].", write)) as server:
        house = await furnished(open_house, made, own=False, **model(server))
        answer = await act(house, "summarize", "Summarize the travel policy with the note writer.")
        assert answer.pending.kind == "tool_choice"
        assert "560 shekels" in answer.pending.question
        assert made.calls == []
        done = await house.reply(answer, decision)
        summaries = [each for each in server.requests if is_summary(each)]
        assert len(summaries) == 1, "what was paid for is not done again"
    assert len(made.calls) == (decision == "once")
    assert ("The note is written [2]." in said(done).text) is (decision == "once")
    assert "560" in said(done).text


async def test_of_an_audit_what_tools_added_is_judged_and_its_verdicts_are_not(open_house: Open) -> None:
    async with LocalServer(responder=of_action("In Tokyo it is 18:30 [2]. In Tokyo it is 11:15 [2].")) as server:
        house = await furnished(open_house, clock(TOKYO), **model(server))
        title = (await house.workbench.library.find("ada"))[0].metadata.title
        order = f'Audit against @"{title}", and tell the current time in the Tokyo timezone: {EMAIL}'
        response = said(await act(house, "audit", order))
    begins = response.text.index(f"## {FOUND}")
    judged = {response.text[each.start : each.end]: each.verdict for each in response.support}
    assert min(each.start for each in response.support) > begins
    assert next(verdict for text, verdict in judged.items() if "18:30" in text) == "supported"
    assert next(verdict for text, verdict in judged.items() if "11:15" in text) != "supported"


# -- without a model -----------------------------------------------------------------------

HOSPITALS = "אילו בתי חולים יש בירושלים לפי נתוני הממשלה?"


@pytest.mark.parametrize("action", ["summarize", "compare", "audit"])
async def test_without_a_model_open_data_that_are_asked_for_stand_below_an_action(
    open_house: Open, action: str
) -> None:
    async with CkanServer(datasets=FEW) as portal:
        house = await open_house(datagov=DataGov(url=portal.url))
        await house.read("policy.md", POLICY)
        await house.read("contract.md", CONTRACT)
        titles = [each.metadata.title for each in await house.workbench.library.find("ada")]
        named = " ".join(f'@"{title}"' for title in titles)
        text = f": {EMAIL}" if action == "audit" else "."
        plain = said(await act(house, action, f"{action} {named}{text}"))
        assert portal.requests == []
        answer = await act(house, action, f"{action} {named}, {HOSPITALS.rstrip('?')}{text}")
    done, _, below = said(answer).text.rpartition("## ")
    assert said(answer).action == action
    assert said(answer).kind == plain.kind == "extractive"
    assert done
    assert "שערי צדק" in below
    assert re.search(r"\[\d+\]", below)
    source = next(each for each in answer.view.sources if each.table)
    assert source.table
    assert source.table.total == 4
    assert source.number == len(titles) + 1


async def test_a_text_that_is_audited_and_a_title_ask_for_no_data(open_house: Open) -> None:
    async with CkanServer(datasets=FEW) as portal:
        house = await open_house(datagov=DataGov(url=portal.url))
        await house.read("policy.md", POLICY.replace("# ", f"# {HOSPITALS} ", 1))
        await house.read("contract.md", CONTRACT)
        title = next(
            each.metadata.title
            for each in await house.workbench.library.find("ada")
            if HOSPITALS[:8] in each.metadata.title
        )
        await act(house, "summarize", f"Summarize {title}")
        await act(house, "audit", f'Audit this against @"{title}":\n\n{EMAIL} {HOSPITALS}')
        assert portal.requests == []


# -- questions next to an action -----------------------------------------------------------


@pytest.mark.parametrize(
    "question",
    [
        "Summarize @policy.md, and which hospitals are there in Jerusalem according to government data?",
        "Summarize @policy.md and which hospitals are there in Jerusalem according to government data?",
        "סכם את @policy.md, ואילו בתי חולים יש בירושלים לפי נתוני הממשלה?",
    ],
)
async def test_a_question_to_open_data_beside_a_summary_is_not_asked_back(open_house: Open, question: str) -> None:
    async with CkanServer(datasets=FEW) as portal:
        house = await open_house(datagov=DataGov(url=portal.url))
        await house.read("policy.md", POLICY)
        answer = await house.ask(question)
    response = said(answer)
    assert response.action == "summarize"
    assert "560" in response.text
    assert "בתי חולים" in response.text.rpartition("## ")[2]
    assert [each.table is not None for each in answer.view.sources] == [False, True]


async def test_a_question_to_anothers_server_beside_a_summary_is_not_asked_back(open_house: Open) -> None:
    intent = chat_stream('{"actions": ["summarize", "inquire"], "confidence": "high", "several": true}')
    does = of_action("In Tokyo it is 18:30 [2].")

    def respond(request: Request) -> Reply:
        return intent if "Classify what a message" in str(request.body["messages"][0]["content"]) else does(request)

    async with LocalServer(responder=respond) as server:
        house = await furnished(open_house, clock(TOKYO), own=False, **model(server))
        answer = await house.ask("Summarize @policy.md, and what is the current time in the Tokyo timezone?")
        assert answer.pending.kind == "tool_choice", "to read with it is agreed to once"
        answer = await house.reply(answer, "once")
    assert said(answer).action == "summarize"
    assert "In Tokyo it is 18:30 [2]." in said(answer).text


@pytest.mark.parametrize(
    "question",
    [
        "Summarize @policy.md, and which meals are covered?",
        "Summarize @policy.md, which hospitals are there by government data, and which meals are covered?",
    ],
)
async def test_a_question_to_the_documents_is_answered_below_a_summary(open_house: Open, question: str) -> None:
    house = await furnished(open_house, clock(TOKYO), own=False)
    answer = await house.ask(question)
    assert said(answer).action == "summarize"
    assert "Dinner is 120" in said(answer).text.partition("### which meals are covered?")[2]
