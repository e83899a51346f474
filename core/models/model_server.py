"""Asks a model server which models it has, how large their windows are, and whether they call tools.

Every OpenAI-compatible server lists its models, but each program reports their windows in another place: in the list
(vLLM, OpenRouter), in ``/props`` (llama.cpp), in ``/api/v0/models`` (LM Studio), in ``/api/show`` and ``/api/ps``
(Ollama, where the window is the one that the model was loaded with, not the largest that its weights allow).
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import TypeVar

import httpx
from pydantic import AliasChoices, BaseModel, Field, SecretStr, ValidationError

from core.certificates import trusted

OLLAMA_WINDOW = 4_096
"""Window in tokens that Ollama uses by default; it drops longer input without a notice."""
MOST_MODELS = 50
FIRST_LOOK, DETAILS = 0.3, 2.0
"""Seconds in which a local server must list its models, and may then describe them."""
USUAL_ADDRESSES: Mapping[str, str] = {
    "Ollama": "http://127.0.0.1:11434/v1",
    "LM Studio": "http://127.0.0.1:1234/v1",
    "vLLM": "http://127.0.0.1:8000/v1",
    "llama.cpp": "http://127.0.0.1:8080/v1",
}
"""The default address of each model server program."""
_NUM_CTX = re.compile(r"^num_ctx\s+(\d+)", re.MULTILINE)


class ServedModel(BaseModel):
    """A served model: ``window`` and ``answer`` in tokens; a value that the server does not report is ``None``."""

    id: str
    window: int | None = None
    answer: int | None = None
    tools: bool | None = None
    embeds: bool | None = None
    images: bool | None = None


class ModelServer(BaseModel):
    """A model server; ``name`` is the program's name, as far as its address shows it."""

    name: str
    address: str
    models: list[ServedModel]


class _Meta(BaseModel):
    n_ctx: int | None = None


class _TopProvider(BaseModel):
    max_completion_tokens: int | None = None


class _Architecture(BaseModel):
    input_modalities: list[str] | None = None


class _Listed(BaseModel):
    id: str
    window: int | None = Field(
        None, validation_alias=AliasChoices("max_model_len", "context_length", "max_context_length", "context_window")
    )
    meta: _Meta | None = None
    top_provider: _TopProvider | None = None
    architecture: _Architecture | None = None


class _List(BaseModel):
    data: list[_Listed]


class _Settings(BaseModel):
    n_ctx: int | None = None


class _Modalities(BaseModel):
    vision: bool | None = None


class _Props(BaseModel):
    default_generation_settings: _Settings
    modalities: _Modalities = _Modalities()


class _StudioModel(BaseModel):
    id: str
    type: str = ""
    loaded_context_length: int | None = None
    max_context_length: int | None = None
    capabilities: list[str] | None = None


class _StudioList(BaseModel):
    data: list[_StudioModel]


class _Shown(BaseModel):
    parameters: str = ""
    capabilities: list[str] | None = None


class _Loaded(BaseModel):
    name: str
    context_length: int | None = None


class _LoadedList(BaseModel):
    models: list[_Loaded]


_Form = TypeVar("_Form", bound=BaseModel)


async def served_models(address: str, key: SecretStr | None = None, seconds: float = 2.0) -> list[ServedModel]:
    """Models of the server at ``address`` (with its ``/v1``); empty if it does not answer within ``seconds``."""
    headers = {"Authorization": f"Bearer {key.get_secret_value()}"} if key else {}
    models: list[ServedModel] = []
    with suppress(TimeoutError):
        client = httpx.AsyncClient(headers=headers, trust_env=False, verify=trusted())
        async with asyncio.timeout(seconds), client:
            base = address.rstrip("/")
            listed = await ask_for(client, f"{base}/models", _List)
            models = [_of_list(each) for each in listed.data[:MOST_MODELS]] if listed else []
            if not all(each.window for each in models):
                models = await _with_details(client, base.removesuffix("/v1"), models)
    return models


