"""Reads the message catalogue: returns the text for a key in every language, with values filled in.

A text is in ``<language>.yaml`` under its key. If its form depends on a number, the key has the forms ``one``, ``two``
and ``other`` instead, and the value ``count`` selects one; a language leaves out forms that it does not have.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import TypeAlias

from core.parsed_yaml import parse_yaml
from core.words import CATALOGUES, LANGUAGES, Language, Words, fill

Text: TypeAlias = str | dict[str, str]

_FORMS = ("one", "two", "other")


def message(key: str, **values: object) -> Words:
    """The text of ``key`` with its placeholders filled; a value of type ``Words`` is translated too.

    Without values the text is returned unchanged. Raises ``KeyError`` for an unknown key.
    """
    return _filled_words(key, values) if values else _as_it_stands(key)


@cache
def message_group(above: str) -> Mapping[str, Words]:
    """All texts whose keys begin with ``above``, by the rest of the key, in the file's order; placeholders are not
    filled."""
    return {key.removeprefix(f"{above}."): message(key) for key in texts("en") if key.startswith(f"{above}.")}


@cache
def _as_it_stands(key: str) -> Words:
    return _filled_words(key, {})


def _filled_words(key: str, values: dict[str, object]) -> Words:
    return Words.model_validate({language: _formatted_text(language, key, values) for language in LANGUAGES})


def _formatted_text(language: Language, key: str, values: dict[str, object]) -> str:
    text = texts(language)[key]
    if isinstance(text, dict):
        form = {1: "one", 2: "two"}.get(count, "other") if isinstance(count := values["count"], int) else "other"
        text = text.get(form, text["other"])
    return fill(text, language, values) if values else text


@cache
def texts(language: Language) -> dict[str, Text]:
    """All texts of one language by dotted key, in the file's order."""
    return _flattened(parse_yaml((CATALOGUES / f"{language}.yaml").read_text("utf-8")))


def _flattened(content: object, above: str = "") -> dict[str, Text]:
    if isinstance(content, str):
        return {above: content}
    assert isinstance(content, dict), above  # this is our own file, and a test reads all of it
    if content and set(content) <= set(_FORMS):
        return {above: content}
    return {
        key: text
        for name, inner in content.items()
        for key, text in _flattened(inner, f"{above}.{name}" if above else name).items()
    }
