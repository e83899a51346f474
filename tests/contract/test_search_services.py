"""Tests that embedding models and rerankers are detected by their server's API format, over real sockets."""

from __future__ import annotations

import pytest

from core.models.configuration.search_services import SearchService, find_search_services
from tests.contract.test_model_server import OLLAMA, server
from tests.servers.local import LocalServer, Reply, Request, Responder, json_reply, silence, text_reply

VECTOR = {"data": [{"embedding": [0.1, 0.2, 0.3]}]}
E5 = "intfloat/multilingual-e5-small"
TEI = server(info={"model_id": E5, "model_type": {"embedding": {"pooling": "mean"}}}, v1_embeddings=VECTOR)
TEI_RERANKER = server(info={"model_id": "BAAI/bge-reranker-v2-m3", "model_type": {"reranker": {"id2label": {}}}})
INFINITY = server(
    models={
        "data": [
            {"id": "bge-m3", "capabilities": ["embed"]},
            {"id": "mxbai-rerank", "capabilities": ["rerank"]},
            {"id": "toxic", "capabilities": ["classify"]},
        ]
    },
    embeddings=VECTOR,
)
STUDIO = server(
    v1_models={"data": [{"id": "nomic"}, {"id": "qwen3:8b"}]},
    api_v0_models={"data": [{"id": "nomic", "type": "embeddings"}, {"id": "qwen3:8b", "type": "llm"}]},
    v1_embeddings=VECTOR,
)
PLAIN = server(v1_models={"data": [{"id": "bge-m3"}, {"id": "bge-reranker"}, {"id": "qwen3"}]}, v1_embeddings=VECTOR)
REFUSING = server(info={"model_id": E5, "model_type": {"embedding": {}}})


async def found(responder: Responder, *, compatible: bool = False) -> list[SearchService]:
    async with LocalServer(responder=responder, describes_itself=True) as local:
        origins = () if compatible else (local.url,)
        addresses = {"it": f"{local.url}/v1"} if compatible else {}
        services = await find_search_services(origins, addresses)
    assert all(each.address.startswith(local.url) for each in services)
    return services


@pytest.mark.parametrize(
    ("responder", "compatible", "expected"),
    [
        (TEI, False, [("embedding", "tei", E5, 3)]),
        (TEI_RERANKER, False, [("rerank", "tei", "BAAI/bge-reranker-v2-m3", None)]),
        (INFINITY, False, [("embedding", "openai", "bge-m3", 3), ("rerank", "jina", "mxbai-rerank", None)]),
        (STUDIO, True, [("embedding", "openai", "nomic", 3)]),
        (PLAIN, True, [("embedding", "openai", "bge-m3", 3), ("rerank", "jina", "bge-reranker", None)]),
        (OLLAMA, True, []),
        (REFUSING, False, []),
    ],
)
async def test_each_server_is_understood(
    responder: Responder, compatible: bool, expected: list[tuple[str, str, str, int | None]]
) -> None:
    services = await found(responder, compatible=compatible)
    assert [(each.kind, each.shape, each.model, each.dimension) for each in services] == expected


def _nonsense(_: Request) -> Reply:
    return text_reply("<html>")


def _list(_: Request) -> Reply:
    return json_reply([1, 2])


def _silent(_: Request) -> Reply:
    return silence()


@pytest.mark.parametrize("responder", [_nonsense, _list, _silent])
async def test_what_is_no_such_server_is_passed_over(responder: Responder) -> None:
    async with LocalServer(responder=responder, describes_itself=True) as local:
        assert await find_search_services((local.url,), {"it": f"{local.url}/v1"}, seconds=0.3) == []


async def test_nothing_listens() -> None:
    assert await find_search_services(("http://127.0.0.1:1",), {"it": "http://127.0.0.1:1/v1"}) == []


def test_the_lines_name_settings_that_exist() -> None:
    embedding = SearchService(kind="embedding", address="http://e", shape="tei", model=E5, dimension=384)
    assert embedding.settings() == {
        "EMBEDDING_URL": "http://e",
        "PALIMPSEST_EMBEDDING_SHAPE": "tei",
        "PALIMPSEST_EMBEDDING_MODEL": E5,
        "PALIMPSEST_EMBEDDING_DIMENSION": "384",
    }
