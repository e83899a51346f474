"""Tests the real client over real sockets: a small model behind llama.cpp's server, and a misbehaving server."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Iterator
from contextlib import aclosing
from typing import TYPE_CHECKING, Literal, cast

import pytest
from langchain_core.messages import HumanMessage, SystemMessage
from pydantic import BaseModel, SecretStr

from core.errors import PalimpsestError
from core.messages import message
from core.models.chat import ChatModels, Purpose, StreamedPiece, ToolSpec, stream_answer
from core.models.meter import metered
from core.resilience.dependencies import Deadline
from core.settings import Settings
from tests.servers.local import (
    LocalServer,
    Reply,
    Request,
    chat_stream,
    hang_up,
    json_reply,
    silence,
    text_reply,
    tool_stream,
)
from tests.servers.small_model import NAME, small_model

if TYPE_CHECKING:
    from langchain_openai import ChatOpenAI

pytest.importorskip("langchain_openai")

KEY = "sk-very-secret"
QUESTION = [SystemMessage("Be brief."), HumanMessage("What is the capital of France?")]


@pytest.fixture(scope="module")
def model_url() -> Iterator[str]:
    with small_model() as url:
        yield url


def models(url: str, *, tools: bool = False, **deadlines: float) -> ChatModels:
    settings = Settings(
        _env_file=None,
        model=f"openai:{NAME}",
        model_base_url=url,
        model_tools=tools,
        openai_api_key=KEY,
        deadlines=deadlines,
    )
    return ChatModels(settings)


async def collect(chosen: ChatModels, purpose: Purpose = "inquire") -> list[StreamedPiece]:
    return [piece async for piece in chosen.stream(None, QUESTION, purpose)]


def said(pieces: list[StreamedPiece], kind: str = "text") -> str:
    return "".join(piece.text for piece in pieces if piece.kind == kind)


# A real model


async def test_a_real_model_streams_and_tells_its_tokens(model_url: str) -> None:
    pieces = await collect(models(model_url))
    *streamed, usage = pieces
    assert "Paris" in said(pieces)
    assert len(streamed) > 3
    assert usage.kind == "usage"
    assert not usage.counted
    assert usage.tokens_in > 10
    assert usage.tokens_out >= len(streamed)


async def test_temperature_zero_says_the_same_twice(model_url: str) -> None:
    chosen = models(model_url)
    assert said(await collect(chosen)) == said(await collect(chosen))


class Intent(BaseModel):
    action: Literal["inquire", "compare"]
    confident: bool


async def test_a_real_model_answers_in_a_json_schema(model_url: str) -> None:
    model = models(model_url).get(None, "intent").with_structured_output(Intent, method="json_schema")
    answer = await model.ainvoke([HumanMessage("The user wants to compare two reports. Which action is it?")])
    assert isinstance(answer, Intent)


async def test_leaving_early_frees_the_model(model_url: str) -> None:
    chosen = models(model_url)
    async with aclosing(chosen.stream(None, [HumanMessage("Count from 1 to 500, in words.")])) as pieces:
        async for _ in pieces:
            break
    assert said(await collect(chosen))


# A misbehaving server


async def test_what_is_sent_is_what_was_asked_for() -> None:
    async with LocalServer(chat_stream("ok")) as server:
        await collect(models(server.url))
    request = server.requests[0]
    assert request.path == "/chat/completions"
    assert request.headers["authorization"] == f"Bearer {KEY}"
    assert (request.body["model"], request.body["temperature"], request.body["stream"]) == (NAME, 0, True)
    assert [message["role"] for message in request.body["messages"]] == ["system", "user"]


async def test_thinking_is_kept_apart_from_the_answer() -> None:
    async with LocalServer(chat_stream("<th", "ink>because", " of this</thi", "nk>\n\nפריז", ".")) as server:
        pieces = await collect(models(server.url))
    assert (said(pieces), said(pieces, "reasoning")) == ("פריז.", "because of this")
    assert pieces[-1] == StreamedPiece("usage", "", 11, 7)


async def test_calls_of_tools_come_whole_before_the_bill() -> None:
    search = ToolSpec("search_memory", "Search again.", {"type": "object", "properties": {"q": {"type": "string"}}})
    asked = ("search_memory", {"q": "hotel in Haifa"}), ("search_memory", {"q": "מלון"})
    async with LocalServer(tool_stream(*asked)) as server:
        pieces = [piece async for piece in models(server.url, tools=True).stream(None, QUESTION, tools=[search])]
    assert [(call.name, call.arguments) for call in pieces[-2].calls] == list(asked)
    assert len({call.id for call in pieces[-2].calls}) == 2
    assert pieces[-1].kind == "usage"
    assert [tool["function"]["name"] for tool in server.requests[0].body["tools"]] == ["search_memory"]


async def test_who_may_be_offered_tools() -> None:
    assert not (await models("http://127.0.0.1:1/v1").capabilities(None)).tools
    theirs = ChatModels(Settings(_env_file=None, model="anthropic:claude-sonnet-4-6", anthropic_api_key=SecretStr("k")))
    assert (await theirs.capabilities(None)).tools
    assert (await models("http://127.0.0.1:1/v1", tools=True).capabilities(None)).tools


async def test_an_answer_at_the_limit_of_tokens_is_marked() -> None:
    async with LocalServer(chat_stream("and so", finish="length")) as server:
        assert (await collect(models(server.url)))[-1].cut_off


@pytest.mark.parametrize("finish", ["content_filter", "refusal"])
async def test_a_filtered_answer_is_not_shown_as_finished(finish: str) -> None:
    async with LocalServer(chat_stream("I will", finish=finish)) as server:
        with pytest.raises(PalimpsestError) as raised:
            await collect(models(server.url))
    assert raised.value.problem.why == message("models.stream.reasons.filtered.why")


async def test_a_service_that_refuses_tools_is_asked_without_them() -> None:
    search = ToolSpec("search_memory", "Search again.", {"type": "object", "properties": {"q": {"type": "string"}}})

    def respond(request: Request) -> Reply:
        refused = '{"error": {"message": "\'tools\' is not supported by this model"}}'
        return text_reply(refused, 400) if "tools" in request.body else chat_stream("Fine.")

    async with LocalServer(responder=respond) as server:
        chat = models(server.url, tools=True)
        first = [piece async for piece in chat.stream(None, QUESTION, tools=[search])]
        await collect(chat)
        assert not (await chat.capabilities(None)).tools
    assert said(first) == "Fine."
    assert "search_memory" in str(server.requests[1].body["messages"])


async def test_a_server_without_usage_has_its_tokens_counted() -> None:
    async with LocalServer(chat_stream("one two three", usage=None)) as server:
        usage = (await collect(models(server.url)))[-1]
    assert usage.counted
    assert usage.tokens_out == 3


@pytest.mark.parametrize("ending", ["cut", "close"])
async def test_a_server_that_dies_in_the_middle_is_an_error_and_not_an_answer(ending: str) -> None:
    received: list[StreamedPiece] = []

    async def receive(chosen: ChatModels) -> None:
        async for piece in chosen.stream(None, QUESTION):
            received.append(piece)

    async with LocalServer(chat_stream("The capital", " is", ending=ending)) as server:
        with pytest.raises(PalimpsestError) as caught:
            await receive(models(server.url))
    assert said(received) == "The capital is"
    assert caught.value.problem.category == "connection"
    assert caught.value.problem.what.en == "The model stopped in the middle of its answer."
    assert caught.value.problem.what.he == "המודל נעצר באמצע התשובה."
    assert len(server.requests) == 1, "what was given out is not asked for again"


async def stream(server: LocalServer, sleep: object = None, **deadlines: float) -> list[StreamedPiece]:
    chosen = models(server.url)
    model = await asyncio.to_thread(chosen.get, None, "inquire")
    total = Deadline(deadlines.get("total", 10.0))
    first = deadlines.get("first", 5.0)
    waits: list[float] = []

    async def count(seconds: float) -> None:
        waits.append(seconds)

    return [piece async for piece in stream_answer(model, QUESTION, total, first, sleep or count)]  # type: ignore[arg-type]


async def test_a_rate_limit_is_waited_for_once() -> None:
    waits: list[float] = []

    async def count(seconds: float) -> None:
        waits.append(seconds)

    async with LocalServer([json_reply({"error": {"message": "slow down"}}, 429), chat_stream("ok")]) as server:
        assert said(await stream(server, count)) == "ok"
        assert (len(server.requests), waits) == (2, [1.0])


async def test_a_pause_within_an_answer_is_waited_for_and_no_longer() -> None:
    async with LocalServer(chat_stream("The capital", ending="hang")) as server:
        chosen = models(server.url, model_silence=0.5)
        with pytest.raises(PalimpsestError) as caught:
            await collect(chosen)
    assert caught.value.problem.why == message("models.stream.waits.stalled.why", seconds="0.5")


async def test_a_model_that_thinks_unseen_is_given_more_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Uses two OpenAI models at OpenAI's own address; the client's model profiles state whether a model thinks."""
    seconds: dict[str, float] = {}

    async def asked(model: ChatOpenAI, *given: object, **_: object) -> AsyncIterator[StreamedPiece]:
        seconds[model.model_name] = cast(float, given[2])
        yield StreamedPiece("usage")

    monkeypatch.setattr("core.models.chat.stream_answer", asked)
    for name in ("gpt-4.1", "gpt-5"):
        await collect(ChatModels(Settings(_env_file=None, model=f"openai:{name}", openai_api_key=KEY)))
    assert seconds == {"gpt-4.1": 30.0, "gpt-5": 90.0}


