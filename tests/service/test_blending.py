"""Tests how results from documents, memory and the web are combined: in one prompt for a question, and below an
action's result by a model."""

from __future__ import annotations

import json

import pytest

from core.setting_groups import Tasks
from tests.servers.local import LocalServer, json_reply
from tests.service.conftest import Open
from tests.service.house import POLICY, Answer, House
from tests.service.test_model_calls import Scripted
from tests.service.test_web import PAGES

JOINS = "Combine the results of a web search"
LAYER = "## Several kinds of sources"
SUMMARY = {
    "take notes for a summary": json.dumps({"points": [{"text": "Hotels up to 560.", "passages": [1]}]}),
    "Write web search queries": json.dumps({"queries": ["interest rate"]}),
}
AS_FOUND = "- Bank of Israel: The interest rate of the Bank of Israel was set at 4.25 percent in November 2026. [2]"


def stated(text: str = "The rate is 4.25 percent [7].", pages: object = (2,), relation: str = "differs") -> str:
    rows = [{"text": text, "pages": list(pages) if isinstance(pages, tuple) else pages, "relation": relation}]
    return json.dumps({"statements": rows})


async def summarised(open_house: Open, said: str, **given: object) -> Answer:
    async with (
        LocalServer(responder=Scripted({JOINS: said, **SUMMARY})) as model,
        LocalServer(json_reply(PAGES)) as web,
    ):
        house = await online(open_house, model, web, **given)
        return await house.ask("Summarize @policy.md", action="summarize", web=True)


async def online(open_house: Open, model: LocalServer, web: LocalServer, **given: object) -> House:
    house = await open_house(
        tavily_api_key="t", tavily_url=web.url, model="openai:m", model_base_url=f"{model.url}/v1",
        openai_api_key="k", **given,
    )  # fmt: skip
    await house.read("policy.md", POLICY)
    return house


def below(answer: Answer) -> str:
    assert answer.view.response is not None
    return answer.view.response.text.partition("## From the web")[2].strip()


async def test_what_a_model_says_of_the_pages_takes_the_place_of_their_texts(open_house: Open) -> None:
    answer = await summarised(open_house, stated())
    assert below(answer) == "- **Differs:** The rate is 4.25 percent. [2]"


@pytest.mark.parametrize(
    "nonsense",
    [
        "no",
        "{}",
        '{"statements": []}',
        stated(pages=(9,)),
        stated(pages=()),
        stated(pages="2"),
        stated(text=""),
        stated(text="x" * 2_000),
        stated(relation="likes"),
    ],
)
async def test_nonsense_leaves_the_pages_as_they_were_found(open_house: Open, nonsense: str) -> None:
    assert below(await summarised(open_house, nonsense)) == AS_FOUND


async def test_it_can_be_switched_off(open_house: Open) -> None:
    assert below(await summarised(open_house, stated(), tasks=Tasks(blending=False))) == AS_FOUND


@pytest.mark.parametrize("blending", [True, False])
async def test_one_prompt_says_which_sources_are_of_the_web(open_house: Open, blending: bool) -> None:
    async with LocalServer(responder=Scripted(SUMMARY)) as model, LocalServer(json_reply(PAGES)) as web:
        house = await online(open_house, model, web, tasks=Tasks(blending=blending))
        answer = await house.ask("What is reimbursed for a night in a hotel in Haifa?", web=True)
        prompts = [str(each.body["messages"][0]["content"]) for each in model.requests if each.body]
    written = next(each for each in prompts if "BEGIN SOURCES" in each and "bare JSON" not in each)
    assert (LAYER in written) is blending
    assert ("Web pages and tool results, as they were when they were read: 2" in written) is blending
    assert answer.view.response is not None
    assert answer.view.response.text == "Up to 560 [1]."


async def test_of_one_kind_of_source_nothing_is_joined(open_house: Open) -> None:
    async with LocalServer(responder=Scripted(SUMMARY)) as model, LocalServer(json_reply(PAGES)) as web:
        house = await online(open_house, model, web)
        await house.ask("What is reimbursed for a night in a hotel in Haifa?")
        assert not any(LAYER in str(each.body) or JOINS in str(each.body) for each in model.requests)
