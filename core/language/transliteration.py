"""Matches Latin names with their Hebrew spelling by sound: "נורדוויק" is Nordvik.

Hebrew writes the consonants of a foreign name and most of its long vowels. So both spellings are split into consonant
classes and the vowels between them. The consonants must be equal, every vowel written in Hebrew must exist in the Latin
spelling, and the first and last sounds must be of the same kind.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

_HEBREW = {
    "ב": "b", "ג": "g", "ד": "d", "ז": "z", "ט": "t", "כ": "k", "ך": "k", "ל": "l", "מ": "m", "ם": "m", "נ": "n",
    "ן": "n", "ס": "s", "פ": "p", "ף": "p", "צ": "c", "ץ": "c", "ק": "k", "ר": "r", "ש": "s", "ת": "t",
}  # fmt: skip
_VOWELS = frozenset("אהויע")
"""Hebrew letters that may be vowels in foreign names. (ח is not listed anywhere: it represents no English sound.)"""
_LATIN = (
    (re.compile(r"ck|cc|q"), "k"),
    (re.compile(r"sch|sh|ss"), "s"),
    (re.compile(r"ph|ff"), "p"),
    (re.compile(r"tz|ts|zz"), "c"),
    (re.compile(r"th"), "t"),
    (re.compile(r"c(?=[eiy])"), "s"),
    (re.compile(r"x"), "ks"),
    (re.compile(r"([a-z])\1"), r"\1"),
)
_CLASSES = str.maketrans({"c": "k", "f": "p", "v": "b", "j": "g"})
_SOFT = frozenset("aeiouyhw")


class _Sounds(NamedTuple):
    """The ``consonants`` and whether a vowel is written before each of them and after the last."""

    consonants: str
    vowels: tuple[bool, ...]


def sounds_like(hebrew: str, latin: str) -> int:
    """Returns the number of shared consonants if ``hebrew`` spells ``latin`` by sound; otherwise 0."""
    sounds, written = _of_hebrew(hebrew), _of_latin(latin.lower())
    if not sounds.consonants or sounds.consonants != written.consonants:
        return 0
    ends = sounds.vowels[0] == written.vowels[0] and sounds.vowels[-1] == written.vowels[-1]
    inside = all(
        latin_one or not hebrew_one for hebrew_one, latin_one in zip(sounds.vowels, written.vowels, strict=True)
    )
    return len(sounds.consonants) if ends and inside else 0


@lru_cache(maxsize=5_000)
def _of_hebrew(text: str) -> _Sounds:
    return _taken_apart(_HEBREW.get(letter, "") if letter not in _VOWELS else "*" for letter in text)


@lru_cache(maxsize=5_000)
def _of_latin(text: str) -> _Sounds:
    spelled = re.sub(r"[^a-z ]", "", text)
    ready: list[str] = []
    for word in spelled.split():
        for pattern, sound in _LATIN:
            # The sound class "c" is written as a capital until all single letters have been replaced, so that it is not
            # mistaken for the letter.
            word = pattern.sub(sound.upper() if sound == "c" else sound, word)
        ready.append(word.translate(_CLASSES).replace("C", "c"))
    return _taken_apart("*" if letter in _SOFT else letter for letter in "".join(ready))


def _taken_apart(sounds: Iterable[str]) -> _Sounds:
    consonants, vowels = "", [False]
    for sound in sounds:
        if sound == "*":
            vowels[-1] = True
        elif sound:
            consonants += sound
            vowels.append(False)
    return _Sounds(consonants, tuple(vowels))
