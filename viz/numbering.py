"""What the button of a passage says: quotes and sources → "1", or "1a" and "1b" where a source is quoted twice."""

from __future__ import annotations

from collections.abc import Sequence
from string import ascii_lowercase

from core.events import Quote


def passage_labels(quotes: Sequence[Quote]) -> dict[str, str]:
    """Item id → its label: a source keeps one number, its passages get letters in the order in which they are quoted.

    A source of which one passage is quoted needs no letter.
    """
    quoted: dict[int, list[str]] = {}
    for quote in quotes:
        items = quoted.setdefault(quote.number, [])
        if quote.item_id not in items:
            items.append(quote.item_id)
    return {
        item: f"{number}{_letter(place)}" if len(items) > 1 else str(number)
        for number, items in quoted.items()
        for place, item in enumerate(items)
    }


def _letter(place: int) -> str:
    """a … z, then aa, ab, …"""
    more, last = divmod(place, len(ascii_lowercase))
    return (_letter(more - 1) if more else "") + ascii_lowercase[last]
