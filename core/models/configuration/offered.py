"""Lists the chat models that a provider currently offers at an address."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping

import httpx
from pydantic import AliasChoices, BaseModel, Field, SecretStr, ValidationError

from core.certificates import trusted
from core.errors import Category, PalimpsestError, explain, fail, general_problem
from core.messages import message
from core.models.configuration.providers import providers
from core.models.configuration.records import ProviderId
from core.models.model_server import ServedModel, served_models

SECONDS = 6.0
MOST_MODELS = 200
NO_CHAT = re.compile(
    r"embed|whisper|tts|dall-e|moderation|audio|realtime|transcribe|image|sora|davinci|babbage|rerank|ocr|search",
    re.IGNORECASE,
)
"""Parts of names of models that are not chat models, for endpoints that do not report what each model does."""


class _Capabilities(BaseModel):
    completion_chat: bool = True
    function_calling: bool | None = None


class _Listed(BaseModel):
    id: str = Field(validation_alias=AliasChoices("id", "name"))
    window: int | None = Field(
        None, validation_alias=AliasChoices("max_context_length", "context_length", "max_input_tokens")
    )
    capabilities: _Capabilities | None = None


class _List(BaseModel):
    data: list[_Listed] = Field(validation_alias=AliasChoices("data", "models"))


async def offered_models(
    provider: ProviderId, address: str | None, key: SecretStr | None, seconds: float = SECONDS
) -> list[ServedModel]:
    """The models that can write answers, in the provider's order; ``address`` is only needed if it is not the usual
    one.

    Raises:
        PalimpsestError: there is no address, nothing answers there, the key is refused, or the response is not a list.
    """
    base = (address or providers()[provider].host or "").rstrip("/")
    if not base:
        raise fail("validation", "models.offered.no_address")
    path, headers = _request(provider, key.get_secret_value() if key else "")
    try:
        client = httpx.AsyncClient(headers=headers, trust_env=provider != "own", verify=trusted())
        async with asyncio.timeout(seconds), client:
            reply = await client.get(base + path)
            reply.raise_for_status()
            listed = _List.model_validate_json(reply.content).data[:MOST_MODELS]
    except (httpx.HTTPError, httpx.InvalidURL, TimeoutError, ValidationError) as error:
        raise _not_listed(provider, error) from error
    if provider == "own":
        known = {each.id: each for each in await served_models(base, key, seconds)}
        listed = [each for each in listed if not (each.id in known and known[each.id].embeds)]
        return [known.get(each.id, ServedModel(id=each.id)) for each in listed]
    return [_served(each) for each in listed if _answers(each)]


def _request(provider: ProviderId, key: str) -> tuple[str, Mapping[str, str]]:
    """The path of the list and the headers that authenticate the request."""
    bearer = {"Authorization": f"Bearer {key}"} if key else {}
    if provider == "anthropic":
        return "/v1/models?limit=1000", {"x-api-key": key, "anthropic-version": "2023-06-01"}
    if provider == "cohere":
        return "/v1/models?endpoint=chat&page_size=1000", bearer
    return "/models", bearer


def _answers(listed: _Listed) -> bool:
    chats = listed.capabilities is None or listed.capabilities.completion_chat
    return chats and not NO_CHAT.search(listed.id)


def _served(listed: _Listed) -> ServedModel:
    tools = listed.capabilities.function_calling if listed.capabilities else None
    return ServedModel(id=listed.id, window=listed.window, tools=tools)


def _not_listed(provider: ProviderId, error: Exception) -> PalimpsestError:
    """The error to raise. It does not repeat the original error, which may contain an address with a password."""
    category: Category = "server" if isinstance(error, ValidationError) else explain(error).category
    if category == "not_found":
        return fail("not_found", "models.offered.no_list", label=providers()[provider].label)
    what = message("models.offered.not_listed", label=providers()[provider].label)
    return PalimpsestError(general_problem(category).model_copy(update={"what": what}), type(error).__name__)
