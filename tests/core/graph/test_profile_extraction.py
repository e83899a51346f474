"""Tests which facts about the user a model may add to those that rules find: only facts that the message states."""

from __future__ import annotations

import json
from collections.abc import Sequence

import pytest
from langchain_core.messages import BaseMessage

from core.graph.profile_extraction import extract_profile
from core.models.structured import Written
from core.prompts.templates import Prompts

MESSAGE = "Haifa has been my home since 2011. What is the lodging limit?"


class Says:
    """A model that always gives the same answer; ``asked`` holds the prompts."""

    def __init__(self, answer: object) -> None:
        self.answer = answer if isinstance(answer, str) else json.dumps(answer, ensure_ascii=False)
        self.asked: list[str] = []

    async def write(self, messages: Sequence[BaseMessage]) -> Written:
        self.asked.append(str(messages[-1].content))
        return Written(self.answer)


class Broken:
    async def write(self, messages: Sequence[BaseMessage]) -> Written:
        raise ConnectionError("gone")


def found(**more: str) -> list[dict[str, str]]:
    offer = {
        "text": "Haifa has been my home since 2011.",
        "category": "identity",
        "confidence": "high",
        "quote": "Haifa has been my home since 2011",
    }
    return [{**offer, **more}]


async def texts(message: str, model: Says | Broken | None) -> list[str]:
    return [each.text for each in await extract_profile(Prompts(), model, message, "en")]


async def test_a_model_sees_what_rules_miss() -> None:
    assert await texts(MESSAGE, None) == []
    assert await texts(MESSAGE, Says(found())) == ["Haifa has been my home since 2011."]


@pytest.mark.parametrize(
    "wrong",
    [
        {"confidence": "low"},
        {"category": "family"},
        {"text": "My home is Acre since 2011."},
        {"text": "Haifa has been my home since 2012."},
        {"text": "I own a large house near the sea and enjoy gardening there."},
        {"quote": "I live in Haifa"},
        {"quote": "What is my home?"},
        {"text": "Has Haifa been my home since 2011?"},
    ],
)
async def test_what_the_message_does_not_say_is_left_out(wrong: dict[str, str]) -> None:
    assert await texts(MESSAGE, Says(found(**wrong))) == []


@pytest.mark.parametrize("answer", ["[]", "none", '{"text": "x"}', "```json\n[]\n```"])
async def test_nothing_is_nothing(answer: str) -> None:
    assert await texts(MESSAGE, Says(answer)) == []


async def test_the_rules_stand_alone_when_the_model_fails() -> None:
    assert await texts("I live in Haifa.", Broken()) == ["I live in Haifa."]


async def test_a_model_does_not_repeat_the_rules() -> None:
    said = found(text="I live in Haifa.", quote="I live in Haifa")
    assert await texts("I live in Haifa.", Says(said)) == ["I live in Haifa."]


@pytest.mark.parametrize(
    "message",
    ["What is the lodging limit?", "I am the queen of England, lol", "Suppose Haifa has been my home since 2011."],
)
async def test_a_model_is_not_asked_about_what_is_not_meant(message: str) -> None:
    model = Says(found())
    assert await texts(message, model) == []
    assert model.asked == []


async def test_a_handed_over_text_is_not_shown_to_the_model() -> None:
    model = Says("[]")
    await texts("My eyes are weak.\n> I am a pilot", model)
    assert "pilot" not in model.asked[0]
    assert "My eyes are weak." in model.asked[0]


async def test_hebrew_is_checked_against_the_message_too() -> None:
    message = "ביקורת פנים היא העבודה שלי כבר עשור."
    offer = found(text=message, quote="ביקורת פנים היא העבודה שלי", category="identity")
    assert [each.text for each in await extract_profile(Prompts(), Says(offer), message, "he")] == [message]
    other = found(text="אני מהנדסת מים בעיר אחרת לגמרי.", quote="העבודה שלי")
    assert await extract_profile(Prompts(), Says(other), message, "he") == []


@pytest.mark.parametrize("message", ["What is my job, and where do I live?", "איפה אני גר?"])
async def test_a_model_is_not_asked_about_a_question(message: str) -> None:
    model = Says([])
    assert await texts(message, model) == []
    assert model.asked == []
    await texts(MESSAGE, model)
    assert "lodging" not in model.asked[0].partition("BEGIN MESSAGE")[2]
