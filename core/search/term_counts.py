"""Term frequencies of the items that searches have seen last."""

from __future__ import annotations

from collections import Counter, OrderedDict

from core.language.terms import index_terms
from core.store.items import MemoryItem

FULL = 0.5
"""The share of a query (``core.language.matching``) at which a text counts as fully matching: nine in ten of the
right paragraphs of HeQ lie below it."""

_CACHED = 4096


class TermCounts:
    """Term frequencies of items, kept for the ones seen last."""

    def __init__(self) -> None:
        self._counts: OrderedDict[tuple[str, float], Counter[str]] = OrderedDict()

    def of(self, item: MemoryItem) -> Counter[str]:
        key = (item.id, item.timestamps.updated_at)
        counts = self._counts.pop(key, None) or Counter(index_terms(item.searched_text, item.language))
        self._counts[key] = counts
        while len(self._counts) > _CACHED:
            self._counts.popitem(last=False)
        return counts
