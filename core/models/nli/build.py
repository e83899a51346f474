"""Builds the inference model that the settings name, with a deadline and a circuit breaker."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from core.errors import PalimpsestError, fail
from core.messages import message
from core.models.nli.cross_encoder import FILES, CrossEncoder
from core.models.nli.inference import Inference, InferenceJudge, Pair
from core.resilience.dependencies import CircuitBreaker, Dependency
from core.settings import Settings

log = logging.getLogger(__name__)

SERVICE = message("models.nli.service")


def build_nli(settings: Settings) -> InferenceJudge | None:
    """The judge; ``None`` if no model is set. Nothing is loaded yet."""
    if not settings.nli_model:
        return None
    breaker = CircuitBreaker.of(settings.breakers)
    return InferenceJudge(OnnxInference(settings.nli_model, settings.deadlines.nli, breaker), settings.nli_threshold)


class OnnxInference:
    """An inference model in ONNX format. ``name`` is a folder or a model's name on the Hugging Face hub. It is loaded
    at the first call, which waits at most ``seconds``; loading continues after that."""

    def __init__(self, name: str, seconds: float, breaker: CircuitBreaker) -> None:
        self._name = name
        self._dependency = Dependency(SERVICE.en, seconds, breaker)
        self._loading: asyncio.Task[CrossEncoder] | None = None

    async def infer(self, pairs: Sequence[Pair]) -> list[Inference]:
        """One result per pair, in order. Raises ``PalimpsestError`` if the model cannot be loaded, fails, or is too
        slow."""
        try:
            return await self._dependency.attempt(partial(self._inferred, pairs))
        except PalimpsestError as error:
            if error.problem.category != "timeout":
                raise
            raise fail("timeout", "models.nli.too_slow", seconds=self._dependency.seconds) from None
        except Exception as error:
            raise fail("server", "models.nli.unusable", detail=repr(error), name=self._name) from error

    async def _inferred(self, pairs: Sequence[Pair]) -> list[Inference]:
        encoder = await self._loaded()
        return await asyncio.to_thread(encoder.infer, pairs)

    async def _loaded(self) -> CrossEncoder:
        """The loaded model. Loading continues even if its callers gave up waiting; after a failure it is tried
        again."""
        if self._loading is None or (self._loading.done() and self._loading.exception() is not None):
            self._loading = asyncio.create_task(asyncio.to_thread(_load, self._name))
            self._loading.add_done_callback(_told)
        return await asyncio.shield(self._loading)


def _load(name: str) -> CrossEncoder:
    folder = Path(name).expanduser()
    if not folder.is_dir():
        from huggingface_hub import snapshot_download

        folder = Path(snapshot_download(name, allow_patterns=list(FILES)))
    return CrossEncoder(folder)


def _told(loading: asyncio.Task[CrossEncoder]) -> None:
    """Logs a loading error that no caller waits for."""
    if not loading.cancelled() and (error := loading.exception()):
        log.warning("the inference model was not loaded: %r", error)
