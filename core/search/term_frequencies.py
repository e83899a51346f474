"""Term frequencies of the items that searches have seen last."""

from __future__ import annotations

from collections import Counter
from threading import Lock

from core.language.terms import index_terms
from core.lru_cache import LruCache
from core.search.scoring.calibration import term_frequencies
from core.store.items import ItemText

_CACHED = 8192
"""Items; a search of memories sees some five hundred."""


class TermCounts:
    """Term frequencies of items, kept for the ones seen last; searches in several threads may share it."""

    def __init__(self) -> None:
        self._counts: LruCache[tuple[str, float], Counter[str]] = LruCache(_CACHED)
        self._changing = Lock()

    def of(self, item: ItemText) -> Counter[str]:
        key = (item.id, item.timestamps.updated_at)
        with self._changing:
            if (counts := self._counts.use(key)) is not None:
                return counts
        counts = term_frequencies(index_terms(item.searched_text, item.language))
        with self._changing:
            self._counts[key] = counts
        return counts
