"""Tests that the recorded response bodies match the wire formats that the providers' own clients declare."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from anthropic.types import RawMessageStreamEvent
from anthropic.types.message_create_params import MessageCreateParamsStreaming
from cohere.core.pydantic_utilities import parse_obj_as
from cohere.types import ChatMessageV2, ToolV2
from cohere.v2.types import V2ChatStreamResponse
from mistralai.client.models import ChatCompletionStreamRequest, CompletionChunk
from openai.types.chat import ChatCompletionChunk
from openai.types.chat.completion_create_params import CompletionCreateParamsStreaming
from pydantic import TypeAdapter, ValidationError

from tests.contract.providers.wire import GOLDEN, WIRES

Check = Callable[[Any], object]


def cohere_request(body: dict[str, Any]) -> None:
    for kind, each in ((ChatMessageV2, body["messages"]), (ToolV2, body.get("tools", []))):
        parse_obj_as(list[kind], each)  # type: ignore[valid-type]


EVENT: dict[str, Check] = {
    "openai": TypeAdapter(ChatCompletionChunk).validate_python,
    "compatible": TypeAdapter(ChatCompletionChunk).validate_python,
    "anthropic": TypeAdapter(RawMessageStreamEvent).validate_python,
    "mistral": CompletionChunk.model_validate,
    "cohere": lambda event: parse_obj_as(V2ChatStreamResponse, event),  # type: ignore[arg-type]
}
REQUEST: dict[str, Check] = {
    "openai": TypeAdapter(CompletionCreateParamsStreaming).validate_python,
    "compatible": TypeAdapter(CompletionCreateParamsStreaming).validate_python,
    "anthropic": TypeAdapter(MessageCreateParamsStreaming).validate_python,
    "mistral": ChatCompletionStreamRequest.model_validate,
    "cohere": cohere_request,
}
RECORDED = sorted(path for path in GOLDEN.rglob("*.json"))


def test_every_provider_has_every_body() -> None:
    kept = {provider: {path.stem for path in RECORDED if path.parent.name == provider} for provider in WIRES}
    named = {"answer", "cut_off", "request_answer", "request_json", "request_tools", "tools"}
    assert kept == {each.provider: named | ({"thinking"} if each.thinks else set()) for each in WIRES.values()}


@pytest.mark.parametrize("path", RECORDED, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_a_body_is_of_the_clients_own_type(path: Path) -> None:
    provider = path.parent.name
    recorded = WIRES[provider].recorded(path.stem)
    if path.stem.startswith("request_"):
        REQUEST[provider](recorded[1])
        return
    for event in recorded:
        EVENT[provider](event)


@pytest.mark.parametrize("provider", ["openai", "anthropic", "mistral"])
def test_a_body_of_another_form_is_found(provider: str) -> None:
    with pytest.raises(ValidationError):
        EVENT[provider]({"type": "no such event"})
    with pytest.raises(ValidationError):
        REQUEST[provider]({"messages": "none"})
