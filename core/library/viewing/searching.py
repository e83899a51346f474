"""Searches a document's passages for words: *words* → their positions."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from core.library.viewing.records import Hit
from core.store.items import MemoryItem

MOST_HITS = 200
_AROUND = 60


def hits(passages: Sequence[MemoryItem], words: str) -> list[Hit]:
    """Hits in reading order; text shared by two passages is reported once."""
    parts = words.split()
    if not parts:
        return []
    pattern = re.compile(r"\s+".join(re.escape(part) for part in parts), re.IGNORECASE)
    found: list[Hit] = []
    seen_until = 0
    for passage in passages:
        for begin, hit in _in_passage(passage, pattern):
            if begin >= seen_until or not begin:
                found.append(hit)
            if len(found) == MOST_HITS:
                return found
        seen_until = max(seen_until, passage.source.book.end if passage.source.book else 0)
    return found


def _in_passage(passage: MemoryItem, pattern: re.Pattern[str]) -> Iterator[tuple[int, Hit]]:
    """Hits in one passage, each with its position in the document if that is known."""
    book = passage.source.book
    for match in pattern.finditer(passage.text):
        begin, end = match.span()
        yield (
            (book.start + begin) if book else 0,
            Hit(
                item_id=passage.id,
                page=book.page if book else None,
                before=_single_spaced(passage.text[max(0, begin - _AROUND) : begin]),
                match=_single_spaced(match.group()),
                after=_single_spaced(passage.text[end : end + _AROUND]),
            ),
        )


def _single_spaced(text: str) -> str:
    return re.sub(r"\s+", " ", text)
