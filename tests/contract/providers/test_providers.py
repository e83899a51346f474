"""Tests each provider's own client, built as in the product, against a local server that speaks its wire format."""

from __future__ import annotations

import asyncio
import json
import logging
from typing import Annotated

import pytest
from langchain_core.messages import HumanMessage, SystemMessage
from pydantic import BaseModel, Field

from core.errors import PalimpsestError
from core.messages import message
from core.models.answer_forms import AnswerForm, form_of
from core.models.chat import ChatModels, StreamedPiece, ToolSpec, stream_answer
from core.models.structured import Prompt, PurposeModel, ask_json
from core.resilience.dependencies import Deadline
from core.settings import Settings
from tests.contract.providers.wire import WIRES, Ending, Wire, refusal, stream
from tests.servers.local import LocalServer, Reply, Request, chat_stream, silence

KEY = "sk-very-secret"
LONGEST = 4_096
QUESTION = [SystemMessage("Be brief."), HumanMessage("What is the capital of France?")]
SEARCH = ToolSpec(
    "search_memory",
    "Search again.",
    {
        "type": "object",
        "properties": {
            "query": {"type": "string", "description": "What to look for."},
            "tiers": {"type": "array", "items": {"type": "string", "enum": ["proven", "fresh"]}},
        },
        "required": ["query"],
    },
)


@pytest.fixture(params=WIRES)
def wire(request: pytest.FixtureRequest) -> Wire:
    return WIRES[request.param]


async def ask(
    wire: Wire,
    monkeypatch: pytest.MonkeyPatch,
    *replies: Reply,
    tools: tuple[ToolSpec, ...] = (),
    form: AnswerForm | None = None,
    received: list[StreamedPiece] | None = None,
    waits: list[float] | None = None,
    first: float = 5.0,
) -> LocalServer:
    """Sends one question; returns the local server, which has recorded the requests. Appends the reply or error to
    ``received``."""
    received = [] if received is None else received

    async def pause(seconds: float) -> None:
        if waits is not None:
            waits.append(seconds)

    async with LocalServer(replies) as server:
        monkeypatch.setenv(wire.base, server.url + wire.root)
        models = ChatModels(Settings(_env_file=None, model=wire.model, **{wire.key: KEY}))  # type: ignore[arg-type]
        model = await asyncio.to_thread(models.get, None, "inquire")
        asking = stream_answer(
            model, QUESTION, Deadline(20.0), first, pause, tools=tools, most_tokens=LONGEST, form=form
        )
        async for piece in asking:
            received.append(piece)
        await models.close()
    return server


def said(pieces: list[StreamedPiece], kind: str = "text") -> str:
    return "".join(piece.text for piece in pieces if piece.kind == kind)


async def test_an_answer_streams_and_is_billed(wire: Wire, monkeypatch: pytest.MonkeyPatch) -> None:
    received: list[StreamedPiece] = []
    server = await ask(wire, monkeypatch, wire.reply("answer"), received=received)
    assert [piece.text for piece in received if piece.kind == "text"] == ["The capital", " is Paris."]
    assert received[-1] == StreamedPiece("usage", tokens_in=11, tokens_out=7)
    assert [server.requests[0].path, server.requests[0].body] == wire.recorded("request_answer")


async def test_a_tool_is_offered_and_called(wire: Wire, monkeypatch: pytest.MonkeyPatch) -> None:
    received: list[StreamedPiece] = []
    server = await ask(wire, monkeypatch, wire.reply("tools"), tools=(SEARCH,), received=received)
    (calls,) = (piece.calls for piece in received if piece.kind == "calls")
    assert [(call.name, call.arguments) for call in calls] == [("search_memory", {"query": "hotel in Haifa"})]
    assert calls[0].id
    assert [server.requests[0].path, server.requests[0].body] == wire.recorded("request_tools")


class City(BaseModel):
    """A city."""

    name: str = ""
    districts: list[Annotated[str, Field(max_length=9)]] | None = None


async def test_json_is_asked_for_in_the_providers_own_way(wire: Wire, monkeypatch: pytest.MonkeyPatch) -> None:
    server = await ask(wire, monkeypatch, wire.reply("answer"), form=form_of(City))
    assert [server.requests[0].path, server.requests[0].body] == wire.recorded("request_json")


def _with_form(request: Request) -> bool:
    return {"response_format", "output_config"} & request.body.keys() != set()


