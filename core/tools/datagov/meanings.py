"""Compares a question with the data sets of a catalogue by their embeddings, across languages and without shared
words."""

from __future__ import annotations

import asyncio
import logging

import numpy as np
from numpy.typing import NDArray

from core.batches import batches
from core.models.embeddings import Embeddings, Matrix
from core.tools.datagov.index import CatalogueIndex, IndexedDataset

log = logging.getLogger(__name__)

PATIENCE = 3.0
"""Maximum wait in seconds for the vectors of a question or of a catalogue; then only words are compared."""
MOST_NOTES = 300
"""Number of characters of a data set's description that are embedded."""
BATCH = 32
"""Number of data sets embedded in one call, so that a question waits only for one batch."""
FEWEST = 20
"""Minimum number of data sets: below it, the spread of the cosines says little."""

Deviations = NDArray[np.float64]
"""For each data set of an index, shape (data sets,): the number of standard deviations by which its cosine with the
question is above the mean of all data sets. Cosines themselves depend on the languages of both texts."""


class Meanings:
    """Holds the vectors of the catalogue that was compared last. Without ``embeddings``, nothing is compared."""

    def __init__(self, embeddings: Embeddings | None = None) -> None:
        self.embeddings = embeddings
        self._vectors: tuple[CatalogueIndex, Matrix] | None = None
        self._task: asyncio.Task[None] | None = None

    async def deviations(self, question: str, index: CatalogueIndex) -> Deviations | None:
        """Returns how far each data set stands out for ``question``; ``None`` if vectors are not available in time."""
        embeddings = self.embeddings
        if embeddings is None or len(index.datasets) < FEWEST:
            return None
        try:
            vectors = await self._of(embeddings, index)
            if vectors is None:
                return None
            async with asyncio.timeout(PATIENCE):
                cosines = np.asarray(vectors @ await embeddings.embed_query(question), dtype=np.float64)
        except Exception:
            log.info("open data is searched by words only", exc_info=True)
            return None
        spread = float(cosines.std())
        return (cosines - cosines.mean()) / spread if spread else None

    async def stop(self) -> None:
        task, self._task = self._task, None
        if task is not None:
            task.cancel()
            await asyncio.wait({task})

    async def _of(self, embeddings: Embeddings, index: CatalogueIndex) -> Matrix | None:
        if self._vectors is None or self._vectors[0] is not index:
            if self._task is None or self._task.done():
                self._task = asyncio.create_task(self._embed(embeddings, index), name="the vectors of open data")
            await asyncio.wait({self._task}, timeout=PATIENCE)
        held = self._vectors
        return held[1] if held and held[0] is index else None

    async def _embed(self, embeddings: Embeddings, index: CatalogueIndex) -> None:
        try:
            texts = [_text(dataset) for dataset in index.datasets]
            parts = [await embeddings.embed_passages(some) for some in batches(texts, BATCH)]
            self._vectors = index, np.concatenate(parts)
        except Exception:
            log.info("the data sets of open data have no vectors", exc_info=True)


def _text(indexed: IndexedDataset) -> str:
    dataset = indexed.dataset
    return f"{dataset.title}. {', '.join(dataset.tags)}. {dataset.notes[:MOST_NOTES]}"
