"""Tests that an administrator is shown local model servers that run at their usual addresses."""

from __future__ import annotations

import time
from typing import Any

import pytest

import core.workbench
from core.models.configuration.search_services import SearchService
from core.models.model_server import find_local_servers
from pages.auth import Identity
from tests.contract.test_model_server import OLLAMA, server
from tests.people import Named
from tests.servers.local import LocalServer, silence
from tests.service.calling import Endpoints
from tests.service.house import House

EMBEDDER = {"object": "list", "data": [{"id": "nomic-embed-text"}, {"id": "qwen3:8b"}]}


async def test_what_listens_is_listed_with_its_models(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    async with LocalServer(responder=OLLAMA, describes_itself=True) as local:
        addresses = {"Ollama": f"{local.url}/v1", "vLLM": "http://127.0.0.1:1/v1"}
        monkeypatch.setattr(core.workbench, "find_local_servers", lambda: find_local_servers(addresses, seconds=5))
        monkeypatch.setattr(core.workbench, "find_search_services", reranker)
        found = await called(house, "ada")
    assert found == {
        "servers": [{"name": "Ollama", "address": f"{local.url}/v1", "models": ["qwen3:8b"]}],
        "empty": [],
        "advice": None,
        "chosen": False,
        "search": [
            {
                "kind": "rerank",
                "model": "bge",
                "lines": ["RERANK_URL=http://r", "PALIMPSEST_RERANK_SHAPE=tei", "PALIMPSEST_RERANK_MODEL=bge"],
            }
        ],
    }


async def test_an_embedding_model_is_no_chat_model(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    async with LocalServer(responder=server(v1_models=EMBEDDER), describes_itself=True) as local:
        addresses = {"llama.cpp": f"{local.url}/v1"}
        monkeypatch.setattr(core.workbench, "find_local_servers", lambda: find_local_servers(addresses, seconds=5))
        monkeypatch.setattr(core.workbench, "find_search_services", nothing)
        found = await called(house, "ada")
    assert [each["models"] for each in found["servers"]] == [["qwen3:8b"]]


async def test_without_a_chat_model_the_advice_says_what_to_install(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with LocalServer(responder=server(v1_models={"object": "list", "data": []}), describes_itself=True) as local:
        addresses = {"Ollama": f"{local.url}/v1", "vLLM": "http://127.0.0.1:1/v1"}
        monkeypatch.setattr(core.workbench, "find_local_servers", lambda: find_local_servers(addresses, seconds=5))
        monkeypatch.setattr(core.workbench, "find_search_services", nothing)
        found = await called(house, "ada")
    assert (found["servers"], found["empty"]) == ([], ["Ollama"])
    assert found["advice"]["program"] == "Ollama"
    for model in found["advice"]["models"]:
        assert model["command"].endswith(model["id"])
        assert 0 < model["download"] < model["memory"]


async def test_silent_servers_are_waited_for_at_the_same_time() -> None:
    async with LocalServer(responder=lambda request: silence(), describes_itself=True) as silent:
        began = time.monotonic()
        found = await find_local_servers(dict.fromkeys("abcdefgh", f"{silent.url}/v1"), seconds=1.0)
    assert found == []
    assert time.monotonic() - began < 4.0


async def nothing() -> list[SearchService]:
    return []


async def reranker() -> list[SearchService]:
    return [SearchService(kind="rerank", address="http://r", shape="tei", model="bge")]


async def test_nobody_else_may_look(house: House) -> None:
    assert "administrator" in str(await called(house, "bob")).lower()


async def called(house: House, user: str) -> Any:
    asked = Identity(house.workbench.settings, Named("ada", "bob"))
    asked.user = lambda request: user  # type: ignore[method-assign]
    return await Endpoints(house, identity=asked).find_models()
