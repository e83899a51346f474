"""Asks a model about a spreadsheet: it sees the columns, corrects its query, and its answer shows the result."""

from __future__ import annotations

from core.events import FirstLine
from pages.answer_given import AnswerGiven
from pages.handlers.chat import Chat, Evidence
from pages.handlers.conversations import transcript_of
from pages.handlers.runs import answer_of
from tests.servers.local import LocalServer, answering, asks_for_json, chat_stream, tool_stream
from tests.service.calling import Someone
from tests.service.conftest import Open
from viz.files.answer import answer_markdown
from viz.files.transcript import markdown

SALES = "Branch,Day,Sold €\nHaifa,2024-01-03,120.50\nEilat,2024-02-07,80\nHaifa,2024-02-09,9.50\n"
QUESTION = "I meet the board soon and wonder: is it Haifa whose sold € wobbles most from visit to visit?"
QUERY = {"dataset": "sales", "group": [{"column": "Branch"}], "measures": [{"function": "sum", "column": "Sold €"}]}


async def test_a_model_queries_what_the_rules_do_not_read_with_certainty(open_house: Open) -> None:
    wrong = {**QUERY, "measures": [{"function": "sum", "column": "Sold"}]}
    replies = (
        tool_stream(("query_data", {"query": wrong})),
        tool_stream(("query_data", {"query": QUERY})),
        chat_stream("Haifa sold €130 [1]. Eilat sold €80 [1]."),
    )
    async with LocalServer(responder=answering(*replies)) as server:
        house = await open_house(model="openai:m", model_base_url=f"{server.url}/v1", openai_api_key="k")
        await house.read("sales.csv", SALES)
        answer = await house.ask(QUESTION)
        prompts = [str(each.body["messages"]) for each in server.requests if not asks_for_json(each)]
    response = answer.view.response
    assert response is not None
    assert "- Branch: text; Haifa, Eilat" in prompts[0]
    assert "BEGIN TABLES" not in prompts[0]
    assert "Sold €" in prompts[1].split("There is no column")[1]
    assert not any(isinstance(entry.event, FirstLine) for entry in answer.entries)
    assert response.answer is not None
    assert response.answer.line == "Haifa sold €130 [1]."
    assert response.confidence == "high"
    assert response.answer.data is not None
    assert response.answer.data.count == 2
    assert [each.verdict for each in response.support] == ["supported", "supported"]


async def test_one_query_is_no_sure_answer_to_two_questions(open_house: Open) -> None:
    house = await open_house()
    await house.read("sales.csv", SALES)
    one = (await house.ask("What is the sum of Sold € by Branch?")).view.response
    two = (await house.ask("What is the sum of Sold € by Branch, and who sold most?")).view.response
    assert one is not None
    assert two is not None
    assert (one.confidence, two.confidence) == ("high", "medium")


async def test_an_answer_that_cites_two_results_keeps_both(open_house: Open) -> None:
    most = {**QUERY, "measures": [{"function": "max", "column": "Sold €"}]}
    replies = (
        tool_stream(("query_data", {"query": QUERY}), ("query_data", {"query": most})),
        chat_stream("Haifa sold €130 [1], at most €120.50 in a visit [2]. Eilat sold €80 [1]."),
    )
    async with LocalServer(responder=answering(*replies)) as server:
        house = await open_house(model="openai:m", model_base_url=f"{server.url}/v1", openai_api_key="k")
        await house.read("sales.csv", SALES)
        answer = await house.ask(QUESTION)
        chat = Chat(house.workbench, Someone("ada"))
        asked = answer.asked
        card = (await chat.evidence("ada", Evidence(run_id=asked.run_id, number=2)))["html"]
        transcript = markdown(await transcript_of(house.workbench, "ada", asked.conversation.id), "en")
    view = answer.view
    response = view.response
    assert response is not None
    assert response.answer is not None
    assert response.answer.data is not None
    assert response.confidence == "high"
    page = view.html()
    assert page.count('class="data-result"') == 2
    assert page.count('<details><summary><b class="number" dir="ltr">2</b>') == 1
    assert 'class="data-result"' in str(card)
    assert "data-open-dataset" in str(card)
    for text in (answer_markdown(view), transcript):
        assert "| Haifa | €130 |" in text
        assert "| Haifa | €120.50 |" in text
    given = AnswerGiven.model_validate(answer_of(view, "c"))
    assert [source.data and source.data.count for source in given.sources if source.data] == [2, 2]
