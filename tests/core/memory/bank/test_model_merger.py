from __future__ import annotations

from collections.abc import Sequence

import pytest
from langchain_core.messages import BaseMessage

from core.memory.bank.deduplication import Deduplication, ModelMerger
from core.models.structured import Written
from core.prompts.templates import Prompts

OLD, NEW = "Ada likes tea in the morning", "In the morning Ada enjoys a cup of tea"


class Scripted:
    def __init__(self, answer: str) -> None:
        self.answer = answer
        self.asked: list[str] = []

    async def write(self, messages: Sequence[BaseMessage]) -> Written:
        self.asked.append(messages[-1].text)
        return Written(self.answer)


async def nobody(*_: object) -> list[object]:
    return []


@pytest.mark.parametrize(
    ("answer", "text"),
    [
        ("<think>both</think> Ada enjoys tea in the morning.", "Ada enjoys tea in the morning."),
        ("null", None),
        ("", None),
    ],
)
async def test_one_text_without_the_thinking_or_none(answer: str, text: str | None) -> None:
    model = Scripted(answer)
    assert await ModelMerger(model, Prompts()).merge(OLD, NEW) == text
    assert OLD in model.asked[0]
    assert NEW in model.asked[0]


@pytest.mark.parametrize("answer", ["Ada and Ben drink 7 teas", "User: tea?\nAssistant: yes"])
async def test_what_says_something_else_is_not_kept(answer: str) -> None:
    merging = Deduplication(nobody, None, 0.8, ModelMerger(Scripted(answer), Prompts()))
    assert await merging.joined("ada", OLD, NEW) is None


async def test_without_a_model_nobody_is_asked() -> None:
    model = Scripted("Ada enjoys tea")
    assert await ModelMerger(model, Prompts(), lambda: False).merge(OLD, NEW) is None
    assert model.asked == []
