"""Matches Latin names with their Hebrew spelling by sound: "נורדוויק" is Nordvik.

Hebrew writes the consonants of a foreign name and most of its long vowels. So both spellings are split into consonant
classes and the vowels between them. The consonants must be equal, every vowel written in Hebrew must exist in the Latin
spelling, and the first and last sounds must be of the same kind. A final "e" may be silent, as in Apple; then one
vowel must be written, and the vowels must also sound alike.
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
_SILENT = re.compile(r"(?<=[b-df-hj-np-tv-z])e\b")
_TWICE = re.compile(r"([a-z])\1")
_FITTING = {"י": frozenset("aeiy"), "ו": frozenset("ouw")}
"""Latin vowels that a Hebrew letter may stand for; other letters may be any vowel."""


class _Sounds(NamedTuple):
    """The ``consonants`` and the vowels that are written before each of them and after the last."""

    consonants: str
    vowels: tuple[str, ...]


def sounds_like(hebrew: str, latin: str) -> int:
    """Returns the number of shared consonants if ``hebrew`` spells ``latin`` by sound, at most 2 with a silent "e", as
    such a spelling is often also a Hebrew word; otherwise 0."""
    sounds, written = _of_hebrew(hebrew), _of_latin(latin.lower())
    if not sounds.consonants or sounds.consonants != written.consonants:
        return 0
    pairs = list(zip(sounds.vowels, written.vowels, strict=True))
    if bool(pairs[0][0]) != bool(pairs[0][1]) or any(own and not other for own, other in pairs):
        return 0
    if bool(pairs[-1][0]) == bool(pairs[-1][1]):
        return len(sounds.consonants)
    silent = _SILENT.search(latin.lower()) and any(sounds.vowels) and all(_fits(*each) for each in pairs[:-1])
    return min(len(sounds.consonants), 2) if silent else 0


def _fits(hebrew: str, latin: str) -> bool:
    return all(_FITTING.get(letter, _SOFT) & set(latin) for letter in hebrew)


@lru_cache(maxsize=5_000)
def _of_hebrew(text: str) -> _Sounds:
    return _taken_apart((letter if letter in _VOWELS else _HEBREW.get(letter, "") for letter in text), _VOWELS)


@lru_cache(maxsize=5_000)
def _of_latin(text: str) -> _Sounds:
    spelled = re.sub(r"[^a-z ]", "", text)
    ready: list[str] = []
    for word in spelled.split():
        for pattern, sound in _LATIN:
            # The sound class "c" is written as a capital until all single letters have been replaced, so that it is not
            # mistaken for the letter.
            word = pattern.sub(sound.upper() if sound == "c" else sound, word)
        ready.append(_TWICE.sub(r"\1", word.translate(_CLASSES)).replace("C", "c"))
    return _taken_apart("".join(ready), _SOFT)


def _taken_apart(sounds: Iterable[str], vowel_letters: frozenset[str]) -> _Sounds:
    consonants, vowels = "", [""]
    for sound in sounds:
        if sound in vowel_letters:
            vowels[-1] += sound
        elif sound:
            consonants += sound
            vowels.append("")
    return _Sounds(consonants, tuple(vowels))
