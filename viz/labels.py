"""Provides the texts of rendered parts: a key under ``labels`` in the catalogue → its text in one language."""

from __future__ import annotations

from core.messages import message
from core.words import LANGUAGES, Language


def counted(number: int, key: str, language: Language) -> str:
    """A number with its noun: "1 passage", "5 passages"."""
    return message(f"labels.counted.{key}", count=number).to(language)


def label(key: str, language: Language, **values: object) -> str:
    """The text of a label in one language. Raises ``KeyError`` for an unknown label."""
    return message(f"labels.{key}", **values).to(language)


def spoken(key: str) -> str:
    """A label in all languages, for a user whose language is not known yet."""
    return " · ".join(label(key, language) for language in LANGUAGES)
