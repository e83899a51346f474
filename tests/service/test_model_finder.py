"""Tests that an administrator is shown local model servers that run at their usual addresses."""

from __future__ import annotations

import pytest

import core.workbench
from core.models.configuration.search_services import SearchService
from core.models.model_server import find_local_servers
from pages.auth import Identity
from tests.contract.test_model_server import OLLAMA
from tests.people import Named
from tests.servers.local import LocalServer
from tests.service.calling import Endpoints
from tests.service.house import House


async def test_what_listens_is_told_with_its_models(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    async with LocalServer(responder=OLLAMA, describes_itself=True) as local:
        addresses = {"Ollama": f"{local.url}/v1", "vLLM": "http://127.0.0.1:1/v1"}
        monkeypatch.setattr(core.workbench, "find_local_servers", lambda: find_local_servers(addresses))
        monkeypatch.setattr(core.workbench, "find_search_services", reranker)
        found = await called(house, "ada")
    assert found == {
        "servers": [{"name": "Ollama", "address": f"{local.url}/v1", "models": ["qwen3:8b"]}],
        "search": [
            {
                "kind": "rerank",
                "model": "bge",
                "lines": ["RERANK_URL=http://r", "PALIMPSEST_RERANK_SHAPE=tei", "PALIMPSEST_RERANK_MODEL=bge"],
            }
        ],
    }


async def reranker() -> list[SearchService]:
    return [SearchService(kind="rerank", address="http://r", shape="tei", model="bge")]


async def test_nobody_else_may_look(house: House) -> None:
    assert "administrator" in str(await called(house, "bob")).lower()


async def called(house: House, user: str) -> object:
    asked = Identity(house.workbench.settings, Named("ada", "bob"))
    asked.user = lambda request: user  # type: ignore[method-assign]
    return await Endpoints(house, identity=asked).find_models()
