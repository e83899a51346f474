"""Tests the line that the tables give above a model's answer, and the rows that the model gets as sources."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable

import pytest

from core.events import AssistantDelta, FirstLine, Response
from tests.servers.local import LocalServer, answering, asks_for_json, chat_stream
from tests.service.conftest import Open
from tests.service.house import Answer, House
from tests.service.test_first_line import report

QUESTION = "What were Nordvik's net sales in 2022?"


@pytest.fixture
async def ask(open_house: Open) -> AsyncIterator[Callable]:
    servers: list[LocalServer] = []

    async def asked(*written: str) -> tuple[Answer, str]:
        server = LocalServer(responder=answering(*(chat_stream(each) for each in written)))
        servers.append(await server.__aenter__())
        house: House = await open_house(model="openai:m", model_base_url=f"{server.url}/v1", openai_api_key="k")
        await house.read("NORDVIK_2022_10K.html", report("Nordvik Corporation", 2400, 300, 2000))
        answer = await house.ask(QUESTION)
        prompts = [str(each.body["messages"]) for each in server.requests if not asks_for_json(each)]
        return answer, prompts[0]

    yield asked
    for server in servers:
        await server.__aexit__()


def response_of(answer: Answer) -> Response:
    assert answer.view.response is not None
    return answer.view.response


async def test_a_sure_line_is_shown_before_the_model_writes_and_its_repetition_is_left_out(ask) -> None:
    written = "Nordvik's net sales were $2,400 million in 2022 [1]. That is 20% more than in 2021 [1]."
    answer, prompt = await ask(written)
    kinds = [type(entry.event) for entry in answer.entries]
    assert kinds.index(FirstLine) < kinds.index(AssistantDelta)
    response, html = response_of(answer), answer.view.html()
    assert response.answer is not None
    assert (response.answer.value, response.confidence) == (2400.0, "high")
    assert response.text.startswith("Nordvik's net sales were $2,400 million")
    assert "That is 20% more" in html
    assert "net sales were" not in html.split('class="body"')[1].split("</div></div>")[0]
    assert "Found by the tables: " in prompt
    assert "Net sales | $2,400 | $2,000" in prompt


async def test_a_model_with_another_value_leaves_both_visible_and_says_so(ask) -> None:
    answer, _ = await ask("Nordvik's net sales were $2,000 million in 2022 [1].")
    response, html = response_of(answer), answer.view.html()
    assert response.answer is not None
    assert response.confidence == "medium"
    assert "states another value" in html
    assert "2,400" in html.split('class="body"')[0]
    assert "$2,000 million" in html.split('class="body"')[1]


async def test_a_cited_row_opens_its_cell(ask) -> None:
    answer, _ = await ask("Net sales were $2,400 million [2].")
    rows = [source for source in answer.view.sources if source.cell]
    assert [(source.number, source.cell.text, source.cell.row) for source in rows] == [(2, "$2,400", 0)]
    assert response_of(answer).removed == []
