"""Joins the superscript, subscript and plain pieces of a line into text, so that no footnote mark joins a number."""

from __future__ import annotations

import unicodedata
from enum import IntEnum

from core.library.extract.raised import lowered, raised

_LONGEST_MARK = 12
"""In characters; longer text is a sentence in small print and not a mark."""
_LONGEST_ENDING = 4
"""Maximum number of letters of a superscript ending ("1ère"); more letters are a text."""
_SLASHES = frozenset(("/", "\u2044", "\u2215"))
_FRACTIONS = {
    tuple(unicodedata.normalize("NFKC", character).split("\u2044")): character for character in "½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅐⅛⅜⅝⅞⅑⅒"
}


class Place(IntEnum):
    """The vertical position of a piece of text relative to its line."""

    LOWERED = -1
    PLAIN = 0
    RAISED = 1


class Printed:
    """Collects the pieces of a line; adjacent pieces at the same height are joined, because programs split them
    anywhere."""

    def __init__(self) -> None:
        self._parts: list[tuple[str, Place]] = []
        self._plain = True

    def add(self, text: str, place: Place = Place.PLAIN) -> None:
        if text:
            self._plain = self._plain and place == Place.PLAIN
            self._parts.append((text, place))

    def last(self) -> str:
        """The piece that was added last."""
        return self._parts[-1][0] if self._parts else ""

    def text(self) -> str:
        if self._plain:
            return "".join(text for text, _ in self._parts)
        text = ""
        pieces = _merged(self._parts)
        at = 0
        while at < len(pieces):
            fraction = _fraction_of(pieces[at : at + 3])
            if fraction:
                text += spaced(text, fraction)
                at += 3
                continue
            piece, place = pieces[at]
            if place != Place.PLAIN:
                text += spaced(text, shown(piece, place))
            elif text[-1:].isdecimal() and piece[:1].isdecimal():
                text += f" {piece}"
            else:
                text += piece
            at += 1
        return text


def shown(text: str, place: Place) -> str:
    """``text`` in superscript or subscript characters if it is short enough for a footnote mark, an index or an
    exponent."""
    bare = text.strip()
    # Brackets separate a mark from the number before it.
    if place == Place.PLAIN or len(bare) > _LONGEST_MARK or (bare[:1] == "[" and bare[-1:] == "]"):
        return text
    return raised(text) if place == Place.RAISED else lowered(text)


def note_mark(label: str) -> str:
    """A note's number or sign as a footnote mark, in brackets if it has no superscript form.

    >>> note_mark("2"), note_mark("*"), note_mark("iv")
    ('²', '*', '[iv]')
    """
    mark = shown(label, Place.RAISED)
    return f"[{label}]" if mark == label and label[:1].isalnum() else mark


def spaced(before: str, piece: str) -> str:
    """``piece`` with a space in front if its digits would join those in ``before``, or if it is a text after a number.

    >>> spaced("38", "2 of 3"), spaced("38", "see note"), spaced("38", "²"), spaced("1", "st"), spaced("x", "2")
    (' 2 of 3', ' see note', '²', 'st', '2')
    """
    if not before[-1:].isdecimal():
        return piece
    return f" {piece}" if piece[:1].isdecimal() or (piece[:1].isalpha() and len(piece) > _LONGEST_ENDING) else piece


def fraction(top: str, bottom: str) -> str:
    """A fraction on one line: as one character if there is one; parts of several words are put in brackets.

    >>> fraction("3", "4"), fraction("a + b", "2"), fraction("7", "10")
    ('¾', '(a + b)/2', '7/10')
    """
    return _FRACTIONS.get((top, bottom)) or f"{bracketed(top)}/{bracketed(bottom)}"


def bracketed(text: str) -> str:
    """The text in brackets, unless it is a single word or number or already has brackets."""
    single = text.replace(".", "").replace(",", "").isalnum() or (text[:1] == "(" and text.find(")") == len(text) - 1)
    return text if single or not text else f"({text})"


def _merged(parts: list[tuple[str, Place]]) -> list[tuple[str, Place]]:
    merged: list[tuple[list[str], Place]] = []
    for text, place in parts:
        if merged and (merged[-1][1] == place):
            merged[-1][0].append(text)
        else:
            merged.append(([text], place))
    return [("".join(texts), place) for texts, place in merged]


def _fraction_of(pieces: list[tuple[str, Place]]) -> str | None:
    """A fraction composed of a superscript number, a slash and a subscript number."""
    if len(pieces) < 3 or [place for _, place in pieces] != [Place.RAISED, Place.PLAIN, Place.LOWERED]:
        return None
    (top, _), (slash, _), (bottom, _) = pieces
    if slash not in _SLASHES or not top.strip().isdecimal() or not bottom.strip().isdecimal():
        return None
    return fraction(top.strip(), bottom.strip())
