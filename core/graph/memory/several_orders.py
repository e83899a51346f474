"""Splits a command to remember several things ("remember that A and that B") into separate statements."""

from __future__ import annotations

from core.language.vocabulary import pattern_of

_JOINED = pattern_of("graph/memory.several_orders.joined")
_END = " .,;"
_LEAST_WORDS = 2


def statements_to_remember(text: str) -> list[str]:
    """Returns the statements to store separately, or the whole text if a part would be meaningless by itself."""
    parts = [part.strip(_END) for part in _JOINED.split(text) if part and part.strip(_END)]
    if len(parts) < 2 or any(len(part.split()) < _LEAST_WORDS for part in parts):
        return [text.strip()]
    return parts
