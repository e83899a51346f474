"""Cuts paragraphs to fit: paragraph → pieces within a token budget."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from core.language.sentences import split_sentences
from core.language.tokens import count_tokens
from core.library.chunking.paragraphs import BULLET, Paragraph, spans_between

_BREAK = re.compile(r"\n+")
_BEFORE_ITEM = re.compile(rf"\n(?={BULLET.pattern.removeprefix('^')})")
_WORD = re.compile(r"\S+")
_LONGEST_TOKEN = 8
"""Length of a long token in characters; the search for the end of a budget starts there."""
JOINT = 4
"""Joining two texts adds at most this many tokens in practice; every finished chunk is counted exactly."""


@dataclass(frozen=True)
class Piece:
    """A paragraph, or a part of one, that fits in the budget."""

    text: str
    tokens: int
    start: int
    end: int
    source: Paragraph

    @property
    def is_heading(self) -> bool:
        return self.source.kind == "heading"


def whole(paragraph: Paragraph) -> Piece:
    text = f"{paragraph.header}\n{paragraph.text}".strip() if paragraph.header else paragraph.text
    return Piece(text, count_tokens(text), paragraph.start, paragraph.end, paragraph)


Span = tuple[int, int]
"""Start and end positions in a paragraph's text."""


class Divider:
    """Stage three: splits a paragraph that exceeds the budget between rows, items, lines or sentences.

    Only a single row, item or sentence that exceeds the budget is split by characters.
    """

    def __init__(self, paragraph: Paragraph, budget: int, overlap: int) -> None:
        self._paragraph = paragraph
        self._text = paragraph.text
        self._by_lines = paragraph.kind == "table" or paragraph.has_code
        self._overlap = 0 if self._by_lines or paragraph.kind == "list" else overlap
        self._header = f"{paragraph.header}\n" if paragraph.header else ""
        self._budget = budget
        self._counted: tuple[Span, int] | None = None

    def pieces(self, first: int) -> Iterator[Piece]:
        """Pieces within the budget; the first one has at most ``first`` tokens."""
        if self._header and (not self._text or count_tokens(self._header) * 2 >= first):
            yield from self._long_header()
        room, bound, atoms = first, 0, list[Span]()
        for atom in self._atoms(first):
            size = self._token_count(*atom) + JOINT
            bound += size
            if atoms and bound > room:
                bound = self._token_count(atoms[0][0], atom[1])
            if atoms and bound > room:
                yield from self._pieces_within_limit(atoms[0][0], atoms[-1][1], room)
                room = self._budget
                atoms = self._repeated(atoms, atom)
                bound = self._token_count(atoms[0][0], atom[1]) if atoms else size
            atoms.append(atom)
        if atoms:
            yield from self._pieces_within_limit(atoms[0][0], atoms[-1][1], room)

    def _long_header(self) -> Iterator[Piece]:
        """Column headings that are too long to repeat; they become one separate piece."""
        at = self._paragraph.start
        for start, end in _by_characters(self._header, (0, len(self._header)), self._budget // 2):
            text = self._header[start:end].strip()
            if text:
                yield Piece(text, count_tokens(text), at, at, self._paragraph)
        self._header, self._counted = "", None

    def _atoms(self, first: int) -> Iterator[Span]:
        """The smallest units that stay together, in order, each within the budget; the first has at most ``first``
        tokens."""
        room = first
        for span in self._units():
            if self._token_count(*span) <= room:
                yield span
            else:
                yield from self._smaller(span, room)
            room = self._budget

    def _smaller(self, span: Span, room: int) -> Iterator[Span]:
        for sentence in _sentences(self._text, span):
            if self._token_count(*sentence) <= room:
                yield sentence
            else:
                yield from _by_characters(self._text, sentence, room - self._overlap, self._header)

    def _units(self) -> Iterable[Span]:
        if self._by_lines:
            return spans_between(_BREAK, self._text, 0, len(self._text))
        if self._paragraph.kind == "list":
            return spans_between(_BEFORE_ITEM, self._text, 0, len(self._text))
        return _sentences(self._text, (0, len(self._text)))

    def _token_count(self, start: int, end: int) -> int:
        """The number of tokens in a span; cached, because the same span is often counted twice in a row."""
        if self._counted is None or self._counted[0] != (start, end):
            self._counted = (start, end), count_tokens(self._header + self._text[start:end])
        return self._counted[1]

    def _pieces_within_limit(self, start: int, end: int, room: int) -> Iterator[Piece]:
        """The piece, or smaller ones if the joined text has more tokens than its parts."""
        spans = [(start, end)]
        if self._token_count(start, end) > room:
            spans = list(_by_characters(self._text, (start, end), room, self._header))
        base = self._paragraph.start
        for begin, stop in spans:
            text = self._header + self._text[begin:stop].rstrip().lstrip("\n")
            yield Piece(text, count_tokens(text), base + begin, base + stop, self._paragraph)

    def _repeated(self, atoms: list[Span], following: Span) -> list[Span]:
        """The end of the last piece that the next one repeats: whole sentences, otherwise the last words, otherwise
        nothing."""
        if not self._overlap:
            return []
        closed = atoms[-1][1]
        starts = _word_starts(self._text, max(atoms[0][0] + 1, closed - self._overlap * _LONGEST_TOKEN), closed)
        place = bisect_left(starts, True, key=lambda start: count_tokens(self._text[start:closed]) <= self._overlap)
        if place == len(starts):
            return []
        sentences = [atom for atom in atoms if atom[0] >= starts[place]]
        repeated = sentences or [(starts[place], closed)]
        fits = self._token_count(repeated[0][0], following[1]) <= self._budget
        return repeated if fits else []


def _sentences(text: str, span: Span) -> Iterator[Span]:
    base = span[0]
    for sentence in split_sentences(text[base : span[1]]):
        yield base + sentence.start, base + sentence.end


def _word_starts(text: str, start: int, end: int) -> list[int]:
    return [word.start() for word in _WORD.finditer(text, start, end) if text[word.start() - 1].isspace()]


def _by_characters(text: str, span: Span, room: int, header: str = "") -> Iterator[Span]:
    """Cuts of at most ``room`` tokens, after a space if one is near; never before a combining mark.

    A single character is not cut, however many tokens it has.
    """
    start, end = span
    while start < end:
        stop = min(start + max(room, 1) * _LONGEST_TOKEN, end)
        while stop - start > 1 and (tokens := count_tokens(header + text[start:stop])) > room:
            stop = start + max(1, min(stop - start - 1, (stop - start) * room // tokens))
        stop = _at_word(text, start, stop) if stop < end else end
        yield start, stop
        start = stop


def _at_word(text: str, start: int, stop: int) -> int:
    near = start + (stop - start) * 3 // 4
    space = next((place for place in range(stop, near, -1) if text[place - 1].isspace()), None)
    if space is not None:
        return space
    whole = stop
    while whole > start + 1 and unicodedata.combining(text[whole]):
        whole -= 1
    return whole
