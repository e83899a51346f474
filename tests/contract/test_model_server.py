"""Tests the details that model servers report about themselves, each in its own format, over real sockets."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from pydantic import SecretStr

from core.models.capabilities import ModelCapabilities
from core.models.chat import ChatModels, ToolSpec
from core.models.model_server import ServedModel, find_local_servers, served_models
from core.settings import Settings
from core.tools.definition import schema_of
from core.tools.definition_files import definition_of
from core.tools.memory_server import NAMES
from tests.servers.local import LocalServer, Reply, Request, Responder, json_reply, silence, text_reply

NAME = "qwen3:8b"
LISTED = {"object": "list", "data": [{"id": NAME, "object": "model"}]}


def server(**replies: object) -> Responder:
    """Starts a server that returns the given answer for each path (``_`` means a slash), and "not found" for all
    others."""
    paths = {f"/{path.replace('_', '/')}": reply for path, reply in replies.items()}

    def respond(request: Request) -> Reply:
        found = paths.get(request.path)
        return json_reply({}, 404) if found is None else json_reply(found)

    return respond


VLLM = server(v1_models={"data": [{"id": NAME, "max_model_len": 40_960}]})
ROUTER = server(
    v1_models={
        "data": [
            {
                "id": NAME,
                "context_length": 131_072,
                "top_provider": {"max_completion_tokens": 8_192},
                "architecture": {"input_modalities": ["text", "image"]},
            }
        ]
    }
)
LLAMA_CPP = server(
    v1_models=LISTED, props={"default_generation_settings": {"n_ctx": 8_192}, "modalities": {"vision": True}}
)
LM_STUDIO = server(
    v1_models=LISTED,
    api_v0_models={
        "data": [
            {
                "id": NAME,
                "type": "llm",
                "loaded_context_length": 16_384,
                "max_context_length": 40_960,
                "capabilities": ["tool_use"],
            }
        ]
    },
)
SHOWN = {"parameters": "num_ctx    12288\ntemperature 1", "capabilities": ["completion", "tools", "vision"]}
OLLAMA = server(v1_models=LISTED, api_ps={"models": []}, api_show=SHOWN)
OLLAMA_LOADED = server(
    v1_models=LISTED, api_ps={"models": [{"name": NAME, "context_length": 20_480}]}, api_show={"capabilities": []}
)
OLLAMA_SILENT = server(v1_models=LISTED, api_ps={"models": []}, api_show={})


@pytest.mark.parametrize(
    ("responder", "model"),
    [
        (VLLM, ServedModel(id=NAME, window=40_960)),
        (ROUTER, ServedModel(id=NAME, window=131_072, answer=8_192, images=True)),
        (LLAMA_CPP, ServedModel(id=NAME, window=8_192, images=True)),
        (LM_STUDIO, ServedModel(id=NAME, window=16_384, tools=True, embeds=False, images=False)),
        (OLLAMA, ServedModel(id=NAME, window=12_288, tools=True, embeds=False, images=True)),
        (OLLAMA_LOADED, ServedModel(id=NAME, window=20_480, tools=False, embeds=False, images=False)),
        (OLLAMA_SILENT, ServedModel(id=NAME, window=4_096)),
        (server(v1_models=LISTED), ServedModel(id=NAME)),
    ],
    ids=["vllm", "router", "llama.cpp", "lm studio", "ollama", "ollama, loaded", "ollama, silent", "any other"],
)
async def test_what_a_server_says_of_its_model(responder: Responder, model: ServedModel) -> None:
    async with LocalServer(responder=responder, describes_itself=True) as local:
        assert await served_models(f"{local.url}/v1", SecretStr("k")) == [model]
    assert local.requests[0].headers["authorization"] == "Bearer k"


@pytest.mark.parametrize("reply", [text_reply("<html>"), json_reply({"data": 1}), json_reply({}, 500), silence()])
async def test_what_is_no_server_of_models_is_none(reply: Reply) -> None:
    async with LocalServer(reply, describes_itself=True) as local:
        assert await served_models(f"{local.url}/v1", seconds=0.3) == []


async def test_the_servers_that_listen_are_found_and_the_others_are_not_waited_for() -> None:
    async with (
        LocalServer(responder=OLLAMA, describes_itself=True) as ollama,
        LocalServer(silence(), describes_itself=True) as silent,
    ):
        addresses = {"Ollama": f"{ollama.url}/v1", "vLLM": f"{silent.url}/v1", "LM Studio": "http://127.0.0.1:1/v1"}
        (found,) = await find_local_servers(addresses, seconds=0.5)
    assert (found.name, found.address) == ("Ollama", f"{ollama.url}/v1")
    assert [each.id for each in found.models] == [NAME]


def of(address: str, **changes: object) -> ChatModels:
    return ChatModels(Settings(_env_file=None, model=NAME, model_base_url=address, **changes))  # type: ignore[arg-type]


async def test_the_server_is_asked_once_and_a_silent_one_again() -> None:
    async with LocalServer(responder=VLLM, describes_itself=True) as local:
        models = of(f"{local.url}/v1")
        assert [(await models.capabilities(None)).window for _ in range(2)] == [40_960, 40_960]
        assert len(local.requests) == 1
    unreachable = of("http://127.0.0.1:1/v1")
    assert (await unreachable.capabilities(None)).window == 32_768


@pytest.mark.parametrize(("others", "window"), [((), 4_096), (("another",), 32_768)])
async def test_a_server_of_one_model_is_known_by_whatever_name(others: Sequence[str], window: int) -> None:
    listed = {"data": [{"id": "/models/File.Q4.gguf", "meta": {"n_ctx": 4_096}}, *({"id": each} for each in others)]}
    async with LocalServer(responder=server(v1_models=listed), describes_itself=True) as local:
        assert (await of(f"{local.url}/v1").capabilities(None)).window == window


async def test_a_silent_server_is_left_alone_for_a_while_and_asked_again() -> None:
    now = [0.0]
    async with LocalServer(json_reply({}, 500), describes_itself=True) as local:
        settings = Settings(_env_file=None, model=NAME, model_base_url=f"{local.url}/v1")
        model = ChatModels(settings).get(None, "inquire")
        known = ModelCapabilities(settings, lambda: now[0])
        for at in (1.0, 2.0, 29.0, 32.0, 33.0):
            now[0] = at
            assert (await known.of(f"openai:{NAME}", model, own_endpoint=True)).window == 32_768
        assert len(local.requests) == 2


async def test_the_setting_goes_before_the_server() -> None:
    async with LocalServer(responder=LM_STUDIO, describes_itself=True) as local:
        able = await of(f"{local.url}/v1", model_window=2_048, model_answer=512).capabilities(None)
    assert (able.window, able.answer, able.tools) == (2_048, 512, True)


@pytest.mark.parametrize(
    ("model", "key", "window", "answer"),
    [
        ("openai:gpt-4.1", "openai_api_key", 1_047_576, 32_768),
        ("anthropic:claude-sonnet-4-6", "anthropic_api_key", 1_000_000, 128_000),
        ("cohere:command-a-03-2025", "cohere_api_key", 256_000, 8_000),
        ("openai:of-nobody", "openai_api_key", 32_768, None),
    ],
)
async def test_a_providers_model_is_known_to_its_client(model: str, key: str, window: int, answer: int | None) -> None:
    able = await ChatModels(Settings(_env_file=None, model=model, **{key: "k"})).capabilities(None)  # type: ignore[arg-type]
    assert (able.window, able.answer) == (window, answer)


@pytest.mark.parametrize(
    ("window", "prompt", "room"), [(4_096, 3_000, 512), (32_768, 8_000, 22_768), (32_768, 0, 32_768)]
)
async def test_what_is_left_for_the_answer_fits_the_window(window: int, prompt: int, room: int) -> None:
    able = await of("http://127.0.0.1:1/v1", model_window=window).capabilities(None)
    assert able.room_for_answer(prompt) == room
    assert prompt + able.room_for_answer(prompt) <= window


async def test_a_model_that_refuses_a_temperature_is_sent_none() -> None:
    models = ChatModels(Settings(_env_file=None, models=["openai:o3-mini", "openai:gpt-4.1"], openai_api_key="k"))  # type: ignore[arg-type]
    kept = [models.get(each, "inquire").temperature for each in ("openai:o3-mini", "openai:gpt-4.1")]  # type: ignore[attr-defined]
    assert kept == [None, 0]


@pytest.mark.parametrize(
    ("window", "calls", "offered"),
    [(4_096, False, False), (4_096, True, True), (32_768, False, True), (1_048_576, False, True)],
)
async def test_tools_are_described_where_the_window_has_room(window: int, calls: bool, offered: bool) -> None:
    chosen = of("http://127.0.0.1:1/v1", model_window=window, model_tools=calls)
    described = [definition_of(name) for name in NAMES]
    specs = [ToolSpec(each.name, each.description, schema_of(each.parameters)) for each in described]
    assert await chosen.can_be_offered(specs, None) is offered
