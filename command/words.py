"""Provides the commands' texts: a key under ``command`` in the catalogue → its text in one language."""

from __future__ import annotations

from core.messages import message
from core.words import Language


def word(key: str, language: Language, **values: object) -> str:
    """The text for a key. Raises ``KeyError`` for an unknown key."""
    return message(f"command.{key}", **values).to(language)
