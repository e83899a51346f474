"""Loads the word lists of this package: ``library/identity_words.yaml`` → compiled phrases."""

from __future__ import annotations

import re
from functools import cache

from pydantic import BaseModel, Field

from core.language.hebrew import LETTER, PREFIXES
from core.language.vocabulary import Entry, file_of
from core.library.records import DocumentKind


class KindWords(BaseModel):
    """How a kind is recognised; see the head of ``identity_words.yaml``."""

    form: list[str] = []
    title: list[str] = []
    cover: list[str] = []
    filename: list[str] = []
    opening: list[str] = []
    least: int = 0
    blanks: int = 0
    never: list[str] = Field(default=[], alias="not")


class Words(Entry):
    kinds: dict[DocumentKind, KindWords]
    no_title: list[str]
    charters: list[str]
    suffixes: list[str]
    institutions: list[str]
    places: list[str]
    labels: list[str]
    departments: list[str]
    dates: list[str]


words = file_of("library/identity_words", Words)


_UNPARTED = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
"""Scripts that write words, or endings after them, without spaces."""


@cache
def phrase(text: str) -> re.Pattern[str]:
    """A pattern that finds ``text`` as whole words. Spaces are optional, because some files have lost theirs."""
    parts = [r"[^\n]{0,80}?" if part == "*" else re.escape(part) for part in text.lower().split()]
    beginning = r"(?<![^\W_])" if parts[0][0].isalnum() or parts[0][0] == "\\" else ""
    if _UNPARTED.match(text):
        return re.compile(r"\s*".join(parts), re.IGNORECASE)
    prefix = rf"[{PREFIXES}]{{0,2}}" if re.match(LETTER, text) else ""
    ending = r"(?![^\W_])" if text[-1].isalnum() else ""
    return re.compile(beginning + prefix + r"\s*".join(parts) + ending, re.IGNORECASE)


@cache
def any_of(name: str) -> re.Pattern[str]:
    """A single pattern for all phrases of a list, the longest first."""
    listed: list[str] = getattr(words(), name)
    return re.compile("|".join(phrase(text).pattern for text in sorted(listed, key=len, reverse=True)), re.IGNORECASE)