async def find_local_servers(
    addresses: Mapping[str, str] = USUAL_ADDRESSES, seconds: float = FIRST_LOOK, details: float = DETAILS
) -> list[ModelServer]:
    """The model servers at their usual addresses on this machine, in the order of ``addresses``.

    Args:
        addresses: programs and their addresses, which are all asked at the same time.
        seconds: time for each server's list of models.
        details: further time for a server that has answered to describe its models.
    """
    found = await asyncio.gather(*(_found(*each, seconds, details) for each in addresses.items()))
    return [server for server in found if server is not None]


async def _found(name: str, address: str, seconds: float, details: float) -> ModelServer | None:
    listed: _List | None = None
    with suppress(TimeoutError):
        async with asyncio.timeout(seconds), httpx.AsyncClient(trust_env=False, verify=trusted()) as client:
            listed = await ask_for(client, f"{address}/models", _List)
    if listed is None:
        return None
    described = await served_models(address, None, details) if listed.data else []
    models = described or [_of_list(each) for each in listed.data[:MOST_MODELS]]
    return ModelServer(name=name, address=address, models=models)


def _of_list(listed: _Listed) -> ServedModel:
    window = listed.window or (listed.meta.n_ctx if listed.meta else None)
    answer = listed.top_provider.max_completion_tokens if listed.top_provider else None
    kinds = listed.architecture.input_modalities if listed.architecture else None
    images = "image" in kinds if kinds is not None else None
    return ServedModel(id=listed.id, window=window, answer=answer, images=images)


async def _with_details(client: httpx.AsyncClient, origin: str, models: Sequence[ServedModel]) -> list[ServedModel]:
    """The models with details. All programs' paths are called at the same time; the wrong ones return an error."""
    studio, props, loaded = await asyncio.gather(
        ask_for(client, f"{origin}/api/v0/models", _StudioList),
        ask_for(client, f"{origin}/props", _Props),
        ask_for(client, f"{origin}/api/ps", _LoadedList),
    )
    if studio:
        known = {each.id: each for each in studio.data}
        return [_of_studio(each, known.get(each.id)) for each in models]
    if loaded:
        windows = {each.name: each.context_length for each in loaded.models}
        return list(await asyncio.gather(*(_of_ollama(client, origin, each, windows) for each in models)))
    if props:
        window = props.default_generation_settings.n_ctx
        seen = {"images": props.modalities.vision}
        return [each.model_copy(update={"window": each.window or window, **seen}) for each in models]
    return list(models)


def _of_studio(model: ServedModel, known: _StudioModel | None) -> ServedModel:
    if known is None:
        return model
    tools = "tool_use" in known.capabilities if known.capabilities is not None else None
    window = known.loaded_context_length or known.max_context_length
    kind = {"embeds": known.type == "embeddings", "images": known.type == "vlm" if known.type else None}
    return model.model_copy(update={"window": window, "tools": tools, **kind})


async def _of_ollama(
    client: httpx.AsyncClient, origin: str, model: ServedModel, windows: Mapping[str, int | None]
) -> ServedModel:
    shown = await ask_for(client, f"{origin}/api/show", _Shown, {"model": model.id})
    if shown is None:
        return model
    said = _NUM_CTX.search(shown.parameters)
    window = windows.get(model.id) or (int(said[1]) if said else OLLAMA_WINDOW)
    can = shown.capabilities
    kinds = {"tools": "tools", "embeds": "embedding", "images": "vision"}
    able = {field: name in can if can is not None else None for field, name in kinds.items()}
    return model.model_copy(update={"window": window, **able})


async def ask_for(
    client: httpx.AsyncClient, url: str, form: type[_Form], body: Mapping[str, str] | None = None
) -> _Form | None:
    """The response in the given form; ``None`` if it has another form."""
    try:
        reply = await (client.post(url, json=dict(body)) if body else client.get(url))
        reply.raise_for_status()
        return form.model_validate_json(reply.content)
    except (httpx.HTTPError, httpx.InvalidURL, ValidationError):
        return None
