"""Chat models by purpose, through LangChain's interface."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from threading import Lock
from typing import TYPE_CHECKING, Any, Literal, Protocol, cast, get_args

from pydantic import SecretStr

from core.errors import PalimpsestError, fail
from core.language.tokens import count_tokens
from core.models.capabilities import Capabilities, ModelCapabilities
from core.models.configuration.providers import Provider, providers
from core.models.configuration.records import ProviderId
from core.models.described_tools import BlockReader, description, in_words, speak_of_tools
from core.models.meter import Account, Usage, record
from core.models.prices import cost
from core.models.stream import StreamedPiece, ToolCall, ToolSpec, stream_answer
from core.prompts.templates import Prompts
from core.resilience.dependencies import CircuitBreaker, Deadline, unavailable
from core.settings import Settings
from core.traces import model_call

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel
    from langchain_core.messages import BaseMessage

__all__ = ["ChatModels", "ModelChoice", "Purpose", "StreamedPiece", "ToolCall", "ToolSpec", "stream_answer"]

Purpose = Literal[
    "intent",
    "resolution",
    "inquire",
    "summarize",
    "compare",
    "audit",
    "detection",
    "titles",
    "suggestions",
    "history",
    "contexts",
    "metadata",
]

SMALL: tuple[Purpose, ...] = (
    "intent",
    "resolution",
    "detection",
    "titles",
    "suggestions",
    "history",
    "contexts",
    "metadata",
)
"""Purposes that a smaller model serves as well; answers and actions are the chosen one's."""

WAITED_FOR: tuple[Purpose, ...] = ("intent", "resolution", "titles", "suggestions")
"""Small tasks for which a person waits: a rule does them when the model takes long."""


@dataclass(frozen=True)
class ModelChoice:
    """``id`` is ``provider:name``."""

    id: str
    label: str


class _Client(Protocol):
    async def aclose(self) -> None: ...


_CLIENTS = {each.client for each in providers().values()}
_ALIASES = {"mistral": "mistralai"}
CONFIGURED_BY = (
    "model",
    "models",
    "model_small",
    "models_by_purpose",
    "model_window",
    "model_answer",
    "model_tools",
    *(each.address for each in providers().values() if each.address),
    *(each.key for each in providers().values()),
)
"""Settings of which the models are made."""
DESCRIPTION_SHARE = 1 / 8
"""Of a window, at most, for the description of tools (docs/specification.md, "Budget")."""
_NO_KEY = SecretStr("none")
"""Sent to an OpenAI-compatible endpoint that asks for no key; the client insists on one."""


