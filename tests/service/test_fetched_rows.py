"""Tests rows of open data as datasets: computed, followed up, bounded, removed, and seen by their user only."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace

import pytest

from core.datasets.fetched import rows
from core.datasets.fetched.rows import fetched_documents
from core.datasets.tools.querying import QueryDataCall, QueryingData
from core.setting_groups import DataGov
from core.tools.datagov import answers, row_keeping
from core.tools.evidence import Evidence
from core.tools.tool import Caller
from tests.servers.ckan import CkanServer
from tests.servers.ckan_catalogue import made_datasets
from tests.servers.local import LocalServer, answering, asks_for_json, chat_stream, tool_stream
from tests.service.conftest import Open
from tests.service.house import Answer, House, until

HOSPITALS = [each for each in made_datasets() if each.title == "בתי חולים כלליים בישראל"]
BY_CITY = "כמה בתי חולים יש בכל עיר לפי נתוני הממשלה?"
IN_JERUSALEM = "כמה בתי חולים יש בירושלים לפי נתוני הממשלה?"


@asynccontextmanager
async def portal_house(open_house: Open, **settings: object) -> AsyncIterator[tuple[House, CkanServer]]:
    async with CkanServer(datasets=HOSPITALS) as portal:
        yield await open_house(datagov=DataGov(url=portal.url), **settings), portal


def rows_of(answer: Answer) -> list[list[object]]:
    assert answer.view.response
    assert answer.view.response.answer
    assert answer.view.response.answer.data
    return [list(row) for row in answer.view.response.answer.data.rows]


def beds(city: str) -> int:
    return sum(row["מספר מיטות"] for row in HOSPITALS[0].rows if row["עיר"] == city)


async def test_rows_are_counted_by_group_and_followed_up_without_the_portal(open_house: Open) -> None:
    async with portal_house(open_house) as (house, portal):
        answer = await house.ask(BY_CITY)
        conversation = answer.asked.conversation.id
        asked_before = len(portal.requests)
        haifa = await house.ask("ובחיפה?", conversation_id=conversation)
        most = await house.ask("כמה מיטות יש לפי עיר?", conversation_id=conversation)
        english = await house.ask("How many beds are there in Tel Aviv?", conversation_id=conversation)
        assert len(portal.requests) == asked_before
        assert await house.workbench.library.find("ada", conversation_id=conversation) == []
    assert dict(rows_of(answer))["ירושלים"] == 4
    response = answer.view.response
    assert response
    assert response.confidence == "high"
    assert response.answer
    assert response.answer.data
    assert "כל 29 השורות" in response.answer.data.fetched[0]
    (source,) = answer.view.sources
    assert source.table
    assert source.table.is_fetched
    assert source.table.total == 29
    assert rows_of(haifa) == [["חיפה", 1]]
    assert dict(rows_of(most))["ירושלים"] == beds("ירושלים")
    assert rows_of(english) == [[beds("תל אביב - יפו")]]


async def test_a_later_question_uses_the_kept_rows_and_a_list_can_be_followed(open_house: Open) -> None:
    async with portal_house(open_house) as (house, portal):
        listed = await house.ask("אילו בתי חולים יש בירושלים לפי נתוני הממשלה?")
        conversation = listed.asked.conversation.id
        of_them = await house.ask("כמה מיטות יש בהם?", conversation_id=conversation)
        asked_before = len(portal.requests)
        await house.ask("אילו בתי חולים יש בחיפה לפי נתוני הממשלה?", conversation_id=conversation)
        whole = [each for each in portal.requests[asked_before:] if "limit=10000" in each.path]
    assert rows_of(of_them) == [[beds("ירושלים")]]
    assert whole == [], "the rows are still there"


async def test_what_was_not_fetched_is_said_and_never_shown_as_found(
    open_house: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(row_keeping, "MOST_KEPT", 10)
    monkeypatch.setattr(answers, "MOST_ROWS", 10)
    async with portal_house(open_house) as (house, _):
        some = await house.ask(BY_CITY)
        limited = await house.ask(IN_JERUSALEM)
        haifa = await house.ask("כמה בתי חולים יש בחיפה?", conversation_id=limited.asked.conversation.id)
    response = limited.view.response
    assert rows_of(limited) == [[4]]
    assert response
    assert response.confidence == "medium"
    assert "רק השורות עם עיר: ירושלים, 4 מתוך 4" in response.text
    assert haifa.view.response
    assert haifa.view.response.confidence != "high"
    assert "רק השורות עם עיר: ירושלים" in haifa.view.response.text
    assert some.view.response
    assert some.view.response.confidence == "medium"
    assert "רק 10 מתוך 29 שורות" in some.view.response.text


async def test_rows_are_seen_by_their_user_only_and_go_with_the_conversation(open_house: Open) -> None:
    async with portal_house(open_house) as (house, _):
        bench = house.workbench
        answer = await house.ask(BY_CITY)
        tool = QueryingData(bench.library, bench.datasets)
        for conversation, found in ((answer.asked.conversation.id, True), (None, True), ("conv_other", False)):
            listed = await tool.call(QueryDataCall(), Caller("ada", conversation_id=conversation, evidence=Evidence()))
            assert listed.found is found
        assert not (await tool.call(QueryDataCall(), Caller("bob", evidence=Evidence()))).found
        await bench.conversations.delete("ada", answer.asked.conversation.id)
        await bench._conversation_removal.finish(0.0)

        async def is_gone() -> bool:
            return not (await tool.call(QueryDataCall(), Caller("ada", evidence=Evidence()))).found

        await until(is_gone, "the removal of the rows")


async def test_what_follows_an_unsure_reading_is_unsure(open_house: Open) -> None:
    births = [each for each in made_datasets() if each.title == "לידות בבתי חולים לפי שנה"]
    async with CkanServer(datasets=births) as portal:
        house = await open_house(datagov=DataGov(url=portal.url))
        sure = await house.ask("כמה לידות היו בבתי חולים בכל שנה לפי נתוני הממשלה?")
        unsure = await house.ask("How many births were there in hospitals by year according to government data?")
        follow = await house.ask("and in 2020?", conversation_id=unsure.asked.conversation.id)
    amounts = {row["שנה"]: 0 for row in births[0].rows}
    for row in births[0].rows:
        amounts[row["שנה"]] += row["כמות"]
    assert {int(str(row[0])): row[1] for row in rows_of(sure)} == amounts
    assert [each.view.response and each.view.response.confidence for each in (sure, unsure, follow)] == [
        "high", "medium", "medium",
    ]  # fmt: skip


async def test_old_rows_are_fetched_again_and_few_are_kept(open_house: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    async with portal_house(open_house) as (house, portal):
        library = house.workbench.library
        first = await house.ask(BY_CITY)
        conversation = first.asked.conversation.id
        (before,) = await fetched_documents(library, "ada", conversation)
        monkeypatch.setattr(rows, "FRESH_SECONDS", -1.0)
        await house.ask(BY_CITY, conversation_id=conversation)
        (same,) = await fetched_documents(library, "ada", conversation)
        assert same.id == before.id
        assert same.origin
        assert before.origin
        assert same.origin.fetched_at > before.origin.fetched_at
        portal.datasets = [replace(HOSPITALS[0], count=31)]
        portal.__post_init__()
        changed = await house.ask(BY_CITY, conversation_id=conversation)
        follow = await house.ask("ובחיפה?", conversation_id=conversation)
        monkeypatch.setattr(rows, "MOST_KEPT", 1)
        other = await house.ask(BY_CITY)

        async def are_few() -> bool:
            return len(await fetched_documents(library, "ada", None)) == 1

        await until(are_few, "the removal of the oldest rows")
    assert sum(int(str(row[1])) for row in rows_of(changed)) == 31
    assert rows_of(follow)
    assert rows_of(other)


async def test_a_model_computes_over_rows_that_it_has_just_fetched(open_house: Open) -> None:
    query = {
        "dataset": "בתי חולים כלליים בישראל",
        "where": [{"column": "עיר", "value": "ירושלים"}],
        "measures": [{"function": "sum", "column": "מספר מיטות"}],
    }
    replies = (
        tool_stream(("datagov_query", {"question": "בתי חולים בירושלים"})),
        tool_stream(("query_data", {"query": query})),
        chat_stream(f"בירושלים יש {beds('ירושלים'):,} מיטות [2]."),
    )
    async with LocalServer(responder=answering(*replies)) as server:
        model = {"model": "openai:m", "model_base_url": f"{server.url}/v1", "openai_api_key": "k"}
        async with portal_house(open_house, **model) as (house, _):
            answer = await house.ask("כמה מיטות יש בבתי החולים בירושלים לפי נתוני הממשלה?")
        prompts = [str(each.body["messages"]) for each in server.requests if not asks_for_json(each)]
    assert "compute over them with query_data" in prompts[1]
    assert "מספר מיטות: number" in prompts[1]
    assert rows_of(answer) == [[beds("ירושלים")]]
    assert answer.view.response
    assert answer.view.response.confidence == "high"
