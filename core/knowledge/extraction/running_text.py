"""Extracts a passage's sentences that state something, without headings, table rows and boilerplate."""

from __future__ import annotations

import re
from collections.abc import Iterator

from core.language.hebrew import is_hebrew
from core.language.normalisation import normalise, strip_nikud
from core.language.sentences import split_sentences

LEAST_WORDS = 5
_MARKS = str.maketrans({"™": "®", "℠": "®"})
_WORD = re.compile(r"[^\W\d_][^\s]*")
_FURNITURE = re.compile(r"\s\|\s|(?:\.\s?){4,}|_{3,}")
_ENDS = re.compile(r"[.!?:;][\"')\]]*$")
_MOST_CAPITALS = 0.6
_LONG = 9


def sentences_of(text: str) -> Iterator[str]:
    """The sentences in prepared spelling; all trademark signs become ``®``."""
    for sentence in split_sentences(prepared(text)):
        if _states(sentence.text):
            yield sentence.text


def prepared(text: str) -> str:
    return "\n".join(strip_nikud(normalise(line.translate(_MARKS))) for line in text.splitlines())


def _states(text: str) -> bool:
    words = _WORD.findall(text)
    if len(words) < LEAST_WORDS or _FURNITURE.search(text):
        return False
    if sum(map(is_hebrew, words)) * 2 > len(words):
        return bool(_ENDS.search(text)) or len(words) >= _LONG
    capitals = sum(word[0].isupper() for word in words)
    if capitals > _MOST_CAPITALS * len(words):
        return False
    return bool(_ENDS.search(text)) or len(words) >= _LONG
