"""Tests how many model calls are made before the first word of an answer, and the results of the calls that run in
parallel."""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass
from itertools import takewhile

import pytest

from core.events import AssistantDelta
from core.language.tokens import count_tokens
from tests.servers.local import LocalServer, Reply, Request, asks_for_json, chat_stream, judgement
from tests.service.conftest import Open
from tests.service.house import POLICY, Answer, House

PLAIN = (
    "What is reimbursed for a night in a hotel in Haifa?",
    "How much is paid for a hotel in Haifa?",
    "What is the limit for a hotel night in Haifa?",
    "Who approves a hotel night in Haifa?",
    "When is a night in a hotel reimbursed?",
    "Which city does the hotel limit apply to?",
    "How many shekels is a hotel night in Haifa?",
    "Is a night in a hotel in Haifa reimbursed?",
    "Why is a hotel in Haifa reimbursed?",
    "What does the travel policy say about hotels in Haifa?",
    "What was reimbursed for hotels in 2024?",
    "כמה מוחזר על לילה במלון בחיפה?",
    "מה התקרה ללילה במלון בחיפה?",
    "מי מאשר לילה במלון בחיפה?",
    "מתי מוחזר לילה במלון?",
    "כמה שקלים מוחזרים על מלון בחיפה?",
    "האם לילה במלון בחיפה מוחזר?",
    "מהו ההחזר על מלון בחיפה?",
    "איזה החזר ניתן על מלון בחיפה?",
    "מה אומר הנוהל על מלונות בחיפה?",
)
SHARED_TOKENS = 2_000
"""Tokens with which the prompts of two questions begin alike, tools included, so that a provider can cache them."""
SLOW = 2.0
"""Seconds that each call of a slow model takes; the search takes less."""
MOST = 2
"""Number of model calls before the first word of a plain question's answer, including the call that writes it."""


@dataclass
class Scripted:
    """A model. ``small`` maps a word in a task's instructions to the answer for this task; all other judgement requests
    get "sufficient"."""

    small: dict[str, str]

    def __call__(self, request: Request) -> Reply:
        if not asks_for_json(request):
            return chat_stream("Up to 560 [1].")
        rules = str(request.body["messages"][0]["content"])
        said = next((answer for word, answer in self.small.items() if word in rules), None)
        return chat_stream(said, usage=(1, 1)) if said is not None else judgement()


async def furnished(open_house: Open, server: LocalServer, **given: object) -> House:
    house = await open_house(model="openai:m", model_base_url=f"{server.url}/v1", openai_api_key="k", **given)
    await house.read("policy.md", POLICY)
    return house


def judges_an_outcome(request: Request) -> bool:
    return "indicators" in str(request.body["messages"][0]["content"])


def calls_before_the_answer(requests: list[Request]) -> int:
    """Counts the calls up to and including the one that writes the answer. The call that judges the previous answer's
    outcome runs in parallel and is not waited for."""
    chats = [each for each in requests if each.path.endswith("/chat/completions") and not judges_an_outcome(each)]
    return 1 + next(place for place, each in enumerate(chats) if not asks_for_json(each))


def questions_of(answer: Answer) -> list[str]:
    return answer.view.suggested.candidates if answer.view.suggested else []


@pytest.mark.parametrize("past", [False, True])
async def test_a_plain_question_takes_two_calls_at_most_before_its_first_word(open_house: Open, past: bool) -> None:
    counts = {}
    async with LocalServer(responder=Scripted({})) as server:
        house = await furnished(open_house, server, dense_enabled=True)
        before = await house.ask("What is reimbursed for a night in a hotel in Haifa?")
        conversation = before.asked.conversation.id if past else None
        for question in PLAIN:
            server.requests.clear()
            await house.ask(question, conversation_id=conversation)
            counts[question] = calls_before_the_answer(server.requests)
    assert max(counts.values()) <= MOST, {each: count for each, count in counts.items() if count > MOST}


@pytest.mark.parametrize("tools", [True, False])
async def test_two_questions_of_a_person_share_the_beginning_of_their_prompts(open_house: Open, tools: bool) -> None:
    sent = []
    async with LocalServer(responder=Scripted({})) as server:
        house = await furnished(open_house, server, model_tools=tools)
        for question in ("What is reimbursed for a night in a hotel in Haifa?", "Who approves a hotel night?"):
            server.requests.clear()
            await house.ask(question)
            written = next(each.body for each in server.requests if each.body and not asks_for_json(each))
            described = json.dumps(written.get("tools", []), ensure_ascii=False)
            sent.append(described + "".join(str(each["content"]) for each in written["messages"]))
    assert sent[0] != sent[1]
    alike = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(*sent, strict=False)))
    assert count_tokens(sent[0][:alike]) >= SHARED_TOKENS


async def test_of_a_slow_model_one_call_at_most_is_waited_for_before_its_first_word(open_house: Open) -> None:
    """With a model that takes 5 s a call, the first word comes after two calls, that is within 11 s."""
    waits: list[float] = []
    slow = Scripted({})

    def late(request: Request) -> Reply:
        reply = slow(request)

        async def waited(writer: asyncio.StreamWriter) -> None:
            waits.append(SLOW)
            await asyncio.sleep(SLOW)
            await reply(writer)

        return waited

    async with LocalServer(responder=late) as server:
        house = await furnished(open_house, server)
        server.requests.clear()
        answer = await house.ask(PLAIN[0])
    begun = next(entry.at for entry in answer.entries if isinstance(entry.event, AssistantDelta))
    assert calls_before_the_answer(server.requests) <= MOST
    assert begun - answer.entries[0].at < (MOST + 1) * SLOW
    assert len(waits) >= MOST


async def test_what_a_model_suggests_comes_next(open_house: Open) -> None:
    said = json.dumps(["Who approves dearer hotels in Haifa?", "Are dinners in Haifa reimbursed?"])
    async with LocalServer(responder=Scripted({"may ask next": said})) as server:
        answer = await (await furnished(open_house, server)).ask(PLAIN[0])
    assert questions_of(answer) == ["Who approves dearer hotels in Haifa?", "Are dinners in Haifa reimbursed?"]


@pytest.mark.parametrize("said", ["no", "{}", "[1, 2]", '[""]', json.dumps([PLAIN[0]]), json.dumps(["x" * 900])])
async def test_nonsense_is_not_suggested(open_house: Open, said: str) -> None:
    async with LocalServer(responder=Scripted({"may ask next": said})) as server:
        answer = await (await furnished(open_house, server)).ask(PLAIN[0])
    assert answer.view.response is not None
    assert answer.view.response.text == "Up to 560 [1]."
    assert all(len(each) < 200 and each != PLAIN[0] and each.endswith("?") for each in questions_of(answer))
