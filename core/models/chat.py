"""Provides chat models by purpose, through LangChain's interface."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Sequence
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass
from functools import partial
from threading import Lock
from typing import TYPE_CHECKING, get_args

from core.errors import PalimpsestError, fail
from core.language.tokens import count_tokens
from core.models.answer_forms import AnswerForm, in_form_or_without
from core.models.calls.admission import Admission
from core.models.calls.purposes import ANSWER_TOKENS, SMALL, UNHURRIED, WAITED_FOR, Purpose
from core.models.capabilities import TOKENIZERS_DIFFER, Capabilities, ModelCapabilities
from core.models.clients import ModelClients, full_id
from core.models.configuration.providers import providers
from core.models.configuration.records import ProviderId
from core.models.described_tools import BlockReader, description, in_words, speak_of_tools
from core.models.failures import ToolsRefusedError, Waits
from core.models.meter import Account, Usage, record
from core.models.prices import cost
from core.models.stream import StreamedPiece, ToolCall, ToolSpec, stream_answer
from core.prompts.templates import Prompts
from core.resilience.dependencies import Deadline
from core.settings import Settings
from core.traces import model_call

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel
    from langchain_core.messages import BaseMessage

__all__ = [
    "SMALL",
    "WAITED_FOR",
    "ChatModels",
    "ModelChoice",
    "Purpose",
    "StreamedPiece",
    "ToolCall",
    "ToolSpec",
    "stream_answer",
]


@dataclass(frozen=True)
class ModelChoice:
    """A model that users may choose; ``id`` is ``provider:name``."""

    id: str
    label: str


CONFIGURED_BY = (
    "model",
    "models",
    "model_small",
    "models_by_purpose",
    "model_window",
    "model_answer",
    "model_tools",
    "model_images",
    "model_record",
    "model_replay_pace",
    *(each.address for each in providers().values() if each.address),
    *(each.key for each in providers().values()),
)
"""Names of the settings from which the models are made."""
DESCRIPTION_SHARE = 1 / 8
"""Maximum share of a window that tool descriptions may take (docs/specification.md, "Budget")."""
EXPECTED_ANSWER, EXPECTED_SMALL = 1_000, 200
"""Number of tokens that an answer and a small task are expected to take, used to estimate the cost before the call
(docs/specification.md, "Spending")."""
UNSEEN_THINKING = 3.0
"""Factor on the usual timeout for the first token, for a model that does not stream its thinking."""
UNTIL_SETTLED = 60.0
"""Seconds after a call's deadline during which its cost stays reserved."""