class ChatModels:
    """The models people may choose, made when first asked for; each has a circuit breaker."""

    def __init__(self, settings: Settings, spending: Account | None = None) -> None:
        self._settings = settings
        self._spending = spending
        self._prompts = Prompts(settings.folder / "prompts")
        self._clients: list[_Client] = []
        self._making = Lock()
        self._configured_by: tuple[object, ...] = ()
        self.reload()

    def __repr__(self) -> str:
        return f"ChatModels({self._ids})"

    def reload(self) -> None:
        """Take up what the settings say now; an answer that is being written is written to its end."""
        settings = self._settings
        configured_by = tuple(getattr(settings, name) for name in CONFIGURED_BY)
        if configured_by == self._configured_by:
            return
        self._configured_by = configured_by
        named = [settings.model] if settings.model else []
        self._ids = list(dict.fromkeys(map(self._full_id, [*named, *settings.models])))
        self._own = self._purposes()
        self._capabilities = ModelCapabilities(settings)
        self._made: dict[str, BaseChatModel] = {}
        self.breakers = {
            id: CircuitBreaker(settings.breakers.failures, settings.breakers.cooldown)
            for id in (*self._ids, *self._own.values())
        }

    @property
    def configured(self) -> bool:
        return bool(self._ids)

    def available(self) -> list[ModelChoice]:
        """The default first."""
        return [ModelChoice(id, self._label(id)) for id in self._ids]

    def resolve(self, model_id: str | None) -> str:
        """The full id of the model asked for, or of the default.

        Raises:
            PalimpsestError: it is not among the allowed ones, which are named; or there are none.
        """
        if not self._ids:
            raise _none_configured()
        if model_id is None:
            return self._ids[0]
        full = self._full_id(model_id)
        if full not in self._ids:
            raise _not_allowed(model_id, self._ids)
        return full

    def _purposes(self) -> dict[str, str]:
        """Purposes that have a model of their own, whichever one is chosen for the answer."""
        unknown = set(self._settings.models_by_purpose) - set(get_args(Purpose))
        if unknown:
            raise ValueError(
                f"PALIMPSEST_MODELS_BY_PURPOSE names {', '.join(sorted(unknown))}; "
                f"the purposes are {', '.join(get_args(Purpose))}."
            )
        small = self._settings.model_small
        named: dict[str, str] = dict.fromkeys(map(str, SMALL), small) if small else {}
        named |= self._settings.models_by_purpose
        return {purpose: self._full_id(name) for purpose, name in named.items()} if self._ids else {}

    def of(self, model_id: str | None, purpose: Purpose) -> str:
        """The full id of the model that serves ``purpose`` when ``model_id`` was chosen.

        Raises:
            PalimpsestError: what :meth:`resolve` raises.
        """
        chosen = self.resolve(model_id)
        return self._own.get(purpose, chosen)

    def get(self, model_id: str | None, purpose: Purpose) -> BaseChatModel:
        """The model for ``purpose``; the first call imports its client, so off the event loop if that matters.

        Raises:
            PalimpsestError: the model is not allowed, its package is not installed, or its key is missing.
        """
        id = self.of(model_id, purpose)
        with self._making:
            made = self._made
            if id not in made:
                made[id] = self._make(id)
            return made[id]

    async def stream(
        self,
        model_id: str | None,
        messages: Sequence[BaseMessage],
        purpose: Purpose = "inquire",
        deadline: Deadline | None = None,
        tools: Sequence[ToolSpec] = (),
    ) -> AsyncGenerator[StreamedPiece, None]:
        """:func:`stream_answer` behind the model's breaker, within the deadlines of the settings.

        ``tools`` are described to a model that cannot call them by itself.

        Raises:
            PalimpsestError: what :meth:`get` and :func:`stream_answer` raise, the breaker is open, or whoever asks has
                spent what a month may cost.
        """
        if self._spending:
            await self._spending.refuse_beyond_limit()
        id = self.of(model_id, purpose)
        breaker, limits = self.breakers[id], self._settings.deadlines
        model = await asyncio.to_thread(self.get, model_id, purpose)
        if not breaker.admit():
            raise unavailable(self._label(id))
        brief = deadline is None and purpose in WAITED_FOR
        ended, costs = False, list[float | None]()
        try:
            able = await self._capabilities.of(id, model, self._own_endpoint(id))
            reader = None if able.tools or not speak_of_tools(messages, tools) else BlockReader(offered=bool(tools))
            if reader:
                messages, tools = in_words(self._prompts, messages, tools), ()
            total = deadline or Deadline(limits.model_small if brief else limits.model_answer)
            answering = stream_answer(
                model,
                messages,
                total,
                limits.model_first_token,
                spent=lambda usage: costs.append(self._record(id, usage)),
                tools=tools,
                most_tokens=able.room_for_answer(sum(count_tokens(each.text) for each in messages)),
            )
            async with aclosing(_traced(id, messages, answering)) as pieces:
                async for piece in pieces:
                    for each in reader.read(piece) if reader else (piece,):
                        yield each
            breaker.succeeded()
            ended = True
        except PalimpsestError as error:
            # Too slow for a small task is no failure: the same model may write the answer.
            if error.problem.category not in ("validation", "not_found", "auth", "timeout" if brief else ""):
                breaker.failed()
                ended = True
            raise
        finally:
            if not ended:
                breaker.released()
            if self._spending:
                await self._spending.add(sum(each or 0.0 for each in costs))

    def _record(self, id: str, usage: Usage) -> float | None:
        price = self.cost(id, usage.tokens_in, usage.tokens_out)
        record(usage, price)
        return price

    async def close(self) -> None:
        """Close the connections; models are made anew when asked for again."""
        clients, self._clients = self._clients, []
        self._made.clear()
        for client in clients:
            await client.aclose()

    def cost(self, model_id: str, tokens_in: int, tokens_out: int) -> float | None:
        """US dollars, approximately; ``None`` when unknown, as at an endpoint of one's own."""
        id = self._full_id(model_id)
        return None if self._own_endpoint(id) else cost(id, tokens_in, tokens_out)

    async def capabilities(self, model_id: str | None, purpose: Purpose = "inquire") -> Capabilities:
        """Of the model for ``purpose``. Raises ``PalimpsestError``: what :meth:`get` raises."""
        id = self.of(model_id, purpose)
        model = await asyncio.to_thread(self.get, model_id, purpose)
        return await self._capabilities.of(id, model, self._own_endpoint(id))

    async def can_be_offered(self, tools: Sequence[ToolSpec], model_id: str | None) -> bool:
        """Whether the model calls tools by itself, or their description takes little of its window.

        Raises:
            PalimpsestError: what :meth:`get` raises.
        """
        able = await self.capabilities(model_id)
        return able.tools or count_tokens(description(self._prompts, tools)) <= able.window * DESCRIPTION_SHARE

    async def share_of_window(self, tokens: int, model_id: str | None, purpose: Purpose = "inquire") -> int:
        """A share of the budget's window, scaled to the model's own; as it is where no model can be asked."""
        try:
            window = (await self.capabilities(model_id, purpose)).window
        except PalimpsestError:
            return tokens
        return tokens * window // self._settings.budget.window

    def _full_id(self, model_id: str) -> str:
        """A name without a known provider belongs to the endpoint of one's own (names there may hold colons)."""
        provider, colon, name = model_id.partition(":")
        provider = _ALIASES.get(provider, provider)
        return f"{provider}:{name}" if colon and provider in _CLIENTS else f"openai:{model_id}"

    def provider_of(self, id: str) -> ProviderId:
        """Who is asked for the model of this full id."""
        return "own" if self._own_endpoint(id) else cast(ProviderId, id.partition(":")[0])

    def _label(self, id: str) -> str:
        name = id.partition(":")[2]
        return name if self._own_endpoint(id) else f"{name} ({providers()[self.provider_of(id)].label})"

    def _own_endpoint(self, id: str) -> bool:
        address = self._settings.model_base_url
        return id.startswith("openai:") and bool(address) and "api.openai.com" not in str(address)

    def _make(self, id: str) -> BaseChatModel:
        from langchain.chat_models import init_chat_model

        name, provider = id.partition(":")[2], providers()[self.provider_of(id)]
        key = self._key(id)
        seconds = self._settings.deadlines.model_answer
        # Retries are stream_answer's: a client's own would outlive the deadline.
        options: dict[str, Any] = {"api_key": key, "timeout": seconds, "max_retries": 0}
        if provider.client == "cohere":
            options = {"cohere_api_key": key, "timeout_seconds": seconds}
        options |= {"temperature": 0, "base_url": self._address(provider)}
        if provider.client == "openai":
            options |= {"stream_usage": True, "http_async_client": self._client(seconds)}
        if self._own_endpoint(id):
            from core.models.compatible import CompatibleChat

            return CompatibleChat(model=name, **options)
        made: BaseChatModel = init_chat_model(name, model_provider=provider.client, **options)
        refuses = (made.profile or {}).get("temperature") is False
        return made.model_copy(update={"temperature": None}) if refuses else made

    def _address(self, provider: Provider) -> str | None:
        """An address that names OpenAI's host is OpenAI's, though another stands before it."""
        given = self._settings.model_base_url if provider.client == "openai" else None
        return given or provider.address_in(self._settings)

    def _client(self, seconds: float) -> _Client:
        """LangChain's own is one for the whole process, and its connections outlive the event loop they belong to."""
        from openai import DefaultAsyncHttpxClient

        client: _Client = DefaultAsyncHttpxClient(timeout=seconds)
        self._clients.append(client)
        return client

    def _key(self, id: str) -> SecretStr:
        settings, provider = self._settings, providers()[self.provider_of(id)]
        key = provider.key_in(settings)
        if self._own_endpoint(id):
            key = key or settings.openai_api_key or _NO_KEY
        if key is None:
            raise _no_key(provider)
        return key


