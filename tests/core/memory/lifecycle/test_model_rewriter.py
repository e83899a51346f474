from __future__ import annotations

from collections.abc import Sequence

import pytest
from langchain_core.messages import BaseMessage

from core.memory.lifecycle.rewriting import LONGEST, ModelRewriter
from core.models.structured import Written
from core.prompts.templates import Prompts


class Scripted:
    def __init__(self, answer: str) -> None:
        self.answer = answer
        self.asked: list[str] = []

    async def write(self, messages: Sequence[BaseMessage]) -> Written:
        self.asked.append(messages[-1].text)
        return Written(self.answer)


@pytest.mark.parametrize(
    ("answer", "text"),
    [
        ("<think>why</think> Restart only the label printer.", "Restart only the label printer."),
        ("null", None),
        ("", None),
    ],
)
async def test_new_words_without_the_thinking_or_none(answer: str, text: str | None) -> None:
    model = Scripted(answer)
    rewriter = ModelRewriter(model, Prompts())
    assert await rewriter.rewrite("Restart the printer.", ["How do I restart\nthe scanner?"]) == text
    assert "- How do I restart the scanner?" in model.asked[0]


async def test_a_long_text_is_not_worded_anew() -> None:
    model = Scripted("shorter")
    assert await ModelRewriter(model, Prompts()).rewrite("x" * (LONGEST + 1), []) is None
    assert model.asked == []
