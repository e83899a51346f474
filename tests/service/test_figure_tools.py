"""Tests the tools over documents in an answer: figures are looked up, calculated with and cited; numbers stay the same
in all calls."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence

from core.events import Notice, Reasoning, StepDetail
from core.graph.answering.budget import ROUNDS
from tests.servers.local import LocalServer, Reply, Request, answering, asks_for_json, chat_stream, tool_stream
from tests.service.conftest import Open
from tests.service.house import Answer, House
from tests.service.test_tools import model, told_by_tools

ACME = (
    "# Acme Ltd annual report 2023\n\nYear ended December 31, 2023.\n\n"
    "| (In millions) | 2023 | 2022 |\n|---|---|---|\n| Net sales | $ 500 | $ 400 |\n| Gross margin | $ 200 | $ 150 |\n"
)
BOLT = (
    "# Bolt Corp annual report 2023\n\nYear ended December 31, 2023.\n\n"
    "| (In thousands) | 2023 | 2022 |\n|---|---|---|\n| Net sales | $ 90,000 | $ 80,000 |\n"
    "| Gross margin | $ 45,000 | $ 36,000 |\n"
)
QUESTION = "What share of its net sales was the gross margin of Acme, and that of Bolt, in 2023?"
Step = Callable[[list[str]], Reply]


def scripted(*steps: Step) -> Callable[[Request], Reply]:
    """A model that takes the next of ``steps`` after each round of results; a step gets all results so far."""
    last = answering(chat_stream("{}"))

    def respond(request: Request) -> Reply:
        if asks_for_json(request) or ("tools" not in request.body and not _results(request)):
            return last(request)
        rounds = sum(1 for each in request.body["messages"] if each.get("tool_calls"))
        return steps[min(rounds, len(steps) - 1)](_results(request))

    return respond


def _results(request: Request) -> list[str]:
    return [each["content"] for each in request.body["messages"] if each["role"] == "tool"]


async def two_companies(open_house: Open, server: LocalServer) -> House:
    house = await open_house(**model(server))
    await house.read("acme.md", ACME)
    await house.read("bolt.md", BOLT)
    return house


def named(results: Sequence[str], document: str, row: str, cell: str) -> tuple[str, int]:
    """The name and the citation number of a figure in the results of ``look_up_figures``."""
    for part in "\n\n".join(results).split("## "):
        found = re.search(rf"^(f\d+) \[(\d+)\] .*{row}.*{cell}", part, re.MULTILINE) if document in part else None
        if found:
            return found[1], int(found[2])
    raise AssertionError((document, row, cell, results))


def details(answer: Answer) -> list[str]:
    return [each.event.detail.en for each in answer.entries if isinstance(each.event, StepDetail)]


async def test_margins_are_looked_up_calculated_and_cited(open_house: Open) -> None:
    numbers: list[int] = []

    def calculate(results: list[str]) -> Reply:
        acme, bolt = named(results, "Acme", "Gross margin", "200"), named(results, "Bolt", "Gross margin", "45,000")
        sales, others = named(results, "Acme", "Net sales", "500"), named(results, "Bolt", "Net sales", "90,000")
        numbers.extend((acme[1], bolt[1]))
        return tool_stream(
            ("calculate", {"expression": f"{acme[0]} / {sales[0]}"}),
            ("calculate", {"expression": f"{bolt[0]} / {others[0]}"}),
            ("calculate", {"expression": f"{acme[0]} + {bolt[0]}"}),
        )

    look_up = tool_stream(
        ("look_up_figures", {"measure": "gross margin", "companies": ["Acme", "Bolt"], "periods": ["2023"]}),
        ("look_up_figures", {"measure": "net sales", "companies": ["Acme", "Bolt"], "periods": ["2023"]}),
    )
    responder = scripted(
        lambda _: look_up,
        calculate,
        lambda _: chat_stream(f"Acme's gross margin was 40 % [{numbers[0]}], that of Bolt 50 % [{numbers[1]}]."),
    )
    async with LocalServer(responder=responder) as server:
        house = await two_companies(open_house, server)
        answer = await house.ask(QUESTION)
        shares = told_by_tools(server)[2:]
    assert "= 0.4 (40 %)" in shares[0]
    assert "= 0.5 (50 %)" in shares[1]
    assert "= 245 million USD" in shares[2]
    assert f"[{numbers[1]}]" in shares[1]
    assert answer.view.response
    assert answer.view.response.removed == []
    by_number = {each.number: each for each in answer.view.sources}
    assert "200" in by_number[numbers[0]].passages[0].text
    assert "45,000" in by_number[numbers[1]].passages[0].text
    ids = [passage.item_id for source in answer.view.sources for passage in source.passages]
    assert len(ids) == len(set(ids))
    assert any("gross margin · Acme, Bolt · 2023" in each for each in details(answer))
    assert any(f"2 of {ROUNDS['enhanced']} rounds" in each for each in details(answer))


async def test_errors_say_what_there_is(open_house: Open) -> None:
    calls = tool_stream(
        ("look_up_figures", {"measure": "gross margin", "companies": ["Initech"]}),
        ("look_up_figures", {"measure": "gross margin", "companies": ["Acme"], "periods": ["2019"]}),
        ("calculate", {"expression": "f1 / f2"}),
        ("list_documents", {"period": "1999"}),
        ("calculate", {"expression": "a * 2", "values": [{"name": "a", "number": 77, "source": 1}]}),
    )
    async with LocalServer(responder=scripted(lambda _: calls, lambda _: chat_stream("It is not known."))) as server:
        house = await two_companies(open_house, server)
        await house.ask(QUESTION)
        company, period, unknown, year, number = told_by_tools(server)
    assert "Acme" in json.loads(company)["error"]
    assert "2023" in period
    assert "2022" in period
    assert "There is no value f1" in json.loads(unknown)["error"]
    assert "2023" in json.loads(year)["error"]
    assert "not in source [1]" in json.loads(number)["error"]


async def test_text_before_a_call_is_not_part_of_the_answer(open_house: Open) -> None:
    call = chat_stream('Let me look.\n```json\n{"tool": "list_documents", "arguments": {}}\n```')
    last = answering(chat_stream("There are two reports."))

    def respond(request: Request) -> Reply:
        texts = [str(each["content"]) for each in request.body["messages"]]
        return last(request) if asks_for_json(request) or any("BEGIN RESULT" in each for each in texts) else call

    async with LocalServer(responder=respond) as server:
        house = await open_house(**model(server, native=False))
        await house.read("acme.md", ACME)
        answer = await house.ask("Explain which reports there are and why.")
    assert answer.view.response
    assert answer.view.response.text == "There are two reports."
    assert answer.view.text == "There are two reports."
    said = [each.event for each in answer.entries if isinstance(each.event, Reasoning)]
    assert [(each.text, each.retracted > 0) for each in said] == [("Let me look.", True)]


async def test_a_model_that_only_calls_is_told_to_end_and_the_answer_says_so(open_house: Open) -> None:
    seen: list[list[str]] = []

    def step(results: list[str]) -> Reply:
        seen.append(results)
        if len(results) >= ROUNDS["enhanced"]:
            return chat_stream("Only a part is known.")
        return tool_stream(("read_page", {"document": "Acme", "page": len(results) + 1}))

    async with LocalServer(responder=scripted(step)) as server:
        house = await two_companies(open_house, server)
        answer = await house.ask(QUESTION)
    assert answer.view.response
    assert len(seen[-1]) == ROUNDS["enhanced"]
    assert "No more tools can be called" in seen[-1][-1]
    notices = [each.event.words.en for each in answer.entries if isinstance(each.event, Notice)]
    assert any("limit for tool calls" in each for each in notices)
