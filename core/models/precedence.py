"""Gives questions priority over background work: embedding of passages pauses while a question is answered.

The holder of the priority is not delayed: vectors that an answer needs are computed immediately.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from contextvars import ContextVar
from types import TracebackType

import numpy as np
from numpy.typing import NDArray

from core.models.embeddings import EmbeddingIdentity, Embeddings, Matrix

_held_here: ContextVar[int] = ContextVar("held_here", default=0)


class QuestionPrecedence:
    """The priority lock, held with ``with precedence:`` while a question is answered. Several questions may hold it. It
    works within one event loop."""

    def __init__(self) -> None:
        self._held = 0
        self._over = asyncio.Event()

    def __enter__(self) -> None:
        if not self._held:
            self._over = asyncio.Event()
        self._held += 1
        _held_here.set(_held_here.get() + 1)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._held -= 1
        _held_here.set(_held_here.get() - 1)
        if not self._held:
            self._over.set()

    @property
    def held(self) -> bool:
        return self._held > 0

    async def passed(self, most: float) -> float:
        """Wait until no question is being answered, at most ``most`` seconds; returns the seconds waited. Work for a
        question never waits."""
        if not self._held or _held_here.get() or most <= 0:
            return 0.0
        began = time.monotonic()
        try:
            async with asyncio.timeout(most):
                await self._over.wait()
        except TimeoutError:
            return most
        return time.monotonic() - began


class EmbeddingsFirst:
    """``inner`` as used for answering questions: it holds the priority while it computes."""

    def __init__(self, inner: Embeddings, precedence: QuestionPrecedence) -> None:
        self._inner = inner
        self._precedence = precedence

    @property
    def identity(self) -> EmbeddingIdentity:
        return self._inner.identity

    async def embed_query(self, text: str) -> NDArray[np.float32]:
        with self._precedence:
            return await self._inner.embed_query(text)

    async def embed_passages(self, texts: Sequence[str]) -> Matrix:
        with self._precedence:
            return await self._inner.embed_passages(texts)
