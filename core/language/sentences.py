"""Splits a text into sentences with positions, by the rules of its language."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from core.language.full_stops import runs_on
from core.language.languages import FUNCTION_WORDS, text_language
from core.language.normalisation import fold
from core.language.vocabulary import Entry, WordSet, file_of


class Sentence(NamedTuple):
    """A sentence: ``text`` is ``source[start:end]``, without surrounding whitespace."""

    text: str
    start: int
    end: int


_CLOSING = "\"'\u201d\u2019\u05f4\u00bb)\\]}*_"
_WIDE_CLOSING = '\u300d\u300f\uff09\u3011\u300b\u3009\u201d\u2019"'
_WIDE = "\u3002\uff01\uff1f\uff61\u0964"
"""Characters that end a sentence even if no space follows."""
_END = re.compile(
    rf"[.!?\u2026\u203d\u2047-\u2049\u061f\u06d4]+[{_CLOSING}]*(?:[ \u00a0\u202f]\u00bb)?(?:\[\d+\])*(?=\s|$)"
    rf"|[{_WIDE}]+[{_CLOSING}{_WIDE_CLOSING}]*(?:\[\d+\])*"
)
_GOES_ON = re.compile(r"[\u3041-\u309f\uff0c\u3001,]")
"""Matches, after a closing quotation mark, a particle or comma with which the sentence around the quotation continues.
"""
_WIDE_LETTER = re.compile("[\u3041-\u30ff\u3400-\u9fff\uac00-\ud7a3\uff01-\uff60]")
_LINE = re.compile(r"[^\n\r\u2028\u2029]+")
_ITEM = re.compile(
    r"\s*(?:[-*+\u2022\u25cf\u25cb\u25aa\u25e6\u2023\u00b7]\s|(?:\d{1,3}|[a-zA-Zא-ת]|[ivxIVX]{1,5})[.)]\s|#{1,6}\s|>\s)"
)
_ROW = re.compile(r"\s*\||\S.*\s\|\s|[^\t]+\t[^\t]+")
_NEXT = re.compile(r"\s*(?=(?P<first>\S))[\"'\u201c\u2018\u05f4\u00ab(\[{*_]*(?P<word>\w+|\S?)")
_INITIALS = re.compile(r"(?:[a-z]\.)+[a-z]")
_LONGEST_WORD = 40
_OPENING = "\"'\u201c\u2018\u05f4\u00ab([{*_"


_OTHER_RULES = frozenset({*FUNCTION_WORDS, "ru", "ar"})


class _Abbreviations(Entry):
    running: WordSet
    numbered: WordSet
    closing: WordSet
    naming: WordSet
    beginning: WordSet


_abbreviations = file_of("abbreviations", _Abbreviations)


def split_sentences(text: str) -> list[Sentence]:
    """Returns the sentences of ``text`` in order.

    A line break ends a sentence if the line is a list item, a heading, a table row or its own line of verse. A line
    without end punctuation continues only if the next one starts in lowercase or if Hebrew prose was wrapped. Each
    table row is its own sentence.

    >>> [sentence.text for sentence in split_sentences("Rent is due on May 3. Mr. Cohen pays it.")]
    ['Rent is due on May 3.', 'Mr. Cohen pays it.']
    """
    language = text_language(text)
    return [sentence for start, end in _stretches(text) for sentence in _sentences_between(text, start, end, language)]


def _stretches(text: str) -> Iterator[tuple[int, int]]:
    """Yields the spans of text between line breaks that end a sentence; wrapped lines stay together."""
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
"""Maximum width of a line that its author ended; a longer one was wrapped at the page width."""


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
    return not first.islower() and width(before.group().strip()) < _WRAPPED


def width(line: str) -> int:
    """Returns a line's width in letters of an alphabet: characters of scripts without spaces count as two."""
    return len(line) if line.isascii() else len(line) + len(_WIDE_LETTER.findall(line))


def _is_row(line: str) -> bool:
    return bool(_ROW.match(line))


def _sentences_between(text: str, start: int, end: int, language: str) -> Iterator[Sentence]:
    if _is_row(text[start:end]):
        yield from _trimmed(text, start, end)
        return
    opened = start
    marker = _ITEM.match(text, start, end)
    for stop in _END.finditer(text, marker.end() if marker else start, end):
        if _is_sentence_end(text, opened, stop, end, language):
            yield from _trimmed(text, opened, stop.end())
            opened = stop.end()
    yield from _trimmed(text, opened, end)


def _trimmed(text: str, start: int, end: int) -> Iterator[Sentence]:
    piece = text[start:end]
    inner = piece.strip()
    if inner:
        begin = start + len(piece) - len(piece.lstrip())
        yield Sentence(inner, begin, begin + len(inner))


def _is_sentence_end(text: str, opened: int, stop: re.Match[str], end: int, language: str) -> bool:
    following = _NEXT.match(text, stop.end(), end)
    if following is None:
        return True
    first = following["first"]
    if stop.group()[0] in _WIDE:
        return stop.group()[-1] in _WIDE or not _GOES_ON.match(first)
    if not stop.group().startswith("."):
        return not (stop.group()[-1] in _CLOSING and first.islower())
    if first.islower():
        return False
    if stop.group().startswith(".."):
        return True
    words = text[max(opened, stop.start() - _LONGEST_WORD) : stop.start()].split()
    if not words:
        return True
    if language in _OTHER_RULES:
        return not runs_on(words, following["word"], language, bracketed=first in "([")
    return not _runs_on(words[-1], following["word"], bracketed=first in "([")


def _runs_on(word: str, following: str, bracketed: bool) -> bool:
    """Returns whether a period after ``word`` belongs to the word and does not end the sentence; ``following`` is the
    next word. ``bracketed``: that word is in brackets, which after a name introduce its short form ("Acme Inc. (the
    “Company”)")."""
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
