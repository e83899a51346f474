"""Gives memories their dense vectors in the background: findable by words at once, by meaning soon [spec M3]."""

from __future__ import annotations

import asyncio
import contextlib
import logging

from core.errors import PalimpsestError
from core.memory.items import REMEMBERED, MemoryItems
from core.models.embeddings import Embeddings
from core.resilience import Dependency
from core.store.items import MemoryItem

log = logging.getLogger(__name__)


class Embedder:
    """Wakes after a write and at every upkeep, works until nothing waits, and then sleeps.

    The vectors of books are not its work: they have jobs of their own.
    """

    def __init__(
        self, items: MemoryItems, embeddings: Embeddings | None, dependency: Dependency, batch: int = 32
    ) -> None:
        self._items = items
        self._embeddings = embeddings
        self._dependency = dependency
        self._batch = batch
        self._due = asyncio.Event()
        self._working = asyncio.Lock()
        self._task: asyncio.Task[None] | None = None
        self._refused: set[str] = set()
        self.on = True
        """Whether vectors can be stored at all: not while the index was made for another model."""

    async def start(self) -> None:
        """Begin with what an earlier process has left."""
        if self._task is None:
            self.wake()
            self._task = asyncio.create_task(self._run(), name="embedder")

    async def stop(self) -> None:
        """What waits goes on waiting in the truth."""
        task, self._task = self._task, None
        if task is not None:
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await task

    def wake(self) -> None:
        """Something waits for its vector; costs nothing and waits for nothing."""
        self._due.set()

    async def drain(self) -> int:
        """Give every waiting memory its vector now; how many were taken up.

        Raises:
            PalimpsestError: the model or the index is not to be had; what was done stays done.
        """
        done = 0
        async with self._working:
            while written := await self._step():
                done += written
        return done

    async def _run(self) -> None:
        while True:
            await self._due.wait()
            self._due.clear()
            try:
                await self.drain()
            except Exception as error:
                log.warning("vectors of memories wait for the next upkeep: %s", error)

    async def _step(self) -> int:
        """One batch; how many were taken up. A text that the model refuses holds up no other."""
        embeddings = self._embeddings
        if embeddings is None or not self.on:
            return 0
        waiting = await self._items.pending_vectors(None, None, self._batch + len(self._refused), REMEMBERED)
        items = [item for item in waiting if item.id not in self._refused][: self._batch]
        return await self._try(embeddings, items) if items else 0

    async def _try(self, embeddings: Embeddings, items: list[MemoryItem]) -> int:
        texts = [item.embedded_text for item in items]
        try:
            vectors = await self._dependency.attempt(lambda: embeddings.embed_passages(texts))
        except Exception as error:
            if not _is_refusal(error):
                raise
            if len(items) > 1:
                return sum([await self._try(embeddings, [item]) for item in items])
            log.error("%s stays without a vector in this process: %s", items[0].id, error)
            self._refused.add(items[0].id)
        else:
            await self._items.set_vectors(items, vectors)
        return len(items)


def _is_refusal(error: Exception) -> bool:
    """Whether the model answered that it will not have these texts: asking again would not help."""
    category = error.problem.category if isinstance(error, PalimpsestError) else None
    return isinstance(error, ValueError) or category == "validation"
