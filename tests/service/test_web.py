"""Tests web search as an addition to documents: when it is used, when it is not, and how a run reports it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from core.events import WebSearched
from core.setting_groups import Mode, Search
from tests.servers.local import LocalServer, Request, answering, chat_stream, json_reply
from tests.service.conftest import Open
from tests.service.house import CONTRACT, POLICY, Answer, House

PAGES = {
    "results": [
        {
            "title": "Bank of Israel",
            "url": "https://www.boi.example.org/rate",
            "content": "The interest rate of the Bank of Israel was set at 4.25 percent in November 2026.",
        }
    ]
}
OUTSIDE = "What is the current interest rate of the Bank of Israel?"


@pytest.fixture
def online(open_house: Open) -> Callable[..., object]:
    async def start(server: LocalServer, **given: object) -> House:
        house = await open_house(tavily_api_key="t", tavily_url=server.url, **given)
        await house.read("policy.md", POLICY)
        await house.read("contract.md", CONTRACT)
        return house

    return start


def searched(answer: Answer) -> list[WebSearched]:
    return [entry.event for entry in answer.entries if isinstance(entry.event, WebSearched)]


async def test_what_the_documents_do_not_hold_is_looked_for_in_the_web(online) -> None:
    async with LocalServer(json_reply(PAGES)) as server:
        house = await online(server)
        answer = await house.ask(OUTSIDE)
    assert "2026" in server.requests[0].body["query"] or "current" in server.requests[0].body["query"]
    assert searched(answer)[0].results == 1
    page = next(source for source in answer.view.sources if source.kind == "web")
    assert (page.url, page.filename) == ("https://www.boi.example.org/rate", "www.boi.example.org")
    assert answer.view.response
    assert "4.25 percent" in answer.view.response.text


async def test_a_question_about_the_documents_stays_with_them(online) -> None:
    async with LocalServer(json_reply(PAGES)) as server:
        house = await online(server)
        answer = await house.ask("What is reimbursed for a night in a hotel in Haifa?")
    assert server.requests == []
    assert searched(answer) == []


async def test_who_asks_for_the_web_gets_it_though_the_documents_answer(online) -> None:
    async with LocalServer(json_reply(PAGES)) as server:
        house = await online(server)
        answer = await house.ask("What is reimbursed for a night in a hotel in Haifa?", web=True)
    assert len(server.requests) == 1
    assert [source.kind for source in answer.view.sources] == ["document", "web"]


async def test_the_switch_alone_sends_no_comparison_to_the_web_and_it_is_said(online) -> None:
    async with LocalServer(json_reply(PAGES)) as server:
        house = await online(server)
        answer = await house.ask("Compare @policy.md and @contract.md", action="compare", web=True)
    assert server.requests == []
    assert "web was not searched" in answer.notices


RATE = "what the web says about the interest rate of the Bank of Israel"


async def test_a_comparison_that_asks_for_the_web_has_it_below(online) -> None:
    async with LocalServer(json_reply(PAGES)) as server:
        house = await online(server)
        answer = await house.ask(f"Compare @policy.md and @contract.md with {RATE}")
    assert answer.view.response
    assert answer.view.response.action == "compare"
    done, _, below = answer.view.response.text.partition("## From the web")
    assert "560 shekels" in done
    assert "4.25 percent" in below
    assert [each.kind for each in answer.view.sources] == ["document", "document", "web"]
    assert "Compare" not in server.requests[0].body["query"]
    assert "interest rate" in server.requests[0].body["query"]
    assert "web was not searched" not in answer.notices


async def test_one_document_is_compared_with_the_web_and_no_second_one_is_asked_for(online) -> None:
    async with LocalServer(json_reply(PAGES)) as server:
        house = await online(server)
        answer = await house.ask(f"Compare @policy.md with {RATE}")
    assert answer.view.outcome == "answered"
    assert len(server.requests) == 1
    assert answer.view.response
    assert "4.25 percent" in answer.view.response.text
    assert "web" in [each.kind for each in answer.view.sources]


async def test_a_question_to_the_web_beside_a_summary_is_not_asked_back(online) -> None:
    async with LocalServer(json_reply(PAGES)) as server:
        house = await online(server)
        answer = await house.ask(
            f"Summarize @policy.md, and {RATE.replace('what the web says', 'what does the web say')}?"
        )
    assert answer.view.response
    assert answer.view.response.action == "summarize"
    assert "4.25 percent" in answer.view.response.text.partition("## From the web")[2]


async def test_a_summary_has_what_the_web_says_below_it(online) -> None:
    async with LocalServer(json_reply(PAGES)) as server:
        house = await online(server)
        answer = await house.ask("Summarize @policy.md", action="summarize", web=True)
    assert answer.view.response
    assert "From the web" in answer.view.response.text
    assert "4.25 percent" in answer.view.response.text


async def test_without_a_key_one_sentence_says_what_the_web_needs(open_house: Open) -> None:
    house = await open_house()
    await house.read("policy.md", POLICY)
    answer = await house.ask("Search the web: what is reimbursed for a night in a hotel in Haifa?")
    assert answer.view.response
    assert "System page" in answer.view.response.text
    assert not answer.view.sources


async def test_an_engine_that_fails_is_said_and_the_documents_answer(online) -> None:
    async with LocalServer(json_reply({}, 401)) as server:
        house = await online(server)
        answer = await house.ask("What is reimbursed for a night in a hotel in Haifa?", web=True)
    assert "Web search" in answer.notices
    assert answer.view.response
    assert "560 shekels" in answer.view.response.text


async def test_a_model_writes_the_queries_and_unrelated_facts_become_several(online) -> None:
    asked = '{"queries": ["Bank of Israel interest rate 2026", "Haifa weather tomorrow"]}'
    written = chat_stream(asked, usage=(1, 1))
    answers = answering(chat_stream("4.25 percent [1]."))

    def respond(request: Request):
        system = str(request.body["messages"][0]["content"])
        return written if "Write web search queries" in system else answers(request)

    async with LocalServer(responder=respond) as model, LocalServer(json_reply(PAGES)) as server:
        house = await online(server, model="openai:m", model_base_url=f"{model.url}/v1")
        answer = await house.ask("What is the interest rate, and will it rain in Haifa?", web=True)
    assert sorted(each.body["query"] for each in server.requests) == [
        "Bank of Israel interest rate 2026",
        "Haifa weather tomorrow",
    ]
    assert searched(answer)[0].queries == ["Bank of Israel interest rate 2026", "Haifa weather tomorrow"]


@pytest.mark.parametrize("nonsense", ["no", "{}", '{"queries": []}', '{"queries": [" "]}', '{"queries": 7}'])
async def test_nonsense_is_not_searched_for_in_the_web(online, nonsense: str) -> None:
    answers = answering(chat_stream("4.25 percent [1]."))

    def respond(request: Request):
        system = str(request.body["messages"][0]["content"])
        return chat_stream(nonsense) if "Write web search queries" in system else answers(request)

    async with LocalServer(responder=respond) as model, LocalServer(json_reply(PAGES)) as server:
        house = await online(server, model="openai:m", model_base_url=f"{model.url}/v1")
        await house.ask("What is the interest rate of the Bank of Israel?", web=True)
    assert [each.body["query"] for each in server.requests] == ["What is the interest rate of the Bank of Israel"]


async def test_weak_passages_offer_the_web_and_the_same_run_goes_on(online, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("core.search.documents.acceptance.ANCHOR", 0.05)
    unsure = Search(confidence_high=1.1, confidence_medium=1.05, enhanced=Mode(top_k=12, strength=0.05))
    async with LocalServer(json_reply(PAGES)) as server:
        house = await online(server, search=unsure)
        answer = await house.ask("Does the reimbursed night in a hotel include breakfast, laundry, parking, internet?")
        assert answer.pending.kind == "retrieval_low"
        assert [choice.id for choice in answer.pending.choices] == ["tag", "web", "continue"]
        assert server.requests == []
        again = await house.reply(answer, "web")
    assert len(server.requests) == 1
    assert again.view.outcome == "answered"
    assert [source.kind for source in again.view.sources][-1] == "web"
