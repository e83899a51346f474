"""Tests a debate: a model writes both sides of a question before it is answered."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from core.search.documents.acceptance import firmly_accepted
from core.setting_groups import Tasks
from tests.servers.local import LocalServer, Reply, Request, Responder, chat_stream, json_reply
from tests.service.conftest import Open
from tests.service.house import HEBREW, Answer, House
from tests.service.test_model_calls import Scripted, furnished

QUESTION = "Pros and cons: a night in a hotel in Haifa is reimbursed up to 560 shekels?"
DEBATES = "write down both sides"
ON = Tasks(debate=True)


def argued(*, sources: list[int], conclusion: str = "It holds costs down and may be too low [1].") -> str:
    return json.dumps(
        {
            "arguments_for": [{"text": "It caps a night at 560 shekels [9].", "sources": [*sources, 9]}],
            "arguments_against": [{"text": "It names no exception.", "sources": sources}],
            "counterarguments": [{"text": "Dinner is paid beside it.", "sources": sources}],
            "conclusion": conclusion,
        }
    )


def debating(said: str | Reply) -> Responder:
    """A model that recognises debate requests by the rules in the last message; it answers all others as usual."""
    others = Scripted({})

    def respond(request: Request) -> Reply:
        if DEBATES in str(request.body["messages"][-1]["content"]):
            return chat_stream(said, usage=(7, 5)) if isinstance(said, str) else said
        return others(request)

    return respond


def text_of(answer: Answer) -> str:
    assert answer.view.response is not None
    return answer.view.response.text


async def asked(house: House, question: str = QUESTION) -> Answer:
    return await house.ask(question)


async def test_both_sides_are_the_answer_each_with_its_sources(open_house: Open) -> None:
    async with LocalServer(responder=debating(argued(sources=[1]))) as server:
        answer = await asked(await furnished(open_house, server, tasks=ON))
    assert text_of(answer).splitlines() == [
        "**Arguments for**",
        "",
        "- It caps a night at 560 shekels. [1]",
        "",
        "**Arguments against**",
        "",
        "- It names no exception. [1]",
        "",
        "**Reply to these arguments**",
        "",
        "- Dinner is paid beside it. [1]",
        "",
        "**On balance**",
        "",
        "It holds costs down and may be too low [1].",
    ]
    assert answer.view.response.kind == "generated"
    assert answer.view.response.tokens_in >= 7, "what it took is counted"


@pytest.mark.parametrize(
    "nonsense",
    [
        "no",
        "{}",
        argued(sources=[9]),
        argued(sources=[1], conclusion=""),
        argued(sources=[1], conclusion="x" * 9_000),
        json.dumps({"arguments_for": [], "arguments_against": [], "conclusion": "yes"}),
        json_reply({"error": {"message": "no"}}, 500),
    ],
)
async def test_nonsense_leaves_the_answer_as_any_other(open_house: Open, nonsense: str | Reply) -> None:
    async with LocalServer(responder=debating(nonsense)) as server:
        answer = await asked(await furnished(open_house, server, tasks=ON))
        prompts = [str(each.body["messages"][0]["content"]) for each in server.requests if each.body]
    assert text_of(answer) == "Up to 560 [1]."
    assert any("Form: both sides" in each for each in prompts)


@pytest.mark.parametrize(
    ("question", "tasks"), [(QUESTION, Tasks()), ("What is reimbursed for a night in a hotel in Haifa?", ON)]
)
async def test_it_is_asked_only_where_it_is_switched_on_and_wanted(
    open_house: Open, question: str, tasks: Tasks
) -> None:
    async with LocalServer(responder=debating(argued(sources=[1]))) as server:
        answer = await asked(await furnished(open_house, server, tasks=tasks), question)
        assert not any(DEBATES in str(each.body) for each in server.requests)
    assert text_of(answer) == "Up to 560 [1]."


async def test_in_hebrew_too(open_house: Open) -> None:
    async with LocalServer(responder=debating(argued(sources=[1]))) as server:
        house = await furnished(open_house, server, tasks=ON)
        await house.read("travel.md", HEBREW)
        answer = await asked(house, "יתרונות וחסרונות: לינה במלון בחיפה מוחזרת עד חמש מאות ושישים שקלים ללילה?")
    assert text_of(answer).startswith("**טיעונים בעד**")


SAMPLES = Path(__file__).parents[2] / "sample_docs"
BY_WORDS = {
    "What are the pros and cons of the lodging limit of the 2024 travel policy?": "travel-and-expense-policy-2024.md",
    "מה היתרונות והחסרונות של החלפה עצמית של המונים?": "meter-storage-memo-2025.docx",
    "מה בעד ומה נגד החלפה עצמית של המונים?": "meter-storage-memo-2025.docx",
    "מה השיקולים לכאן ולכאן בהחלפה עצמית של המונים?": "meter-storage-memo-2025.docx",
    "מה היתרונות והחסרונות של אחסון האצווה בחצר?": "meter-storage-memo-2025.docx",
}


async def test_by_words_alone_both_sides_are_looked_for_by_what_they_are_about(house: House) -> None:
    for name in sorted(set(BY_WORDS.values())):
        await house.read(name, (SAMPLES / name).read_bytes())
    for question, name in BY_WORDS.items():
        answer = await house.ask(question)
        assert answer.view.response is not None
        assert answer.view.response.kind == "extractive", question
        assert [each.filename for each in firmly_accepted(answer.view.sources)] == [name], question
        said = " ".join((text_of(answer), *answer.view.response.remarks))
        assert "Also related" not in said, question
        assert "קשור גם" not in said, question
