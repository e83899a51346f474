"""Tests each provider's model list and a trial call, over real sockets in each provider's format."""

from __future__ import annotations

import json

import pytest
from pydantic import SecretStr

from core.errors import PalimpsestError
from core.models.configuration.offered import offered_models
from core.models.configuration.records import ProviderId
from core.models.configuration.trial import Trial, try_model
from core.settings import Settings
from tests.contract.test_model_server import OLLAMA
from tests.servers.local import LocalServer, Reply, Request, chat_stream, hang_up, json_reply, tool_stream

KEY = SecretStr("sk-very-secret")
LISTS: dict[ProviderId, tuple[str, object, list[str]]] = {
    "openai": (
        "/models",
        {"data": [{"id": "gpt-4.1"}, {"id": "text-embedding-3-large"}, {"id": "whisper-1"}, {"id": "gpt-4.1-mini"}]},
        ["gpt-4.1", "gpt-4.1-mini"],
    ),
    "anthropic": (
        "/v1/models?limit=1000",
        {
            "data": [{"type": "model", "id": "claude-sonnet-4-5", "display_name": "Claude Sonnet 4.5"}],
            "has_more": False,
        },
        ["claude-sonnet-4-5"],
    ),
    "mistralai": (
        "/models",
        {
            "data": [
                {"id": "mistral-large-latest", "capabilities": {"completion_chat": True, "function_calling": True}},
                {"id": "mistral-embed", "capabilities": {"completion_chat": False}},
            ]
        },
        ["mistral-large-latest"],
    ),
    "cohere": (
        "/v1/models?endpoint=chat&page_size=1000",
        {"models": [{"name": "command-a-03-2025", "endpoints": ["chat"], "context_length": 256_000}]},
        ["command-a-03-2025"],
    ),
}


@pytest.mark.parametrize("provider", LISTS)
async def test_a_provider_lists_what_can_answer(provider: ProviderId) -> None:
    path, listed, expected = LISTS[provider]
    async with LocalServer(json_reply(listed), describes_itself=True) as server:
        found = await offered_models(provider, server.url, KEY)
    assert [each.id for each in found] == expected
    asked = server.requests[0]
    assert asked.path == path
    assert KEY.get_secret_value() in (asked.headers.get("x-api-key") or asked.headers["authorization"])


async def test_a_server_of_ones_own_lists_what_does_not_only_embed() -> None:
    async with LocalServer(responder=OLLAMA, describes_itself=True) as server:
        found = await offered_models("own", f"{server.url}/v1", None)
    assert [(each.id, each.window, each.tools) for each in found] == [("qwen3:8b", 12_288, True)]


@pytest.mark.parametrize(
    ("reply", "category"),
    [
        (json_reply({"error": f"bad key {KEY.get_secret_value()}"}, 401), "auth"),
        (json_reply({}, 404), "not_found"),
        (json_reply({"hello": "world"}), "server"),
        (hang_up(), "connection"),
    ],
)
async def test_why_there_is_no_list_is_told(reply: Reply, category: str) -> None:
    async with LocalServer(reply, describes_itself=True) as server:
        with pytest.raises(PalimpsestError) as caught:
            await offered_models("openai", server.url, KEY)
    assert caught.value.problem.category == category
    assert KEY.get_secret_value() not in f"{caught.value!r} {caught.value.problem}"


async def test_an_address_is_needed_where_there_is_no_usual_one() -> None:
    with pytest.raises(PalimpsestError) as caught:
        await offered_models("own", None, None)
    assert caught.value.problem.category == "validation"


def capable(request: Request) -> Reply:
    asked = json.dumps(request.body, ensure_ascii=False)
    if request.body.get("tools"):
        return tool_stream(("get_weather", {"city": "Haifa"}))
    if "JSON" in asked:
        return chat_stream('{"city": ', '"Paris"}')
    return chat_stream("הים כחול ", "ורחב.") if '\\"he\\"' in asked else chat_stream("The sea is ", "blue and wide.")


def deaf(request: Request) -> Reply:
    return chat_stream("The sea is blue.")


async def tried(reply: object) -> Trial:
    async with LocalServer(responder=reply) as server:  # type: ignore[arg-type]
        settings = Settings(_env_file=None, model="m", model_base_url=f"{server.url}/v1", model_tools=True)
        return await try_model(settings, seconds=5)


async def test_a_model_that_can_do_all_is_said_to() -> None:
    trial = await tried(capable)
    assert {check.name: check.works for check in trial.checks} == dict.fromkeys(
        ("answers", "streams", "tools", "json", "en", "he"), True
    )
    assert trial.first_token is not None
    assert trial.problem is None


async def test_what_a_model_cannot_do_is_said() -> None:
    assert {check.name: check.works for check in (await tried(deaf)).checks} == {
        "answers": True,
        "streams": False,
        "tools": False,
        "json": False,
        "en": True,
        "he": False,
    }


async def test_where_nothing_answers_nothing_else_is_claimed() -> None:
    trial = await tried(lambda request: hang_up())
    assert {check.works for check in trial.checks if check.name != "answers"} == {None}
    assert trial.problem is not None