class ChatModels:
    """The chat models that users may choose, made at first use; each has a circuit breaker.

    >>> workbench.models.configured
    False
    """

    def __init__(self, settings: Settings, spending: Account | None = None) -> None:
        self._settings = settings
        self._spending = spending
        self._prompts = Prompts(settings.folder / "prompts")
        self._clients = ModelClients(settings)
        self._making = Lock()
        self._configured_by: tuple[object, ...] = ()
        self.reload()

    def __repr__(self) -> str:
        return f"ChatModels({self._ids})"

    def reload(self) -> None:
        """Apply the current settings; an answer in progress is finished with the old ones."""
        settings = self._settings
        configured_by = tuple(getattr(settings, name) for name in CONFIGURED_BY)
        if configured_by == self._configured_by:
            return
        self._configured_by = configured_by
        named = [settings.model] if settings.model else []
        self._ids = list(dict.fromkeys(map(full_id, [*named, *settings.models])))
        self._own = self._purposes()
        self._capabilities = ModelCapabilities(settings)
        self._made: dict[str, BaseChatModel] = {}
        every = (*self._ids, *self._own.values())
        self._admission = Admission(every, settings.breakers, settings.deadlines, self._clients.label)

    @property
    def configured(self) -> bool:
        return bool(self._ids)

    def available(self) -> list[ModelChoice]:
        """The models that users may choose, the default first."""
        return [ModelChoice(id, self._clients.label(id)) for id in self._ids]

    def resolve(self, model_id: str | None) -> str:
        """The full id of the requested model, or of the default model.

        Raises:
            PalimpsestError: it is not one of the allowed models (the error lists them), or no model is configured.
        """
        if not self._ids:
            raise fail("validation", "models.chat.none_configured")
        if model_id is None:
            return self._ids[0]
        full = full_id(model_id)
        if full not in self._ids:
            names = ", ".join(self._ids)
            raise fail("validation", "models.chat.not_allowed", model_id=model_id, names=names)
        return full

    def _purposes(self) -> dict[str, str]:
        """Purposes that have their own model, whichever model was chosen for the answer."""
        unknown = set(self._settings.models_by_purpose) - set(get_args(Purpose))
        if unknown:
            raise ValueError(
                f"PALIMPSEST_MODELS_BY_PURPOSE names {', '.join(sorted(unknown))}; "
                f"the purposes are {', '.join(get_args(Purpose))}."
            )
        small = self._settings.model_small
        named: dict[str, str] = dict.fromkeys(map(str, SMALL), small) if small else {}
        named |= self._settings.models_by_purpose
        return {purpose: full_id(name) for purpose, name in named.items()} if self._ids else {}

    def of(self, model_id: str | None, purpose: Purpose) -> str:
        """The full id of the model used for ``purpose`` when ``model_id`` was chosen.

        Raises:
            PalimpsestError: the same errors as :meth:`resolve`.
        """
        chosen = self.resolve(model_id)
        return self._own.get(purpose, chosen)

    def get(self, model_id: str | None, purpose: Purpose) -> BaseChatModel:
        """The model for ``purpose``. The first call imports its client: make it in a thread if blocking the event loop
        matters.

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
        form: AnswerForm | None = None,
    ) -> AsyncGenerator[StreamedPiece, None]:
        """Run :func:`stream_answer` with the model's circuit breaker and the deadlines from the settings.

        For a model that cannot call tools, ``tools`` are described in the prompt. ``form`` is left out for a service
        that refuses it.

        Raises:
            PalimpsestError: the same errors as :meth:`get` and :func:`stream_answer`; or the circuit breaker is open,
            or the user has spent the monthly limit.
        """
        id, limits = self.of(model_id, purpose), self._settings.deadlines
        brief = deadline is None and purpose in WAITED_FOR
        unhurried = purpose in UNHURRIED
        total = deadline or Deadline(self._admission.patience(id) if brief else limits.model_answer)
        tokens = sum(count_tokens(each.text) for each in messages)
        model = await asyncio.to_thread(self.get, model_id, purpose)
        slow = not unhurried
        gate = self._admission
        admitted = gate.briefly(id, purpose) if brief else gate.admitted(id, too_slow_is_failure=slow)
        async with self._paid(id, purpose, tokens, total) as costs, admitted:
            able = await self._capabilities.of(id, model, self._clients.own_endpoint(id))
            able = able.within(ANSWER_TOKENS.get(purpose))
            patience = limits.model_first_token * (UNSEEN_THINKING if able.thinks_unseen else 1.0)
            waits = (limits.model_answer,) * 2 if unhurried else (patience, limits.model_silence)

            def spent(usage: Usage) -> None:
                costs.append(self._record(id, usage))

            answering = partial(self._answering, id, model, able, messages, tools, Waits(total, *waits), spent)
            given = form if able.structured else None
            without = partial(self._capabilities.without_structure, id)
            async with aclosing(in_form_or_without(answering, given, without)) as pieces:
                async for piece in pieces:
                    if piece.kind == "reasoning":
                        self._capabilities.thinking(id)
                    yield piece

    async def _answering(
        self, id: str, model: BaseChatModel, able: Capabilities, messages: Sequence[BaseMessage],
        tools: Sequence[ToolSpec], waits: Waits, spent: Callable[[Usage], None], form: AnswerForm | None,
    ) -> AsyncGenerator[StreamedPiece, None]:  # fmt: skip
        """Stream the answer. If the service refuses tools, call it once more with the tools in the prompt."""
        for described in (not able.tools and speak_of_tools(messages, tools), True):
            reader = BlockReader(offered=bool(tools)) if described else None
            sent = in_words(self._prompts, messages, tools) if described else messages
            answering = stream_answer(
                model, sent, waits.total, waits.first_token, spent=spent, tools=() if described else tools,
                most_tokens=able.room_for_answer(sum(count_tokens(each.text) for each in sent)), silence=waits.silence,
                form=form,
            )  # fmt: skip
            try:
                async with aclosing(_traced(id, sent, answering)) as pieces:
                    async for piece in pieces:
                        for each in reader.read(piece) if reader else (piece,):
                            yield each
                return
            except ToolsRefusedError:
                if described:
                    raise
                self._capabilities.without_tools(id)

    @asynccontextmanager
    async def _paid(self, id: str, purpose: Purpose, tokens: int, total: Deadline) -> AsyncIterator[list[float | None]]:
        """Reserve a call's expected cost while it runs; the caller puts the actual cost into the yielded list."""
        costs: list[float | None] = []
        if self._spending is None:
            yield costs
            return
        expected = EXPECTED_SMALL if purpose in SMALL else EXPECTED_ANSWER
        price = self.cost(id, round(tokens * TOKENIZERS_DIFFER), expected)
        held = await self._spending.reserve(price, total.remaining() + UNTIL_SETTLED)
        try:
            yield costs
        finally:
            await self._spending.settle(held, sum(each or 0.0 for each in costs))

    def _record(self, id: str, usage: Usage) -> float | None:
        price = self.cost(id, usage.tokens_in, usage.tokens_out)
        record(usage, price)
        return price

    async def close(self) -> None:
        """Close the connections; models are made again when they are needed."""
        self._made.clear()
        await self._clients.close()

    def cost(self, model_id: str, tokens_in: int, tokens_out: int) -> float | None:
        """Approximate cost in US dollars; ``None`` when the price is unknown, for example of a self-hosted model."""
        id = full_id(model_id)
        return None if self._clients.own_endpoint(id) else cost(id, tokens_in, tokens_out)

    async def capabilities(self, model_id: str | None, purpose: Purpose = "inquire") -> Capabilities:
        """Capabilities of the model for ``purpose``. Raises the same ``PalimpsestError`` as :meth:`get`."""
        id = self.of(model_id, purpose)
        model = await asyncio.to_thread(self.get, model_id, purpose)
        return await self._capabilities.of(id, model, self._clients.own_endpoint(id))

    async def can_be_offered(self, tools: Sequence[ToolSpec], model_id: str | None) -> bool:
        """Whether the model can call tools, or the tools' descriptions take only a small part of its window.

        Raises:
            PalimpsestError: the same errors as :meth:`get`.
        """
        able = await self.capabilities(model_id)
        return able.tools or count_tokens(description(self._prompts, tools)) <= able.window * DESCRIPTION_SHARE

    async def share_of_window(self, tokens: int, model_id: str | None, purpose: Purpose = "inquire") -> int:
        """The given token budget, scaled to the model's window; unchanged if no model is available."""
        try:
            window = (await self.capabilities(model_id, purpose)).window
        except PalimpsestError:
            return tokens
        return tokens * window // self._settings.budget.window

    def provider_of(self, id: str) -> ProviderId | None:
        """The provider of the model with this full id; ``None`` for a recording (recorded answers instead of a
        model)."""
        return self._clients.provider_of(id)

    def _make(self, id: str) -> BaseChatModel:
        made = self._clients.make(id)
        if self._settings.model_record is None:
            return made
        from core.models.replay.recorder import Recorder
        from core.models.replay.recording import Recording

        able = partial(self._capabilities.last, id)
        recorder = Recorder(Recording(self._settings.model_record.expanduser()), id, able)
        return made.model_copy(update={"callbacks": [recorder]})


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