async def test_a_service_that_refuses_a_form_is_asked_without_it_from_then_on(
    wire: Wire, monkeypatch: pytest.MonkeyPatch
) -> None:
    refused = refusal(400, _error("response_format is not supported"))
    async with LocalServer(responder=lambda each: refused if _with_form(each) else wire.reply("answer")) as server:
        monkeypatch.setenv(wire.base, server.url + wire.root)
        models = ChatModels(Settings(_env_file=None, model=wire.model, **{wire.key: KEY}))  # type: ignore[arg-type]
        model = PurposeModel(models, None, "titles").in_form(City)
        texts = [(await model.write(QUESTION)).text for _ in range(2)]
        await models.close()
    assert texts == ["The capital is Paris."] * 2
    posted = [each for each in server.requests if "messages" in each.body]
    assert [_with_form(each) for each in posted] == [True, False, False]


async def test_a_service_that_refuses_tools_still_answers_with_the_tools_in_the_prompt(
    wire: Wire, monkeypatch: pytest.MonkeyPatch
) -> None:
    refused = refusal(400, _error('"tools" is not supported by this model'))
    async with LocalServer(responder=lambda each: refused if "tools" in each.body else wire.reply("answer")) as server:
        monkeypatch.setenv(wire.base, server.url + wire.root)
        settings = Settings(_env_file=None, model=wire.model, model_tools=True, **{wire.key: KEY})  # type: ignore[arg-type]
        models = ChatModels(settings)
        texts = [said([piece async for piece in models.stream(None, QUESTION, tools=(SEARCH,))]) for _ in range(2)]
        await models.close()
    assert texts == ["The capital is Paris."] * 2
    posted = [each for each in server.requests if "messages" in each.body]
    assert ["tools" in each.body for each in posted] == [True, False, False]
    assert "search_memory" in json.dumps(posted[1].body)


async def test_a_service_that_fails_at_a_form_is_asked_for_plain_json(monkeypatch: pytest.MonkeyPatch) -> None:
    def answer(request: Request) -> Reply:
        return chat_stream("no JSON" if _with_form(request) else '{"name": "Paris"}')

    async with LocalServer(responder=answer) as server:
        settings = Settings(_env_file=None, model="openai:m", model_base_url=f"{server.url}/v1")  # type: ignore[arg-type]
        models = ChatModels(settings)
        found, _ = await ask_json(PurposeModel(models, None, "titles"), Prompt(None, "Which city?"), City)
        await models.close()
    assert found == City(name="Paris")


@pytest.mark.parametrize("wire", [each for each in WIRES.values() if each.thinks], ids=lambda each: each.provider)
async def test_thinking_is_no_part_of_the_answer(wire: Wire, monkeypatch: pytest.MonkeyPatch) -> None:
    received: list[StreamedPiece] = []
    await ask(wire, monkeypatch, wire.reply("thinking"), received=received)
    assert (said(received, "reasoning"), said(received)) == ("France, so Paris.", "Paris.")


async def test_an_answer_at_its_limit_is_marked(wire: Wire, monkeypatch: pytest.MonkeyPatch) -> None:
    received: list[StreamedPiece] = []
    await ask(wire, monkeypatch, wire.reply("cut_off"), received=received)
    assert received[-1].cut_off


@pytest.mark.parametrize(
    ("status", "category", "attempts"),
    [(400, "validation", 1), (401, "auth", 1), (404, "not_found", 1), (429, "rate_limit", 2), (500, "server", 1)],
)
async def test_a_refusal_is_told_apart_and_never_repeats_the_key(
    wire: Wire,
    status: int,
    category: str,
    attempts: int,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.INFO)
    body = {"type": "error", "error": {"type": "x", "message": f"key {KEY}"}, "message": f"key {KEY}"}
    counted: list[int] = []

    def count(reply: Reply) -> Reply:
        async def counting(writer: asyncio.StreamWriter) -> None:
            counted.append(1)
            await reply(writer)

        return counting

    with pytest.raises(PalimpsestError) as caught:
        await ask(wire, monkeypatch, count(refusal(status, body, retry_after="0")))
    assert (caught.value.problem.category, len(counted)) == (category, attempts)
    logging.getLogger("test").exception("as a service would log it", exc_info=caught.value)
    assert KEY not in f"{caught.value!r} {caught.value.problem} {caplog.text}"


