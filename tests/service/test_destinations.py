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


async def test_the_library_is_described_and_never_from_memory(open_house: Open) -> None:
    house = await furnished(open_house)
    for question in ("What is in my library?", "which documents do I have?"):
        answer = await house.ask(question)
        assert "has 2 documents" in text_of(answer)
        assert "The newest is “Metering contract”" in text_of(answer)
    assert "ריקה" not in text_of(await house.ask("מה יש בספרייה שלי?"))


async def test_a_wish_for_the_web_that_is_off_gets_one_sentence(open_house: Open) -> None:
    house = await furnished(open_house)
    answer = await house.ask("search the web for the dollar rate")
    assert "switched off" in text_of(answer)
    assert "System page" in text_of(answer)
    assert not answer.view.sources


async def test_arithmetic_is_computed_with_its_calculation(open_house: Open) -> None:
    house = await furnished(open_house)
    assert text_of(await house.ask("17.5 percent of 4350")) == "**761.25** = 17.5 / 100 × 4,350"


@pytest.mark.usefixtures("read_by_meaning")
async def test_a_continuation_about_something_else_quotes_nothing(open_house: Open) -> None:
    house = await furnished(open_house)
    first = await house.ask("What does the travel policy say about dinner?")
    answer = await house.ask("And the capital of Peru?", conversation_id=first.asked.conversation.id)
    assert "switched off" in text_of(answer)
    assert not answer.view.sources


@pytest.mark.usefixtures("read_by_meaning")
async def test_a_question_that_names_a_file_goes_to_it_and_not_to_what_was_said(open_house: Open) -> None:
    house = await furnished(open_house)
    await house.ask("Who made the engine? (contract.md)")
    answer = await house.ask("Who made the engine of the meters? (contract.md)")
    assert "you said" not in text_of(answer)
    assert "web is switched off" not in text_of(answer)