def refusal(status: int) -> Reply:
    return json_reply({"error": {"message": f"key {KEY} is not good", "type": "x", "code": None}}, status)


@pytest.mark.parametrize(
    ("reply", "category", "attempts"),
    [
        (refusal(401), "auth", 1),
        (refusal(403), "auth", 1),
        (refusal(404), "not_found", 1),
        (refusal(400), "validation", 1),
        (refusal(429), "rate_limit", 2),
        (refusal(500), "server", 1),
        (hang_up(), "connection", 2),
        (chat_stream(ending="close"), "connection", 2),
        (json_reply({"choices": "nonsense"}), "server", 1),
    ],
)
async def test_what_goes_wrong_is_explained_without_the_key(
    reply: Reply, category: str, attempts: int, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    async with LocalServer(reply) as server:
        with pytest.raises(PalimpsestError) as caught:
            await stream(server)
    error = caught.value
    assert error.problem.what.en == "The model did not answer."
    assert (error.problem.category, len(server.requests)) == (category, attempts)
    logging.getLogger("test").exception("as a service would log it", exc_info=error)
    assert KEY not in f"{error!r} {error} {error.problem} {caplog.text}"


async def test_a_model_that_never_answers_is_given_up_in_time() -> None:
    async with LocalServer(silence()) as server:
        with pytest.raises(PalimpsestError) as caught:
            await stream(server, first=0.1, total=0.2)
    assert caught.value.problem.category == "timeout"


async def test_a_model_that_stops_speaking_is_given_up_in_time() -> None:
    async with LocalServer(chat_stream("The capital", ending="hang")) as server:
        with pytest.raises(PalimpsestError) as caught:
            await stream(server, first=5.0, total=1.0)
    assert caught.value.problem.category == "timeout"
    assert "middle" in caught.value.problem.what.en


async def test_closing_lets_go_and_asking_again_begins_anew() -> None:
    async with LocalServer(chat_stream("ok")) as server:
        chosen = models(server.url)
        await collect(chosen)
        await chosen.close()
        assert said(await collect(chosen)) == "ok"


async def test_three_failures_open_the_breaker_of_that_model() -> None:
    async with LocalServer(refusal(500)) as server:
        chosen = models(server.url)
        for _ in range(4):
            with pytest.raises(PalimpsestError) as caught:
                await collect(chosen)
    assert len(server.requests) == 3
    assert caught.value.problem.category == "connection"
    assert chosen._admission.breakers[f"openai:{NAME}"].state == "open"


async def test_a_model_too_slow_for_small_tasks_may_still_write_the_answer() -> None:
    async with LocalServer(silence()) as server:
        chosen, why = models(server.url, model_small=0.05), []
        for _ in range(4):
            with pytest.raises(PalimpsestError) as caught:
                async for _ in chosen.stream(None, QUESTION, "titles"):
                    pass
            why.append(caught.value.problem.category)
    assert why == ["timeout", "timeout", "connection", "connection"], "two late tasks stop the next ones"
    assert chosen._admission.breakers[f"openai:{NAME}"].state == "closed"


async def test_a_late_small_task_costs_only_itself_and_is_named() -> None:
    async with LocalServer([silence(), chat_stream("Rivers")]) as server:
        chosen = models(server.url, model_small=0.3)
        with metered() as meter:
            with pytest.raises(PalimpsestError):
                await collect(chosen, "titles")
            assert said(await collect(chosen, "suggestions")) == "Rivers"
    assert meter.spent.left_out == ["titles"]


async def test_a_wrong_key_does_not_open_the_breaker() -> None:
    async with LocalServer(refusal(401)) as server:
        chosen = models(server.url)
        for _ in range(4):
            with pytest.raises(PalimpsestError):
                await collect(chosen)
    assert len(server.requests) == 4
