"""Searches a document's passages for words: *words* → their positions and their number."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import takewhile

from core.library.viewing.records import FoundWords, Hit
from core.store.items import MemoryItem

MOST_HITS = 1_000
"""Hits that are listed; all are counted."""
_AROUND = 60
_LONGEST_OVERLAP = 4_000
"""In characters: two neighbouring passages share less than this."""


class WordSearch:
    """Searches for words in passages that are given in reading order, in any number of steps.

    Text that two passages share is searched once: what the second one repeats of the end of the first one, and the
    column headings that each passage of a table repeats.
    """

    def __init__(self, words: str) -> None:
        parts = words.split()
        self._pattern = re.compile(r"\s+".join(map(re.escape, parts)), re.IGNORECASE) if parts else None
        self._hits: list[Hit] = []
        self._total = 0
        self._before: MemoryItem | None = None
        self._table_lines: dict[int, frozenset[str]] = {}

    @property
    def found(self) -> FoundWords:
        return FoundWords(hits=self._hits, total=self._total)

    def take(self, passages: Sequence[MemoryItem]) -> None:
        """Search the next passages."""
        if self._pattern is None:
            return
        for passage in passages:
            known = max(_shared_with(self._before, passage), self._repeated_heading(passage))
            for match in self._pattern.finditer(passage.text):
                if match.end() > known:
                    self._add(passage, *match.span())
            self._before = passage

    def _repeated_heading(self, passage: MemoryItem) -> int:
        """The length of the lines at the beginning that the first passage of the same table has too."""
        table = passage.source.book.table if passage.source.book else None
        if table is None:
            return 0
        lines = passage.text.splitlines(keepends=True)
        known = self._table_lines.setdefault(table, frozenset(lines))
        if known == frozenset(lines):
            return 0
        return sum(len(line) for line in takewhile(known.__contains__, lines))

    def _add(self, passage: MemoryItem, begin: int, end: int) -> None:
        self._total += 1
        if len(self._hits) < MOST_HITS:
            text, book = passage.text, passage.source.book
            self._hits.append(
                Hit(
                    item_id=passage.id,
                    page=book.page if book else None,
                    before=_single_spaced(text[max(0, begin - _AROUND) : begin]),
                    match=_single_spaced(text[begin:end]),
                    after=_single_spaced(text[end : end + _AROUND]),
                )
            )


def _shared_with(before: MemoryItem | None, passage: MemoryItem) -> int:
    """The number of characters at the beginning of ``passage`` that end ``before``."""
    first, second = (before.source.book if before else None), passage.source.book
    if before is None or first is None or second is None or second.start >= first.end:
        return 0
    longest = min(len(before.text), len(passage.text), _LONGEST_OVERLAP)
    return next((size for size in range(longest, 0, -1) if passage.text.startswith(before.text[-size:])), 0)


def _single_spaced(text: str) -> str:
    return re.sub(r"\s+", " ", text)
