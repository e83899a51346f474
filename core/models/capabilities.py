"""Finds a model's limits: context window, longest answer, and whether it can call tools and see images.

The setting has priority, then what the model's server reports (:mod:`core.models.model_server`), then the profile in
the model's client. An unknown model is assumed to have a window of the usual size (docs/specification.md, "Budget").
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
"""Context window, in tokens, that is assumed for an unknown model."""
TOKENIZERS_DIFFER = 5 / 4
"""Safety factor: how many tokens another tokenizer may count for one token of ours."""
_PATIENCE = 2.0
"""Seconds to wait for a server's report about its model; the first question to each model includes this wait."""
_LEFT_ALONE = 30.0
"""Seconds after which a server that did not answer is asked again."""
_COHERE = {"command-r": (128_000, 4_000), "command-a": (256_000, 8_000)}
"""Context window and longest answer by the beginning of the model's name, from Cohere's documentation, because Cohere's
client has no profiles."""


class Capabilities(BaseModel, frozen=True, extra="forbid"):
    """The limits of a model. ``window`` and ``answer`` are in tokens; ``answer`` is ``None`` if only the window limits
    it.

    ``thinks``: the model thinks before its answer, and the thinking counts as part of the answer's tokens.
    ``thinks_unseen``: it streams nothing meanwhile. ``images``: it sees pictures. ``structured``: its service may be
    asked for JSON of a given form.
    """

    window: int = UNKNOWN_WINDOW
    answer: int | None = None
    tools: bool = True
    thinks: bool = False
    thinks_unseen: bool = False
    images: bool = False
    structured: bool = True

    def within(self, most: int | None) -> Capabilities:
        """The same limits, with answers of at most ``most`` tokens. A model that thinks keeps its own limit, because
        its thinking would use up a short one."""
        if most is None or self.thinks:
            return self
        return self.model_copy(update={"answer": min(most, self.answer or most)})

    def room_for_answer(self, prompt: int) -> int:
        """The answer limit to send with a prompt of ``prompt`` tokens (by our count). Servers refuse a prompt and limit
        that together exceed the window. At least an eighth of the window is always left for the answer."""
        left = max(self.window // 8, int(self.window - prompt * TOKENIZERS_DIFFER))
        return min(left, self.answer or left)


class ModelCapabilities:
    """Finds each model's capabilities once; a server that does not answer is asked again after a pause."""

    def __init__(self, settings: Settings, clock: Clock = system_clock) -> None:
        self._settings = settings
        self._clock = clock
        self._known: dict[str, Capabilities] = {}
        self._last: dict[str, Capabilities] = {}
        self._silent_until = 0.0

    def last(self, id: str) -> Capabilities:
        """The capabilities last found for a model; the default ones if they have not been requested yet."""
        return self._last.get(id, Capabilities())

    async def of(self, id: str, model: BaseChatModel, own_endpoint: bool) -> Capabilities:
        """The model's capabilities; ``id`` is ``provider:name``."""
        if id in self._known:
            return self._known[id]
        served = await self._served(id) if own_endpoint else None
        found = self._last[id] = self._chosen(served or ServedModel(id=id), model, id, own_endpoint)
        if not own_endpoint or served is not None:
            self._known[id] = found
        return found

    def without_tools(self, id: str) -> None:
        """Record that the model's service refused tools; from now on tools are described in the prompt."""
        self._known[id] = self._last[id] = self.last(id).model_copy(update={"tools": False})

    def without_structure(self, id: str) -> None:
        """Record that the model's service refused to answer in a given form."""
        self._known[id] = self._last[id] = self.last(id).model_copy(update={"structured": False})

    def thinking(self, id: str) -> None:
        """Record that the model thinks before it answers."""
        if not self.last(id).thinks:
            self._last[id] = self.last(id).model_copy(update={"thinks": True})
            if id in self._known:
                self._known[id] = self._last[id]

    async def _served(self, id: str) -> ServedModel | None:
        """The model as its server reports it; ``None`` if no server answers."""
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
        images = served.images if served.images is not None else bool(profile.get("image_inputs"))
        return Capabilities(
            images=settings.model_images if settings.model_images is not None else images,
            window=settings.model_window or window,
            answer=settings.model_answer or answer,
            tools=served.tools if served.tools is not None else tools,
            structured=profile.get("structured_output", True),
            thinks=bool(profile.get("reasoning_output")) or self.last(id).thinks,
            thinks_unseen=not own_endpoint and id.startswith("openai:") and bool(profile.get("reasoning_output")),
        )


def _named(name: str, models: Sequence[ServedModel]) -> ServedModel:
    """The entry for ``name``. A server with a single model (llama.cpp) lists its file's name instead and accepts every
    name."""
    unknown = models[0] if len(models) == 1 else ServedModel(id=name)
    return next((each for each in models if each.id == name), unknown)
