"""Scores how likely letters are in a language: letter pairs for alphabets, characters for Chinese or Japanese.

``letter_costs.json`` contains costs (``-log2 p``): in quarters of a bit for a letter after another within words of 36
languages, counted in the profiles of langdetect (Apache 2.0); in halves of a bit for Han, Hangul and Kana characters,
summed over the vocabulary of XLM-RoBERTa (MIT). ``benchmarks/letter_costs.py`` creates it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from pydantic import BaseModel

_FILE = Path(__file__).with_suffix(".json")
_UNSEEN_PAIR = 4.0
"""Extra bits for a letter if its pair with the letter before it does not occur in the language."""
_FOREIGN_LETTER = 15.0
"""Bits for a letter that the language does not have."""
_RARE_CHARACTER = 18.0
"""Bits for a character that is not among some 10,000 frequent ones."""
_QUARTERS = 4
_HALVES = 2

Costs = Mapping[str, float]


class _File(BaseModel):
    """The data file: maps each cost to a string of all letters, pairs or characters that have this cost."""

    letters: dict[str, dict[int, str]]
    pairs: dict[str, dict[int, str]]
    characters: dict[str, dict[int, str]]


@dataclass(frozen=True)
class LetterCosts:
    """The cost in bits of a letter after another (a space means the word boundary), in one language or a mixture of
    several."""

    letters: Costs
    pairs: Costs

    def of(self, pair: str) -> float:
        """Returns the bits of the second letter of ``pair`` (lowercase) after its first."""
        known = self.pairs.get(pair)
        if known is not None:
            return known
        if pair[1] == " ":
            return _UNSEEN_PAIR + 3.0
        letter = self.letters.get(pair[1])
        return _FOREIGN_LETTER if letter is None else min(letter + _UNSEEN_PAIR, _FOREIGN_LETTER)

    def knows(self, letter: str) -> bool:
        return letter in self.letters


@cache
def letter_costs(language: str) -> LetterCosts:
    """Returns the costs by two-letter ISO 639-1 code; raises ``KeyError`` for a language without counts."""
    file = _file()
    return LetterCosts(_unpacked(file.letters[language], 1, _QUARTERS), _unpacked(file.pairs[language], 2, _QUARTERS))


@cache
def character_costs(script: str) -> Costs:
    """Returns the cost in bits of each character; ``script`` is "han", "hangul" or "kana"."""
    return _unpacked(_file().characters[script], 1, _HALVES)


def character_cost(character: str, script: str) -> float:
    """Returns the bits of one character within its script."""
    return character_costs(script).get(character, _RARE_CHARACTER)


def _unpacked(packed: Mapping[int, str], length: int, parts: int) -> Costs:
    return {
        text[start : start + length]: cost / parts
        for cost, text in packed.items()
        for start in range(0, len(text), length)
    }


@cache
def _file() -> _File:
    return _File.model_validate_json(_FILE.read_bytes())
