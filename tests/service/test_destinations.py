"""Tests where messages go before any search: the web, nowhere, a tool of another server, small talk."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from core.events import Interrupted, WebSearched
from core.graph.understanding.intent.probabilities import Estimator
from core.models.packaged import PackagedEmbeddings
from tests.servers.local import LocalServer, json_reply
from tests.service.conftest import Open
from tests.service.house import CONTRACT, POLICY, Answer, House

PAGES = {
    "results": [
        {
            "title": "Rates",
            "url": "https://rates.example.org/today",
            "content": "One euro is 4.02 shekels today.",
        }
    ]
}


@pytest.fixture
async def read_by_meaning(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[None]:
    """Reads messages with the packaged embeddings; the documents keep the ones of the tests."""
    embeddings = PackagedEmbeddings()
    begin = Estimator.__init__

    def packaged(estimator: Estimator, *_: object) -> None:
        begin(estimator, embeddings, seconds=60)

    monkeypatch.setattr(Estimator, "__init__", packaged)
    yield
    await embeddings.close()


async def furnished(open_house: Open, **given: object) -> House:
    house = await open_house(**given)
    await house.read("policy.md", POLICY)
    await house.read("contract.md", CONTRACT)
    return house


def text_of(answer: Answer) -> str:
    assert answer.view.response
    return answer.view.response.text


async def test_a_wish_for_the_web_is_searched_with_its_subject_only(open_house: Open) -> None:
    async with LocalServer(json_reply(PAGES)) as server:
        house = await furnished(open_house, tavily_api_key="t", tavily_url=server.url)
        answer = await house.ask("Search the web for the exchange rate of the euro today")
    (request,) = server.requests
    assert "policy" not in request.body["query"].lower()
    assert "exchange rate of the euro" in request.body["query"]
    assert [each.kind for each in answer.view.sources] == ["web"]
    assert any(isinstance(each.event, WebSearched) for each in answer.entries)


@pytest.mark.usefixtures("read_by_meaning")
async def test_general_knowledge_gets_one_sentence_and_no_passages(open_house: Open) -> None:
    house = await furnished(open_house)
    answer = await house.ask("What is the capital of Peru?")
    assert "switched off" in text_of(answer)
    assert "documents (2)" in text_of(answer)
    assert not answer.view.sources


async def test_an_empty_library_is_said_and_nothing_is_asked(open_house: Open) -> None:
    house = await open_house()
    answer = await house.ask("Summarize the contract")
    assert "library is empty" in text_of(answer)
    assert not any(isinstance(each.event, Interrupted) for each in answer.entries)


@pytest.mark.usefixtures("read_by_meaning")
async def test_a_word_of_assent_is_not_searched_for(open_house: Open) -> None:
    house = await furnished(open_house)
    answer = await house.ask("hm, I see")
    assert not answer.view.sources
    assert "Ask me about your documents" in text_of(answer)
