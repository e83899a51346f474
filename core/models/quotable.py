"""Finds the parts of a passage that can be quoted as an answer."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from core.language.cache_sizes import TEXTS
from core.language.foreign_terms import word_count
from core.language.normalisation import fold
from core.language.sentences import Sentence, split_sentences

_BULLET = re.compile(r"(?:[-*+\u2022\u25cf\u25cb\u25aa\u25e6\u2023\u00b7]|\d{1,3}[.)]|>)\s+")
_NUMBERING = re.compile(r"^#*\s*(?:\d+(?:\.\d+)*[.)]?\s+)?")
_CELL = re.compile(r"(?:(?<!\s)\s++)?+\|\s*|\t")
_RULE = re.compile(r"[\s|:=_-]*")
_SIGNS = "($€£¥₪+-−–—\u200e\u200f "
"""Characters that may precede the digits of a table cell: a bracket for a loss, a currency, a sign."""
_ENDS = re.compile(r"[.!:;\u2026\u3002\uff01\uff1a\u06d4\u0964][\"'\u201d\u2019\u05f4\u00bb\u300d\u300f\uff09)\]*_]*$")
_STATES = re.compile(r":\**\s+\S")
_FIELD = re.compile(r":\**\s+[^\w\s]?\w")

_ASKS = ("?", "\uff1f", "\u061f")
SHORTEST_WORDS = 3
HEADING_WORDS = 9
"""A line without a full stop is a heading if it has at most this many words, else a fragment."""


@dataclass(frozen=True)
class Quotable:
    """A quotable sentence: ``text`` is ``passage[start:end]``; ``columns`` is the header row of a table row."""

    text: str
    start: int
    end: int
    columns: Sentence | None = None
    fragment: bool = False


@lru_cache(maxsize=TEXTS)
def quotables(passage: str, headings: tuple[str, ...] = ()) -> tuple[Quotable, ...]:
    """The quotable sentences of ``passage`` in order.

    Excluded are headings (``headings`` are known ones), horizontal rules, questions, header rows of tables, and
    fragments of fewer than three words, except a field with its value. A list item's bullet is not part of its
    sentence.
    """
    return tuple(_quotables(passage, {_heading_text(heading) for heading in headings}))


def _quotables(passage: str, known: set[str]) -> Iterator[Quotable]:
    columns: Sentence | None = None
    in_table = False
    for sentence in split_sentences(passage):
        is_row = _is_row(sentence.text)
        if is_row and not in_table and _names_columns(sentence.text):
            columns = sentence
        elif not is_row:
            columns = None
        in_table = is_row
        if sentence is columns or _RULE.fullmatch(sentence.text):
            continue
        if is_row:
            yield Quotable(sentence.text, sentence.start, sentence.end, columns)
        elif not _is_heading(sentence.text, known):
            yield _unmarked(sentence)


def _unmarked(sentence: Sentence) -> Quotable:
    mark = _BULLET.match(sentence.text)
    skip = mark.end() if mark else 0
    fragment = not _ENDS.search(sentence.text) and not _STATES.search(sentence.text)
    return Quotable(sentence.text[skip:], sentence.start + skip, sentence.end, fragment=fragment)


def _is_row(line: str) -> bool:
    return "\n" not in line and (" | " in line or line.startswith("|") or "\t" in line)


def _names_columns(row: str) -> bool:
    cells = [cell for cell in _CELL.split(row) if cell]
    return len(cells) > 1 and not any(cell.lstrip(_SIGNS)[:1].isdigit() for cell in cells)


def _is_heading(text: str, known: set[str]) -> bool:
    if text.startswith("#") or text.endswith(_ASKS) or _heading_text(text) in known:
        return True
    words = word_count(_BULLET.sub("", text, count=1))
    if words < SHORTEST_WORDS and not _FIELD.search(text):
        return True
    marked = bool(_BULLET.match(text)) and not text[0].isdigit()
    return words <= HEADING_WORDS and not marked and not _ENDS.search(text) and not _STATES.search(text)


def _heading_text(heading: str) -> str:
    return fold(_NUMBERING.sub("", heading)).strip(" *_:")
