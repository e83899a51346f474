"""Splits a document into parts for one call each: *its passages, tokens* → consecutive passages."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from core.language.tokens import count_tokens
from core.store.items import EMBEDDED_ROLES, MemoryItem

AROUND_PASSAGE = 12
"""Tokens for a passage's number and the spaces around it."""


def is_prose(item: MemoryItem) -> bool:
    """Whether the passage is body text; rows of tables, tables of contents and signatures contain no findings."""
    book = item.source.book
    return book is not None and book.role in EMBEDDED_ROLES and book.content_type != "table" and book.table is None


def parts_of(passages: Iterable[MemoryItem], most_tokens: int) -> list[list[MemoryItem]]:
    """Group ``passages`` in order, each part with up to ``most_tokens``; a longer passage is its own part."""
    parts: list[list[MemoryItem]] = []
    room = 0
    for item in passages:
        size = tokens_of(item)
        if not parts or size > room:
            parts.append([])
            room = most_tokens
        parts[-1].append(item)
        room -= size
    return parts


def tokens_of(item: MemoryItem) -> int:
    book = item.source.book
    return (book.token_count if book and book.token_count else count_tokens(item.text)) + AROUND_PASSAGE


def spread(parts: Sequence[list[MemoryItem]], most: int) -> list[list[MemoryItem]]:
    """At most ``most`` of ``parts``, evenly spread, including the first."""
    if len(parts) <= most:
        return list(parts)
    return [parts[place * len(parts) // most] for place in range(most)]
