"""Texts of commands: a key of the catalogue's ``command`` -> its text in one language."""

from __future__ import annotations

from core.messages import message
from core.words import Language


def word(key: str, language: Language, **values: object) -> str:
    """Raises ``KeyError`` for a text that does not exist."""
    return message(f"command.{key}", **values).to(language)
