"""Creates the clients of chat models: from an id, LangChain's model, its label and its provider."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, cast

from pydantic import SecretStr

from core.certificates import trusted
from core.errors import fail
from core.models.configuration.providers import Provider, providers
from core.models.configuration.records import ProviderId
from core.settings import Settings

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel

_CLIENTS = {each.client for each in providers().values()}
_ALIASES = {"mistral": "mistralai"}
REPLAY = "replay"
"""The provider part of an id for recorded answers; the rest of the id is the recording's path."""
_NO_KEY = SecretStr("none")
"""Sent to an OpenAI-compatible endpoint that needs no key, because the client requires one."""


class _Connection(Protocol):
    async def aclose(self) -> None: ...


def full_id(model_id: str) -> str:
    """The model's full id, ``provider:name``; a name without a known provider belongs to the custom endpoint (whose
    names may contain colons)."""
    provider, colon, name = model_id.partition(":")
    provider = _ALIASES.get(provider, provider)
    return f"{provider}:{name}" if colon and provider in (*_CLIENTS, REPLAY) else f"openai:{model_id}"


class ModelClients:
    """Makes clients by full id (``provider:name``); ``settings`` hold the addresses and keys."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._connections: list[_Connection] = []

    def provider_of(self, id: str) -> ProviderId | None:
        """The provider that serves the model; ``None`` for a recording."""
        if id.startswith(f"{REPLAY}:"):
            return None
        return "own" if self.own_endpoint(id) else cast(ProviderId, id.partition(":")[0])

    def label(self, id: str) -> str:
        name, provider = id.partition(":")[2], self.provider_of(id)
        if provider is None:
            return Path(name).stem
        return name if provider == "own" else f"{name} ({providers()[provider].label})"

    def own_endpoint(self, id: str) -> bool:
        """Whether the model is served at a custom address."""
        address = self._settings.model_base_url
        return id.startswith("openai:") and bool(address) and "api.openai.com" not in str(address)

    def make(self, id: str) -> BaseChatModel:
        """Makes the model; imports its client.

        Raises:
            PalimpsestError: its key is missing, or its recording cannot be read.
        """
        name, provider_id = id.partition(":")[2], self.provider_of(id)
        if provider_id is None:
            return self._replayed(name)
        provider = providers()[provider_id]
        key = self._key(provider)
        seconds = self._settings.deadlines.model_answer
        # stream_answer does the retries, because a client's own retries would take longer than the deadline.
        options: dict[str, Any] = {"api_key": key, "timeout": seconds, "max_retries": 0}
        if provider.client == "cohere":
            options = {"cohere_api_key": key, "timeout_seconds": seconds}
        options |= {"temperature": 0, "base_url": self._address(provider)}
        if provider.client == "openai":
            options |= {"stream_usage": True, "http_async_client": self._connection(seconds)}
        made = _client(name, provider.client, provider_id == "own", options)
        if provider_id == "own":
            return made
        refuses = (made.profile or {}).get("temperature") is False
        return made.model_copy(update={"temperature": None}) if refuses else made

    async def close(self) -> None:
        connections, self._connections = self._connections, []
        for each in connections:
            await each.aclose()

    def _replayed(self, path: str) -> BaseChatModel:
        from core.models.replay.chat import ReplayedChat
        from core.models.replay.recording import Recording

        return ReplayedChat(recording=Recording(Path(path).expanduser()), pace=self._settings.model_replay_pace)

    def _address(self, provider: Provider) -> str | None:
        """The configured address. An address on OpenAI's host counts as OpenAI, even if it has a path prefix."""
        given = self._settings.model_base_url if provider.client == "openai" else None
        return given or provider.address_in(self._settings)

    def _connection(self, seconds: float) -> _Connection:
        """HTTP clients that belong to this object. LangChain's own are shared by the whole process and outlive their
        event loop."""
        from openai import DefaultAsyncHttpxClient

        connection: _Connection = DefaultAsyncHttpxClient(timeout=seconds, verify=trusted())
        self._connections.append(connection)
        return connection

    def _key(self, provider: Provider) -> SecretStr:
        key = provider.key_in(self._settings)
        if provider is providers()["own"]:
            key = key or self._settings.openai_api_key or _NO_KEY
        if key is None:
            raise fail("auth", "models.clients.no_key", label=provider.label, variable=provider.variable)
        return key


def _client(name: str, client: str, own: bool, options: dict[str, Any]) -> BaseChatModel:
    if client == "openai":
        from core.models.compatible import CompatibleChat, OpenAIChat

        return CompatibleChat(model=name, **options) if own else OpenAIChat(model=name, **options)
    from langchain.chat_models import init_chat_model

    made: BaseChatModel = init_chat_model(name, model_provider=client, **options)
    return made
