"""Splits a text that is audited against a policy into clauses."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise

from core.language.vocabulary import pattern_of
from core.models.quotable import quotables

_MANNERS = pattern_of("graph/actions.clauses.manners")
_ADDRESS = re.compile(r"[^,]{0,40},\s*")
"""The addressee of a greeting; the rest of the sentence may be a clause."""
_PIECE = re.compile(r"[^;]+")
_ITEM = re.compile(r"(?:^|(?<=[.:;!?])\s|\n)\s{0,200}+\(?(?P<number>\d{1,2})\)\s")
_LEAST_WORDS = 3
_GREETING_WORDS = 7


@dataclass(frozen=True)
class Clause:
    """A clause; ``text`` is the slice ``start:end`` of the audited text."""

    text: str
    start: int
    end: int


def split_clauses(text: str) -> list[Clause]:
    """Splits by sentences, list items and semicolons; skips greetings, headers, headings and questions. The only line
    of a text is a clause even without a full stop.

    >>> [clause.text for clause in split_clauses("Revenue in 2023 was $46.3 billion")]
    ['Revenue in 2023 was $46.3 billion']
    """
    found = [
        replace(each, start=each.start + begin, end=each.end + begin)
        for begin, end in pairwise([0, *_item_starts(text), len(text)])
        for each in _clauses_of(text[begin:end])
    ]
    if found or "\n" in text.strip() or not text.rstrip()[-1:].isalnum():
        return found
    return [Clause(each.text.removesuffix("."), each.start, each.end - 1) for each in _clauses_of(f"{text.rstrip()}.")]


def _item_starts(text: str) -> list[int]:
    """Returns where the items of an inline list start: "1) … p.m. 2) …"."""
    found = list(_ITEM.finditer(text))
    in_order = [match for place, match in enumerate(found, 1) if int(match["number"]) == place]
    return [match.start() for match in in_order if match.start()] if len(in_order) > 1 else []


def _clauses_of(text: str) -> Iterator[Clause]:
    for quote in quotables(text):
        for piece in _PIECE.finditer(quote.text):
            piece_text = piece.group().strip()
            start = quote.start + piece.start() + len(piece.group()) - len(piece.group().lstrip())
            address = _ADDRESS.match(piece_text) if _MANNERS.match(piece_text) else None
            if address and len(piece_text[address.end() :].split()) >= _LEAST_WORDS:
                piece_text, start = piece_text[address.end() :], start + address.end()
            words = piece_text.split()
            if len(words) < _LEAST_WORDS or (_MANNERS.match(piece_text) and len(words) <= _GREETING_WORDS):
                continue
            yield Clause(piece_text, start, start + len(piece_text))
