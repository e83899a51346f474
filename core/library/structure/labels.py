"""Parses the number or letter that a heading begins with: text → label ("Item 7A", "5.1", "Note 12")."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, lru_cache

from core.language.entities.roman_numerals import roman_value
from core.language.hebrew import GEMATRIA, LETTER, is_hebrew
from core.library.structure.words import section_words

RANKS = {"part": 0, "annex": 0, "chapter": 1, "section": 2, "decimal": 3, "letter": 4, "paren": 5}
"""Label kinds from outermost to innermost: an inner one never ends an outer one."""

_DECIMAL = re.compile(r"(?P<number>\d{1,3}(?:\.\d{1,3}){0,4})(?P<stop>[.)]?)(?:[^\S\n]+|$)")
_LETTER = re.compile(rf"(?P<number>[A-Z]|[IVX]{{1,5}}|{LETTER}['׳]?)[.)][^\S\n]+")
_PAREN = re.compile(rf"\((?P<number>\d{{1,2}}|[a-z]{{1,4}}|[A-Z]|{LETTER}['׳]?)\)[^\S\n]+")
_AFTER = re.compile(r"[^\S\n]*[-:.|\u2013\u2014|]*[^\S\n]*")
_FAR = 60
"""Number of first characters of a line that must contain its label."""
_ROMAN = frozenset("IVXLC")
"""Letters that are not read as Roman numerals: no document has five hundred parts, so D and M are plain letters."""


@dataclass(frozen=True)
class Label:
    """A heading's label. ``number`` has the count at each level; ``end`` is where the words of the title begin."""

    scheme: str
    number: tuple[int, ...]
    end: int
    written: str

    @property
    def key(self) -> tuple[str, int]:
        """The part of a label that siblings have in common."""
        return self.scheme, len(self.number) if self.scheme == "decimal" else 0

    @property
    def rank(self) -> int:
        return RANKS[self.scheme] * 10 + (len(self.number) if self.scheme == "decimal" else 0)

    @property
    def is_named(self) -> bool:
        """Whether a word precedes the number, so that it is almost certainly a label."""
        return self.scheme in section_words().labels

    def is_within(self, other: Label) -> bool:
        """Whether this label is inside the other: "5.1" in "5" (or "Article 5", "Section 5")."""
        mine, outer = self.number, other.number
        if self.scheme not in ("decimal", "section") or other.scheme in ("letter", "paren", "part"):
            return False
        return len(mine) > len(outer) and mine[: len(outer)] == outer


def label_of(text: str) -> Label | None:
    """The label of the first line of ``text``; ``None`` if it has none.

    A word counts only with a number after it, followed by an end, a punctuation mark or a capital: "Section 13 or
    15(d)" is a reference in a sentence.
    """
    return _label_of(text.split("\n", 1)[0][:_FAR])


@lru_cache(maxsize=8192)
def _label_of(line: str) -> Label | None:
    if named := _label_pattern().match(line):
        return _of_name(named, line)
    for scheme, pattern in (("decimal", _DECIMAL), ("paren", _PAREN), ("letter", _LETTER)):
        if found := pattern.match(line):
            number = _numbers(found["number"])
            return Label(scheme, number, found.end(), line[: found.end()].strip()) if number else None
    return None


def _of_name(found: re.Match[str], line: str) -> Label | None:
    number = _numbers(found["number"])
    rest = line[found.end() :]
    mark = _AFTER.match(rest)
    after = mark.end() if mark else 0
    title = rest[after:]
    ends = not title or rest[:1] in ".:-\u2013\u2014|" or rest.startswith((" -", " \u2013", " \u2014", " |"))
    if not number or not (ends or title[0].isupper() or is_hebrew(title[0])):
        return None
    scheme = next(key for key, word in found.groupdict().items() if word and key != "number")
    return Label(scheme, number, found.end() + after, found.group().strip())


@cache
def _label_pattern() -> re.Pattern[str]:
    kinds = "|".join(
        f"(?P<{scheme}>{'|'.join(map(re.escape, words))})" for scheme, words in section_words().labels.items()
    )
    sign = (
        rf"\d{{1,3}}(?:\.\d{{1,3}})*[A-Za-z]?|[IVXLC]{{1,7}}|[A-Z]{{1,2}}|"
        rf"{LETTER}{{1,3}}['׳]|{LETTER}{{1,2}}[\"״]{LETTER}|{LETTER}"
    )
    return re.compile(rf"(?:{kinds})(?:[^\S\n]+|(?<=§))(?P<number>(?-i:{sign}))(?![\w\"'(])", re.IGNORECASE)


def _numbers(sign: str) -> tuple[int, ...]:
    """``"7A"`` → (7, 1), ``"IV"`` → (4,), ``"5.1"`` → (5, 1), a second letter → (2,)."""
    if "." in sign:
        return tuple(number for part in sign.split(".") for number in _numbers(part))
    if sign[:1].isdigit():
        digits = sign.rstrip("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")
        letter = sign[len(digits) :].lower()
        return (int(digits), ord(letter) - 96) if letter else (int(digits),)
    if set(sign.upper()) <= _ROMAN and sign.upper() not in ("C", "L"):
        return (roman_value(sign),)
    letters = [letter for letter in sign if letter in GEMATRIA]
    if letters:
        return (sum(GEMATRIA[letter] for letter in letters),)
    return (ord(sign[0].lower()) - 96,) if sign and sign[0].isascii() else ()
