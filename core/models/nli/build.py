"""Which inference model the settings ask for: *a folder or a name* → a model behind a deadline and a breaker."""

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
    """``None`` where none is set. Nothing is loaded yet."""
    if not settings.nli_model:
        return None
    breaker = CircuitBreaker.of(settings.breakers)
    return InferenceJudge(OnnxInference(settings.nli_model, settings.deadlines.nli, breaker), settings.nli_threshold)


class OnnxInference:
    """``name`` is a folder, or that of a model on the hub; it is loaded with the first question, whose wait for it is
    ``seconds`` as well, and goes on loading after that."""

    def __init__(self, name: str, seconds: float, breaker: CircuitBreaker) -> None:
        self._name = name
        self._dependency = Dependency(SERVICE.en, seconds, breaker)
        self._loading: asyncio.Task[CrossEncoder] | None = None

    async def infer(self, pairs: Sequence[Pair]) -> list[Inference]:
        """One a pair, in order. Raises ``PalimpsestError``: it cannot be loaded, fails, or is too slow."""
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
        """Loading goes on though nobody waits any more; what failed is tried anew."""
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
    """An error that nobody waits for is not lost."""
    if not loading.cancelled() and (error := loading.exception()):
        log.warning("the inference model was not loaded: %r", error)
