"""Finds search services (embedding models and rerankers) at the usual addresses on this machine, and the settings to
use them.

Text Embeddings Inference reports in ``/info`` which model it serves; Infinity reports in its list what each model can
do. On an OpenAI-compatible server, embedding models are recognised by the server's reports or by their names. Each
embedding model is asked for one vector, whose length is its dimension.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping, Sequence
from typing import Literal

import httpx
from pydantic import BaseModel

from core.certificates import trusted
from core.models.model_server import USUAL_ADDRESSES, ServedModel, ask_for, served_models

USUAL_ORIGINS = tuple(f"http://127.0.0.1:{port}" for port in (8080, 3000, 8081, 8082, 7997))
"""Usual addresses of Text Embeddings Inference (from its container examples) and of Infinity."""
_EMBEDS = re.compile(r"embed|\bbge\b|\be5\b|\bgte\b|minilm", re.IGNORECASE)
_RERANKS = re.compile(r"rerank", re.IGNORECASE)

Kind = Literal["embedding", "rerank"]


class SearchService(BaseModel):
    """A search service. ``shape`` is a value for the setting ``embedding_shape`` or ``rerank_shape``; a reranker has no
    ``dimension``."""

    kind: Kind
    address: str
    shape: Literal["openai", "tei", "jina"]
    model: str
    dimension: int | None = None

    def settings(self) -> dict[str, str]:
        """Environment variables to set for using the service; after a change of the embedding model, all vectors are
        computed again."""
        if self.kind == "rerank":
            return {
                "RERANK_URL": self.address,
                "PALIMPSEST_RERANK_SHAPE": self.shape,
                "PALIMPSEST_RERANK_MODEL": self.model,
            }
        return {
            "EMBEDDING_URL": self.address,
            "PALIMPSEST_EMBEDDING_SHAPE": self.shape,
            "PALIMPSEST_EMBEDDING_MODEL": self.model,
            "PALIMPSEST_EMBEDDING_DIMENSION": str(self.dimension),
        }


class _Info(BaseModel):
    """``/info`` of Text Embeddings Inference; the only key of ``model_type`` names the kind of model that it serves."""

    model_id: str
    model_type: dict[str, object]


class _Capable(BaseModel):
    id: str
    capabilities: list[str] = []


class _CapableList(BaseModel):
    data: list[_Capable]


class _Vector(BaseModel):
    embedding: list[float]


class _Vectors(BaseModel):
    data: list[_Vector]


async def find_search_services(
    origins: Sequence[str] = USUAL_ORIGINS,
    addresses: Mapping[str, str] = USUAL_ADDRESSES,
    seconds: float = 1.5,
) -> list[SearchService]:
    """The services that answer within ``seconds``, each listed once."""
    async with httpx.AsyncClient(trust_env=False, timeout=seconds, verify=trusted()) as client:
        asked = [_of_origin(client, origin) for origin in origins]
        asked += [_of_server(client, address, seconds) for address in addresses.values()]
        found = await asyncio.gather(*(asyncio.wait_for(each, 2 * seconds) for each in asked), return_exceptions=True)
    services = [each for group in found if not isinstance(group, BaseException) for each in group]
    return list({(each.kind, httpx.URL(each.address).port, each.model): each for each in services}.values())


async def _of_origin(client: httpx.AsyncClient, origin: str) -> list[SearchService]:
    info = await ask_for(client, f"{origin}/info", _Info)
    if info is not None:
        return await _of_tei(client, origin, info)
    listed = await ask_for(client, f"{origin}/models", _CapableList)
    models = [each for each in listed.data if each.capabilities] if listed else []
    found = []
    for each in models:
        if "rerank" in each.capabilities:
            found.append(SearchService(kind="rerank", address=origin, shape="jina", model=each.id))
        if "embed" in each.capabilities:
            found += await _embedding(client, origin, f"{origin}/embeddings", each.id)
    return found


async def _of_tei(client: httpx.AsyncClient, origin: str, info: _Info) -> list[SearchService]:
    kinds = {name.lower() for name in info.model_type}
    if "reranker" in kinds:
        return [SearchService(kind="rerank", address=origin, shape="tei", model=info.model_id)]
    if "embedding" not in kinds:
        return []
    return await _embedding(client, origin, f"{origin}/v1/embeddings", info.model_id, "tei")


async def _of_server(client: httpx.AsyncClient, address: str, seconds: float) -> list[SearchService]:
    found: list[SearchService] = []
    for each in await served_models(address, None, seconds):
        if _embeds(each):
            found += await _embedding(client, address, f"{address}/embeddings", each.id)
        elif _RERANKS.search(each.id):
            found.append(SearchService(kind="rerank", address=address, shape="jina", model=each.id))
    return found


def _embeds(model: ServedModel) -> bool:
    if model.embeds is not None:
        return model.embeds
    return bool(_EMBEDS.search(model.id)) and not _RERANKS.search(model.id)


async def _embedding(
    client: httpx.AsyncClient, address: str, url: str, model: str, shape: Literal["openai", "tei"] = "openai"
) -> list[SearchService]:
    """The service with its dimension, if it returns vectors; else ``None``."""
    answered = await ask_for(client, url, _Vectors, {"model": model, "input": "a"})
    dimensions = [len(each.embedding) for each in answered.data[:1] if each.embedding] if answered else []
    return [
        SearchService(kind="embedding", address=address, shape=shape, model=model, dimension=each)
        for each in dimensions
    ]