def _error(text: str, kind: str = "invalid_request_error", code: object = None) -> dict[str, object]:
    """An error body in OpenAI's form, with Anthropic's envelope; Mistral and Cohere send only the message."""
    return {"type": "error", "error": {"message": text, "type": kind, "param": None, "code": code}}


REASONS = [
    ("openai", 400, _error("This model's maximum context length is 8192 tokens."), "too_long"),
    ("compatible", 400, _error("the request exceeds", "exceed_context_size_error", 400), "too_long"),
    ("anthropic", 400, _error("prompt is too long: 208310 tokens > 200000 maximum"), "too_long"),
    ("mistral", 400, {"message": "Prompt contains 40001 tokens, too large for model with 32768"}, "too_long"),
    ("cohere", 400, {"message": "too many tokens: size limit exceeded by 11326 tokens."}, "too_long"),
    ("openai", 429, _error("You exceeded your current quota", code="insufficient_quota"), "out_of_credit"),
    ("anthropic", 400, _error("Your credit balance is too low"), "out_of_credit"),
    ("mistral", 402, {"message": "Payment required"}, "out_of_credit"),
    ("cohere", 402, {"message": "Payment required"}, "out_of_credit"),
    ("anthropic", 529, _error("Overloaded", "overloaded_error"), "busy"),
    ("compatible", 503, _error("Loading model", "unavailable_error"), "busy"),
    ("openai", 400, _error("Unsupported value: 'temperature'", code="unsupported_value"), "refused"),
    ("cohere", 404, {"message": "model 'command-z' not found"}, "not_found"),
]


@pytest.mark.parametrize(("provider", "status", "body", "reason"), REASONS)
async def test_the_reader_is_told_why(
    provider: str, status: int, body: object, reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    waits: list[float] = []
    with pytest.raises(PalimpsestError) as caught:
        await ask(WIRES[provider], monkeypatch, refusal(status, body), waits=waits)
    assert caught.value.problem.why == message(f"models.stream.reasons.{reason}.why")
    assert waits == []


async def test_a_rate_limit_passes(wire: Wire, monkeypatch: pytest.MonkeyPatch) -> None:
    received: list[StreamedPiece] = []
    waits: list[float] = []
    limited = refusal(429, {"message": "slow down"}, retry_after="0")
    await ask(wire, monkeypatch, limited, wire.reply("answer"), received=received, waits=waits)
    assert (said(received), len(waits)) == ("The capital is Paris.", 1)


@pytest.mark.parametrize("provider", ["openai", "compatible"])
@pytest.mark.parametrize("given", ["", "The capital"])
async def test_a_streamed_refusal_is_called_a_refusal(
    provider: str, given: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    wire = WIRES[provider]
    events = wire.recorded("answer")
    deltas = [each["choices"][0]["delta"] for each in events if each["choices"]]
    for delta in deltas:
        if delta.get("content"):
            delta |= {"content": given} if given in delta["content"] and given else {"content": None, "refusal": "I "}
    received: list[StreamedPiece] = []
    with pytest.raises(PalimpsestError) as caught:
        await ask(wire, monkeypatch, stream(wire, events, "done"), received=received)
    assert said(received) == given
    assert caught.value.problem.why == message("models.stream.reasons.filtered.why")
    assert not [piece for piece in received if piece.kind == "usage"]


@pytest.mark.parametrize("ending", ["abort", "close"])
async def test_a_stream_cut_in_the_middle_is_no_answer(
    wire: Wire, ending: Ending, monkeypatch: pytest.MonkeyPatch
) -> None:
    received: list[StreamedPiece] = []
    begun = next(n for n, event in enumerate(wire.recorded("answer"), 1) if "The capital" in json.dumps(event))
    with pytest.raises(PalimpsestError) as caught:
        await ask(wire, monkeypatch, wire.reply("answer", begun, ending), received=received)
    assert said(received) == "The capital"
    assert caught.value.problem.category == "connection"
    assert caught.value.problem.what.en == "The model stopped in the middle of its answer."


async def test_who_says_nothing_is_waited_for_once(wire: Wire, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(PalimpsestError) as caught:
        await ask(wire, monkeypatch, silence(), wire.reply("answer"), first=0.5)
    assert caught.value.problem.why == message("models.stream.waits.late.why", seconds="0.5")
