"""Runs a BM25 keyword search in this process, if the index cannot be reached."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Collection, Iterable, Sequence
from math import log

import numpy as np
from numpy.typing import NDArray

from core.lru_cache import LruCache
from core.records.memory_meta import Tier
from core.search.sparse_vectors import K1, B
from core.store.index import Hit

Documents = Iterable[tuple[str, Sequence[str]]]
"""Documents as (item id, its terms with repetitions)."""
Version = tuple[int, float]
"""The version of an index: the number of items and the time of the newest change."""


class LocalBm25:
    """An inverted index over the documents of one tier that one user may read; built once, then read-only.

    Scores equal those of the main index for the same terms: ``average_length`` is the constant used there to weight
    documents; ``None`` uses the average of the given documents.

    >>> index = LocalBm25([("lease", ["rent", "workshop"]), ("memo", ["budget", "workshop"])])
    >>> [hit.id for hit in index.search(["rent"], limit=5)]
    ['lease']
    """

    def __init__(self, documents: Documents, average_length: float | None = None) -> None:
        ordered = sorted(documents, key=lambda document: document[0])
        self.ids = [identifier for identifier, _ in ordered]
        self._positions = {identifier: position for position, identifier in enumerate(self.ids)}
        self._vocabulary: dict[str, int] = {}
        known = self._vocabulary
        frequencies = np.fromiter(
            (known.setdefault(term, len(known)) for _, terms in ordered for term in terms), dtype=np.int64
        )
        lengths = np.array([len(terms) for _, terms in ordered], dtype=np.int64)
        count = max(len(ordered), 1)
        document = np.repeat(np.arange(len(ordered), dtype=np.int64), lengths)
        pairs, tf = np.unique(frequencies * count + document, return_counts=True)
        self._document = (pairs % count).astype(np.int32)
        self._starts = np.searchsorted(pairs // count, np.arange(len(known) + 1))
        average = average_length or float(lengths.mean() if len(lengths) else 1.0) or 1.0
        norm = K1 * (1 - B + B * lengths / average)
        self._weight = (tf * (K1 + 1) / (tf + norm[self._document])).astype(np.float32)

    def __len__(self) -> int:
        return len(self.ids)

    def search(self, terms: Iterable[str], limit: int, allowed: Collection[str] | None = None) -> list[Hit]:
        """Returns the best ``limit`` of the ``allowed`` documents (None: all) that share a term with the query; equal
        scores are ordered by id.

        A term that is repeated in the query counts each time; document frequencies are always counted over all
        documents.
        """
        scores = np.zeros(len(self.ids), dtype=np.float32)
        for term in terms:
            number = self._vocabulary.get(term)
            if number is None:
                continue
            start, end = int(self._starts[number]), int(self._starts[number + 1])
            scores[self._document[start:end]] += self._idf(end - start) * self._weight[start:end]
        if allowed is not None:
            scores[~self._mask(allowed)] = 0
        return [Hit(self.ids[place], float(scores[place])) for place in _best_places(scores, limit)]

    def _idf(self, frequency: int) -> float:
        return log(1 + (len(self.ids) - frequency + 0.5) / (frequency + 0.5))

    def _mask(self, allowed: Collection[str]) -> NDArray[np.bool_]:
        mask = np.zeros(len(self.ids), dtype=np.bool_)
        places = [self._positions[identifier] for identifier in allowed if identifier in self._positions]
        mask[places] = True
        return mask


def _best_places(scores: NDArray[np.float32], limit: int) -> list[int]:
    """Returns indexes of the best positive scores; ties in index order."""
    found = np.flatnonzero(scores)
    if 0 < limit < len(found):
        least = np.partition(scores[found], -limit)[-limit]
        found = found[scores[found] >= least]
    order = np.argsort(-scores[found], kind="stable")
    best: list[int] = found[order][: max(limit, 0)].tolist()
    return best


class LocalBm25Cache:
    """Caches the most recently used indexes. Concurrent requests for an index build it only once."""

    def __init__(self, keep: int = 8) -> None:
        self._made: LruCache[tuple[str, str | None, Tier], tuple[Version, asyncio.Task[LocalBm25]]]
        self._made = LruCache(keep)

    async def get(
        self,
        user_id: str,
        tier: Tier,
        version: Version,
        load: Callable[[], Awaitable[Documents]],
        org_id: str | None = None,
    ) -> LocalBm25:
        """Returns the index for items of ``version`` that a user of the group ``org_id`` may read; awaits ``load`` only
        if it is not cached.

        Raises:
            Exception: whatever ``load`` raised; the next call tries again.
        """
        key = (user_id, org_id, tier)
        found = self._made.get(key)
        if found is None or found[0] != version or _failed(found[1]):
            found = (version, asyncio.ensure_future(_make(load)))
        self._made[key] = found
        return await asyncio.shield(found[1])


async def _make(load: Callable[[], Awaitable[Documents]]) -> LocalBm25:
    documents = await load()
    return await asyncio.to_thread(LocalBm25, documents)


def _failed(task: asyncio.Task[LocalBm25]) -> bool:
    return task.done() and (task.cancelled() or task.exception() is not None)
