"""Normalises text, so that equivalent spellings become equal."""

from __future__ import annotations

import re
import unicodedata

from core.language.note_marks import without_note_marks

_QUOTES = dict.fromkeys(map(ord, "\u201c\u201d\u201e\u201f\u00ab\u00bb\u05f4\u2033\uff02"), '"')
_APOSTROPHES = dict.fromkeys(map(ord, "\u2018\u2019\u201a\u201b\u05f3\u2032\u00b4\u0060\u02bc"), "'")
_DASHES = dict.fromkeys(map(ord, "\u05be\u2010\u2011\u2012\u2013\u2014\u2015\u2212"), "-")
_INVISIBLE: dict[int, str] = dict.fromkeys(
    [
        0x00AD,
        0x061C,
        0xFEFF,
        *range(0x200B, 0x2010),
        *range(0x202A, 0x202F),
        *range(0x2060, 0x2065),
        *range(0x2066, 0x206A),
    ],
    "",
)
# A superscript digit is a different number ("10²" is not 102), so these keep their form.
_MEANINGFUL = ("<super>", "<sub>", "<fraction>", "<circle>")

_NIKUD = re.compile("[\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7]")
_LOWERED = re.compile("(?<=[A-Za-z)])[₀-₉]{1,4}")
_DIGITS = str.maketrans("₀₁₂₃₄₅₆₇₈₉", "0123456789")
_DOUBLE_APOSTROPHE = re.compile("(?<=[א-ת])''(?=[א-ת])")


class _Compatibility(dict[int, str]):
    """Caches each character's normalised form."""

    def __missing__(self, code: int) -> str:
        character = chr(code)
        compatible = not unicodedata.decomposition(character).startswith(_MEANINGFUL)
        self[code] = unicodedata.normalize("NFKC", character) if compatible else character
        return self[code]


_spelling = _Compatibility({**_QUOTES, **_APOSTROPHES, **_DASHES, **_INVISIBLE})


def normalise(text: str) -> str:
    """Returns ``text`` normalised for search: compatible forms unified (ligatures, full-width letters, Hebrew
    presentation forms); quotes, gershayim, dashes and maqaf in ASCII; no direction marks; each run of whitespace as
    one space.

    Superscripts and fractions keep their form, but superscript note marks are removed ("Revenue¹" is "Revenue"); nikud
    stays (see :func:`strip_nikud`).
    """
    if not text.isascii():
        text = without_note_marks(unicodedata.normalize("NFC", text.translate(_spelling)))
        text = _LOWERED.sub(_on_the_line, text)
        text = _DOUBLE_APOSTROPHE.sub('"', text)
    return " ".join(text.split())


def strip_nikud(text: str) -> str:
    """Returns ``text`` without Hebrew vowel points and cantillation marks (maqaf stays)."""
    return text if text.isascii() else _NIKUD.sub("", text)


def fold(text: str) -> str:
    """Returns the form in which two texts are compared: normalised, lowercase, without nikud."""
    return " ".join(text.split()).lower() if text.isascii() else strip_nikud(normalise(text)).lower()


def _on_the_line(lowered: re.Match[str]) -> str:
    return lowered.group().translate(_DIGITS)
