"""Tests passages that are only close to the question: a model rates them in the same call in which it decides whether
the passages suffice."""

from __future__ import annotations

import json

import pytest

from core.events import Action
from core.setting_groups import Chunking, Tasks
from tests.servers.local import LocalServer, Request
from tests.service.conftest import Open
from tests.service.house import Answer, House
from tests.service.test_model_calls import Scripted, calls_before_the_answer

DEPOTS = (
    "# North depot\n\nThe pumps of the north depot are oiled by the night crew.\n\n"
    "# South depot\n\nThe gates of the south depot are greased by the day crew.\n"
)
QUESTION = "Who oils the machines of the depot?"
CALLS = 2
"""Number of model calls before the answer's first word, with or without ratings: the call that rates, and the answer.
The action is given with the question, so no call is needed to understand it."""
AS_FOUND = ["North", "South"]
RATED, JUDGED = "Rate how useful each passage", "Judge whether the passages are sufficient"


async def opened(open_house: Open, server: LocalServer, **given: object) -> House:
    house = await open_house(
        model="openai:m",
        model_base_url=f"{server.url}/v1",
        openai_api_key="k",
        chunking=Chunking(max_tokens=24, overlap_tokens=2),
        **given,
    )
    await house.read("depots.md", DEPOTS)
    return house


def ratings(*of: float, sufficient: bool = True) -> str:
    rows = [{"passage": number, "rating": each} for number, each in enumerate(of, start=1)]
    return json.dumps({"ratings": rows, "sufficient": sufficient})


def order(answer: Answer) -> list[str]:
    """The passages, best first. Short neighbours share a number, and are shown in the order of their page."""
    passages = [passage for source in answer.view.sources for passage in source.passages]
    passages.sort(key=lambda each: -each.score)
    return [each.text.split()[1 if each.text.startswith("#") else 0] for each in passages]


async def asked(open_house: Open, said: str, **given: object) -> tuple[Answer, list[str], int]:
    """The answer, the prompts, and the number of calls before the first word."""
    answer, prompts, requests = await asked_of(open_house, said, **given)
    return answer, prompts, calls_before_the_answer(requests)


async def asked_of(
    open_house: Open, said: str, action: Action | None = "inquire", **given: object
) -> tuple[Answer, list[str], list[Request]]:
    async with LocalServer(responder=Scripted({RATED: said, JUDGED: '{"sufficient": true}'})) as server:
        house = await opened(open_house, server, **given)
        server.requests.clear()
        answer = await house.ask(QUESTION, action=action)
        prompts = [str(each.body["messages"][0]["content"]) for each in server.requests if each.body]
        return answer, prompts, server.requests


async def test_what_a_model_finds_useful_comes_first(open_house: Open) -> None:
    answer, _, calls = await asked(open_house, ratings(0.0, 1.0))
    assert order(answer) == AS_FOUND[::-1]
    assert calls == CALLS


async def test_it_is_the_call_that_says_whether_they_suffice(open_house: Open) -> None:
    answer, prompts, _ = await asked_of(open_house, ratings(1.0, 0.0, sufficient=False))
    assert any(RATED in each for each in prompts)
    assert not any(JUDGED in each for each in prompts)
    assert any("not enough" in entry.event.detail.en for entry in answer.entries if entry.event.type == "step.detail")


@pytest.mark.parametrize(
    "nonsense",
    [
        "no",
        "[]",
        ratings(7.0, -3.0),
        json.dumps({"ratings": [{"passage": 99, "rating": 1.0}, {"passage": 0, "rating": 1.0}]}),
        json.dumps({"ratings": "all of them", "sufficient": "perhaps"}),
        json.dumps({"ratings": [{"passage": "one"}]}),
    ],
)
async def test_nonsense_moves_and_hides_nothing(open_house: Open, nonsense: str) -> None:
    answer, _, _ = await asked(open_house, nonsense)
    assert order(answer) == AS_FOUND
    assert answer.view.response is not None
    assert answer.view.response.text == "Up to 560 [1]."


async def test_off_it_is_only_asked_whether_they_suffice(open_house: Open) -> None:
    answer, prompts, calls = await asked(open_house, ratings(0.0, 1.0), tasks=Tasks(rating=False))
    assert order(answer) == AS_FOUND
    assert any(JUDGED in each for each in prompts)
    assert not any(RATED in each for each in prompts)
    assert calls == CALLS


async def test_a_model_that_had_to_understand_the_question_is_not_asked_again(open_house: Open) -> None:
    _, prompts, requests = await asked_of(open_house, ratings(0.0, 1.0), action=None)
    assert calls_before_the_answer(requests) == CALLS
    assert not any(RATED in each for each in prompts)