async def _traced(
    id: str, messages: Sequence[BaseMessage], answering: AsyncGenerator[StreamedPiece, None]
) -> AsyncGenerator[StreamedPiece, None]:
    said: list[str] = []
    with model_call(id) as call:
        call.note_text("gen_ai.input.messages", [_spoken(each.type, each.text) for each in messages])
        async with aclosing(answering) as pieces:
            async for piece in pieces:
                if piece.kind == "text":
                    said.append(piece.text)
                elif piece.kind == "usage":
                    call.note(
                        {
                            "gen_ai.usage.input_tokens": piece.tokens_in,
                            "gen_ai.usage.output_tokens": piece.tokens_out,
                            "gen_ai.response.finish_reasons": ["length" if piece.cut_off else "stop"],
                        }
                    )
                    call.note_text("gen_ai.output.messages", [_spoken("ai", "".join(said))])
                yield piece


def _spoken(voice: str, text: str) -> dict[str, object]:
    roles = {"human": "user", "ai": "assistant"}
    return {"role": roles.get(voice, voice), "parts": [{"type": "text", "content": text}]}


def _none_configured() -> PalimpsestError:
    return fail("validation", "models.chat.none_configured")


def _not_allowed(model_id: str, allowed: list[str]) -> PalimpsestError:
    names = ", ".join(allowed)
    return fail("validation", "models.chat.not_allowed", model_id=model_id, names=names)


def _no_key(provider: Provider) -> PalimpsestError:
    return fail("auth", "models.chat.no_key", label=provider.label, variable=provider.variable)
