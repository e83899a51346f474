from __future__ import annotations

import json
from collections.abc import Sequence

import pytest
from langchain_core.messages import BaseMessage

from core.knowledge.extraction.entities import extract
from core.knowledge.model_extraction import ModelReader
from core.models.structured import Written
from core.prompts.templates import Prompts

TEXT = "Late deliveries caused the strike at Kestrel on 3 March 2024."


class Says:
    def __init__(self, answer: str) -> None:
        self.answer = answer
        self.asked: list[Sequence[BaseMessage]] = []

    async def write(self, messages: Sequence[BaseMessage]) -> Written:
        self.asked.append(messages)
        return Written(self.answer)


def answer(concepts: list[tuple[str, str]], relations: Sequence[tuple[str, str, str]] = ()) -> str:
    named = [{"name": name, "kind": kind} for name, kind in concepts]
    return json.dumps(
        {"concepts": named, "relations": [dict(zip(("a", "b", "kind"), r, strict=True)) for r in relations]}
    )


@pytest.fixture
def prompts(tmp_path_factory: pytest.TempPathFactory) -> Prompts:
    return Prompts(tmp_path_factory.mktemp("prompts"))


async def test_a_model_names_and_relates(prompts: Prompts) -> None:
    said = answer(
        [("Late deliveries", "term"), ("strike", "term"), ("Kestrel", "organisation")],
        [("Late deliveries", "strike", "causes"), ("strike", "Rotterdam", "causes")],
    )
    model = Says(said)
    read = await ModelReader(model, prompts).read(TEXT, extract(TEXT))
    assert [(span.label, span.kind) for span in read.found] == [
        ("Late deliveries", "term"),
        ("strike", "term"),
        ("Kestrel", "organisation"),
        ("3 March 2024", "date"),
    ]
    assert [(read.found[a].label, read.found[b].label, kind) for a, b, kind in read.relations] == [
        ("Late deliveries", "strike", "causes")
    ]
    assert TEXT in str(model.asked[0][-1].content)


async def test_what_the_text_does_not_name_is_not_believed(prompts: Prompts) -> None:
    read = await ModelReader(Says(answer([("Acme", "organisation"), ("the", "term")])), prompts).read(
        TEXT, extract(TEXT)
    )
    assert [span.label for span in read.found] == ["3 March 2024"]


@pytest.mark.parametrize("said", ["I cannot do that.", '{"concepts": [{"name": "x", "kind": "spell"}]}', ""])
async def test_without_a_readable_answer_the_rules_stand(prompts: Prompts, said: str) -> None:
    by_rules = extract(TEXT)
    assert await ModelReader(Says(said), prompts).read(TEXT, by_rules) == by_rules
