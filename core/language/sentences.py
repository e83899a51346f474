"""Sentences of English and Hebrew text, with their places in it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from core.language.normalisation import fold
from core.language.vocabulary import Entry, WordSet, file_of


class Sentence(NamedTuple):
    """``text`` is ``source[start:end]``: no surrounding whitespace."""

    text: str
    start: int
    end: int


_CLOSING = "\"'\u201d\u2019\u05f4\u00bb)\\]}*_"
_END = re.compile(rf"(?:[.!?\u2026\u203d\u2047-\u2049]+|[\u3002\uff01\uff1f])[{_CLOSING}]*(?:\[\d+\])*(?=\s|$)")
_LINE = re.compile(r"[^\n\r\u2028\u2029]+")
_ITEM = re.compile(
    r"\s*(?:[-*+\u2022\u25cf\u25cb\u25aa\u25e6\u2023\u00b7]\s|(?:\d{1,3}|[a-zA-Zא-ת]|[ivxIVX]{1,5})[.)]\s|#{1,6}\s|>\s)"
)
_ROW = re.compile(r"\s*\||\S.*\s\|\s|[^\t]+\t[^\t]+")
_NEXT = re.compile(r"\s*(?=(?P<first>\S))[\"'\u201c\u2018\u05f4\u00ab(\[{*_]*(?P<word>\w+|\S?)")
_INITIALS = re.compile(r"(?:[a-z]\.)+[a-z]")
_LONGEST_WORD = 40
_OPENING = "\"'\u201c\u2018\u05f4\u00ab([{*_"


class _Abbreviations(Entry):
    running: WordSet
    numbered: WordSet
    closing: WordSet
    naming: WordSet
    beginning: WordSet


_abbreviations = file_of("abbreviations", _Abbreviations)


def split_sentences(text: str) -> list[Sentence]:
    """The sentences of ``text`` in order.

    A line break ends a sentence where the line is a list item, a heading, a table row or its own line of verse:
    a line that ends without punctuation runs on only when the next one begins in lower case or Hebrew prose
    was wrapped. Each table row is a sentence of its own.
    """
    return [sentence for start, end in _stretches(text) for sentence in _sentences_between(text, start, end)]


def _stretches(text: str) -> Iterator[tuple[int, int]]:
    """Stretches of wrapped lines that no line break divides."""
    start: int | None = None
    previous: re.Match[str] | None = None
    for line in _LINE.finditer(text):
        if not line.group().strip():
            continue
        if previous is not None and start is not None and _divides(text, previous, line):
            yield start, previous.end()
            start = None
        start = line.start() if start is None else start
        previous = line
    if start is not None and previous is not None:
        yield start, previous.end()


_WRAPPED = 45
"""A line shorter than this was ended by its writer, not by the width of a page."""


def _divides(text: str, before: re.Match[str], after: re.Match[str]) -> bool:
    gap = text[before.end() : after.start()]
    if gap.replace("\r\n", "\n").count("\n") + gap.count("\u2029") > 1:
        return True
    if (
        _ITEM.match(after.group())
        or _is_row(before.group())
        or _is_row(after.group())
        or before.group().lstrip().startswith("#")
    ):
        return True
    first = after.group().lstrip()[0]
    return not first.islower() and len(before.group().strip()) < _WRAPPED


def _is_row(line: str) -> bool:
    return bool(_ROW.match(line))


def _sentences_between(text: str, start: int, end: int) -> Iterator[Sentence]:
    if _is_row(text[start:end]):
        yield from _trimmed(text, start, end)
        return
    opened = start
    marker = _ITEM.match(text, start, end)
    for stop in _END.finditer(text, marker.end() if marker else start, end):
        if _is_sentence_end(text, opened, stop, end):
            yield from _trimmed(text, opened, stop.end())
            opened = stop.end()
    yield from _trimmed(text, opened, end)


def _trimmed(text: str, start: int, end: int) -> Iterator[Sentence]:
    piece = text[start:end]
    inner = piece.strip()
    if inner:
        begin = start + len(piece) - len(piece.lstrip())
        yield Sentence(inner, begin, begin + len(inner))


def _is_sentence_end(text: str, opened: int, stop: re.Match[str], end: int) -> bool:
    following = _NEXT.match(text, stop.end(), end)
    if following is None:
        return True
    first = following["first"]
    if not stop.group().startswith("."):
        return not (stop.group()[-1] in _CLOSING and first.islower())
    if first.islower():
        return False
    if stop.group().startswith(".."):
        return True
    words = text[max(opened, stop.start() - _LONGEST_WORD) : stop.start()].split()
    return not words or not _runs_on(words[-1], following["word"], bracketed=first in "([")


def _runs_on(word: str, following: str, bracketed: bool) -> bool:
    """Whether a full stop after ``word`` belongs to the word; ``following`` is the next word, ``bracketed`` where it
    stands in brackets: behind a name these say what it is called from here on ("Acme Inc. (the “Company”)")."""
    known = _abbreviations()
    bare = fold(word).lstrip(_OPENING)
    first = following[:1]
    if bare.rstrip("'") in known.running:
        return True
    if bare in known.numbered:
        return first.isdigit()
    if bare in known.closing:
        return not (first.isupper() or "א" <= first <= "ת")
    if bare in known.naming or _INITIALS.fullmatch(bare):
        return bracketed or not (following.casefold() in known.beginning or "א" <= first <= "ת")
    return len(bare) == 1 and bare.isalpha() and not word.lstrip(_OPENING)[:1].islower()
