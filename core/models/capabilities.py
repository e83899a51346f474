"""What a model takes and gives: *its id and client* → window, longest answer, whether it calls tools.

The setting goes first, then what its own server says (:mod:`core.models.model_server`), then the profile that its
client carries; of a model that nobody knows the usual window is assumed (docs/specification.md, "Budget").
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from pydantic import BaseModel

from core.clock import Clock, system_clock
from core.models.model_server import ServedModel, served_models
from core.settings import Settings

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel

UNKNOWN_WINDOW = 32_768
"""Tokens that a model is taken to hold which nobody knows."""
TOKENIZERS_DIFFER = 5 / 4
"""What another tokenizer may make of one token by our count."""
_PATIENCE = 2.0
"""Seconds for what a server says of itself, which every first question waits for."""
_LEFT_ALONE = 30.0
"""Seconds in which a server that did not answer is not asked again."""
_COHERE = {"command-r": (128_000, 4_000), "command-a": (256_000, 8_000)}
"""Its client carries no profiles: window and answer by the beginning of the name, as its documentation has them."""


class Capabilities(BaseModel, frozen=True, extra="forbid"):
    """``window`` and ``answer`` in tokens; the answer is ``None`` where only the window bounds it.

    ``thinks_unseen``: it says nothing while it thinks before its answer.
    """

    window: int = UNKNOWN_WINDOW
    answer: int | None = None
    tools: bool = True
    thinks_unseen: bool = False

    def room_for_answer(self, prompt: int) -> int:
        """The limit to send with a prompt of ``prompt`` tokens by our count: a server refuses what its window could
        not hold. An eighth of the window is left for it in any case."""
        left = max(self.window // 8, int(self.window - prompt * TOKENIZERS_DIFFER))
        return min(left, self.answer or left)


class ModelCapabilities:
    """Asked once of each model; a server that does not answer is left alone for a while and asked again."""

    def __init__(self, settings: Settings, clock: Clock = system_clock) -> None:
        self._settings = settings
        self._clock = clock
        self._known: dict[str, Capabilities] = {}
        self._last: dict[str, Capabilities] = {}
        self._silent_until = 0.0

    def last(self, id: str) -> Capabilities:
        """What was last taken to be true of a model; the usual of one that was not asked for."""
        return self._last.get(id, Capabilities())

    async def of(self, id: str, model: BaseChatModel, own_endpoint: bool) -> Capabilities:
        """``id`` is ``provider:name``."""
        if id in self._known:
            return self._known[id]
        served = await self._served(id) if own_endpoint else None
        found = self._last[id] = self._chosen(served or ServedModel(id=id), model, id, own_endpoint)
        if not own_endpoint or served is not None:
            self._known[id] = found
        return found

    async def _served(self, id: str) -> ServedModel | None:
        """What its own server says of it; ``None`` where none answers."""
        if self._clock() < self._silent_until:
            return None
        limits, address = self._settings.deadlines, str(self._settings.model_base_url)
        seconds = min(_PATIENCE, limits.model_first_token, limits.model_small, limits.model_answer)
        models = await served_models(address, self._settings.openai_api_key, seconds)
        if not models:
            self._silent_until = self._clock() + _LEFT_ALONE
        return _named(id.partition(":")[2], models) if models else None

    def _chosen(self, served: ServedModel, model: BaseChatModel, id: str, own_endpoint: bool) -> Capabilities:
        settings, profile = self._settings, model.profile or {}
        name = id.partition(":")[2]
        window, answer = next((limits for family, limits in _COHERE.items() if name.startswith(family)), (None, None))
        window = served.window or profile.get("max_input_tokens") or window or UNKNOWN_WINDOW
        answer = served.answer or profile.get("max_output_tokens") or answer
        tools = settings.model_tools if own_endpoint else profile.get("tool_calling", True)
        return Capabilities(
            window=settings.model_window or window,
            answer=settings.model_answer or answer,
            tools=served.tools if served.tools is not None else tools,
            thinks_unseen=not own_endpoint and id.startswith("openai:") and bool(profile.get("reasoning_output")),
        )


def _named(name: str, models: Sequence[ServedModel]) -> ServedModel:
    """A server of one model (llama.cpp) lists the file that it was started with, and answers to every name."""
    unknown = models[0] if len(models) == 1 else ServedModel(id=name)
    return next((each for each in models if each.id == name), unknown)
