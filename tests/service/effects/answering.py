"""Effects of the settings for additional chat model calls in an answer, and for how their results are used."""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import nullcontext
from types import SimpleNamespace
from typing import Any

from langchain_core.messages import BaseMessage, HumanMessage

import core.graph.nodes.answer as answering
import core.graph.nodes.assess as assessing
import core.graph.nodes.reread as rereading
import core.graph.nodes.tools.blend as blending
from core.events import Passage, Response, Source
from core.graph.answering.fragment_rating import rate
from core.graph.answering.page_pictures import sends_pictures
from core.graph.nodes.documents import _is_to_be_said_in_full
from core.graph.records import Intent
from core.graph.state import Asked, Found, LastAsked, TurnAnswer
from core.models.chat import ChatModels
from core.models.structured import Written
from core.prompts.templates import Prompts
from core.runs.trace import Emit, Trace
from tests.core.graph.turn_states import turn_of
from tests.service.effects.experiment import Bench, changes


def _nothing(_: object) -> None:
    pass


SILENT: Emit = _nothing


class Saying:
    """A model that always gives the same answer and records the prompts."""

    def __init__(self, said: object) -> None:
        self._said = json.dumps(said)
        self.asked: list[str] = []

    async def write(self, messages: Sequence[BaseMessage]) -> Written:
        self.asked.append(messages[0].text)
        return Written(self._said)


def sources(*scores: float) -> list[Source]:
    return [
        Source(
            number=number, document_id=f"d{number}", title="t", filename="f", score=score,
            passages=[Passage(item_id=f"p{number}", text=f"This is text {number}.", score=score)],
        )
        for number, score in enumerate(scores, start=1)
    ]  # fmt: skip


def traced() -> SimpleNamespace:
    step = SimpleNamespace(detail=lambda *_: None, skip=lambda *_: None)
    return SimpleNamespace(step=lambda *_: nullcontext(step))


async def _rated(bench: Bench) -> list[str]:
    model = Saying({"ratings": [{"passage": 1, "rating": 0.0}, {"passage": 2, "rating": 1.0}]})
    found = await rate(Prompts(), model, "Which?", sources(0.8, 0.5), 1_000, bench.settings.tasks)
    return [each.document_id for each in found.sources]


@changes("tasks.rating_weight", "0.1", "0.9")
async def which_source_comes_first_once_it_is_rated(bench: Bench) -> object:
    return await _rated(bench)


@changes("tasks.rating_threshold", "0.3", "0.9")
async def whether_a_weak_passage_is_rated(bench: Bench) -> object:
    return await _rated(bench)


@changes("tasks.rating", "true", "false")
async def what_a_model_is_asked_of_passages(bench: Bench) -> object:
    model = Saying({"sufficient": True})
    bench.patch.setattr(assessing, "PurposeModel", lambda *_: model)

    async def whole(tokens: int, *_: object) -> int:
        return tokens

    models = SimpleNamespace(share_of_window=whole)
    services: Any = SimpleNamespace(models=models, settings=bench.settings, prompts=Prompts())
    state = turn_of("Which?", Found(sources=sources(0.8)))
    await assessing._ask(services, state)
    return model.asked[0].splitlines()[0]


@changes("search.rereading", "false", "true")
async def whether_documents_are_read_again(bench: Bench) -> object:
    read: list[str] = []

    async def again(user_id: str, document_id: str, *_: object) -> object:
        read.append(document_id)
        return SimpleNamespace(items=[])

    bench.patch.setattr(rereading, "node_trace", lambda _: (SILENT, Trace(SILENT, "l")))
    state = turn_of("Which?", Found(sources=sources(0.8)))
    services: Any = SimpleNamespace(
        settings=bench.settings, models=SimpleNamespace(configured=False), rereading=SimpleNamespace(reread=again)
    )
    await rereading.reread(services, state)
    return read


@changes("tasks.tone", "true", "false")
async def in_which_tone_a_casual_question_is_answered(bench: Bench) -> object:
    services: Any = SimpleNamespace(settings=bench.settings)
    return answering._tone(services, turn_of("hey, whats the limit? thx"))


@changes("tasks.reformulation", "true", "false")
async def whether_a_follow_up_is_to_be_said_in_full(bench: Bench) -> object:
    services: Any = SimpleNamespace(settings=bench.settings)
    state = turn_of("And for dinner?")
    state["last_asked"] = LastAsked(text="What is reimbursed for a hotel?")
    return _is_to_be_said_in_full(services, state)


@changes("tasks.blending", "true", "false")
async def what_stands_below_an_action(bench: Bench) -> object:
    model = Saying({"statements": [{"text": "It is 4 percent.", "pages": [2], "relation": "adds"}]})
    bench.patch.setattr(blending, "model_for", lambda *_: model)
    bench.patch.setattr(blending, "node_trace", lambda _: (print, traced()))
    services: Any = SimpleNamespace(settings=bench.settings, prompts=Prompts())
    page = sources(0.5)[0].model_copy(update={"kind": "web", "number": 2})
    text = "A summary.\n\n## From the web\n\n- A page: Text. [2]"
    response = Response(kind="generated", text=text, language="en")
    state = turn_of("?", Found(sources=[page]), TurnAnswer(response=response))
    return await blending.blend(services, state)


@changes("tasks.page_pictures", "true", "false", model="openai:gpt-4.1", openai_api_key="k")
async def whether_a_model_that_sees_images_gets_pictures(bench: Bench) -> object:
    services: Any = SimpleNamespace(settings=bench.settings, models=ChatModels(bench.settings))
    return await sends_pictures(services, turn_of("?"))


@changes("tasks.debate", "true", "false")
async def whether_both_sides_are_written_down(bench: Bench) -> object:
    argument = [{"text": "It is cheap.", "sources": [1]}]
    said = {"arguments_for": argument, "arguments_against": argument, "conclusion": "It depends."}
    bench.patch.setattr(answering, "PurposeModel", lambda *_: Saying(said))
    services: Any = SimpleNamespace(settings=bench.settings, models=None, prompts=Prompts())
    intent = Intent(action="inquire", confidence="high", how="rule", text="?", format="debate")
    state = turn_of("?", Asked(intent=intent))
    prompt: Any = SimpleNamespace(messages=[HumanMessage("Pros and cons?")], numbers=frozenset({1}))
    written: list[object] = []
    writing: Any = SimpleNamespace(step=None, take=written.append)
    await answering._debated(services, state, prompt, writing, traced())  # type: ignore[arg-type]
    return len(written)
