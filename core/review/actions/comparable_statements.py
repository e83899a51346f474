"""Extracts the points of a document: takes a whole document; returns sentences and clauses to compare with another's.

Standard parts are left out: contents, signatures, place and date of release, forward-looking warnings and contact
details. A sentence that makes several points is used whole and also split into clauses.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Annotated

from pydantic import BeforeValidator

from core.events import Source
from core.language import stance
from core.language.entities.calendar_words import with_calendar
from core.language.entities.facts import facts
from core.language.entities.quantities import quantities
from core.language.vocabulary import Entry, Pattern, file_of, pattern_of, phrase_of
from core.review.actions.records import Statement, statements
from core.review.actions.subject import Subject, is_about
from core.review.actions.summary.sentences import is_damaged, is_sentence
from core.review.overlap import words

LONG, MOST = 400, 1_500
"""Number of sentences from which a document counts as long. Then only whole sentences with figures, dates or duties are
compared, and at most this many."""
_LEAST_WORDS = 2
_MANY_WORDS = 4
_LONG = 90
"""Length in characters from which a sentence without several figures is also split into clauses."""
_SHORTEST = 24
_LONGEST = 1_200
_PART = 0.92
"""A clause longer than this share of its sentence is not used separately."""
_SPOKEN = re.compile(phrase_of("graph/actions.comparable_statements.spoken"))
"""Quoted speech, which is skipped unless it states a figure."""
_LEADS_ON = re.compile(r"\b(?:which|that|who|is|are|of|by|the|following|include|includes|and|or)$", re.IGNORECASE)
_LEADERS = re.compile(r"(?:\.\s?){4,}|\u2026{2,}|_{4,}")
_ROW = re.compile(r"\||\t")
_LABEL = pattern_of("graph/actions.comparable_statements.label")
"""The text that links a clause to the ones before it: its number or a conjunction."""
_TAIL = re.compile(r"(?<![\s,;:–—-])[\s,;:–—-]++(?:(?:and|or)[\s,;:–—-]*+)?$", re.IGNORECASE)


class _Words(Entry):
    boilerplate: Annotated[Pattern, BeforeValidator("|".join)]
    openings: Annotated[Pattern, BeforeValidator(with_calendar)]
    clauses: Pattern
    passing: Pattern


_words = file_of("graph/comparing", _Words)


@dataclass(frozen=True)
class ComparableStatement:
    """A point to compare: a ``statement``'s whole sentence (``whole``) or one of its clauses; ``start`` and ``end`` are
    its position in the sentence."""

    statement: Statement
    text: str
    start: int
    end: int
    whole: bool

    @property
    def number(self) -> int:
        return self.statement.number

    @property
    def section(self) -> str:
        return self.statement.section

    def overlaps(self, other: ComparableStatement) -> bool:
        """Returns whether the two points contain some of the same words of one sentence."""
        return (
            self.number == other.number
            and self.statement.order == other.statement.order
            and self.start < other.end
            and other.start < self.end
        )

    def as_statement(self) -> Statement:
        """Returns the point as a statement to quote."""
        quote = self.statement.quote
        return replace(self.statement, quote=replace(quote, text=self.text))


def comparable_statements(source: Source, subjects: Sequence[Subject] = ()) -> list[ComparableStatement]:
    """Returns the points in reading order, each sentence before its clauses; with ``subjects``, only whole sentences
    about one of them."""
    statements_of = [each for each in statements(source) if not _is_form(each.text)]
    if subjects:
        return [
            ComparableStatement(each, each.text, 0, len(each.text), True)
            for each in statements_of
            if is_sentence(each.text) and is_about(each.text, subjects) and says_something(each.text)
        ][:MOST]
    if len(statements_of) > LONG:
        statements_of = [each for each in statements_of if is_sentence(each.text) and _is_weighty(each.text)][:MOST]
        return [
            ComparableStatement(each, each.text, 0, len(each.text), True)
            for each in statements_of
            if says_something(each.text)
        ]
    return [point for each in statements_of for point in _points(each) if says_something(point.text)]


def _is_weighty(text: str) -> bool:
    return bool(quantities(text) or facts(text).days or stance.has(text, "must"))


def _is_form(text: str) -> bool:
    """Returns whether the sentence is standard text: table or contents rows, boilerplate or praise."""
    if _SPOKEN.search(text) and not quantities(text):
        return True
    return bool(_ROW.search(text) or _LEADERS.search(text) or _words().boilerplate.search(text))


def says_something(text: str) -> bool:
    """Returns whether a sentence or clause makes a point on its own."""
    if len(text) > _LONGEST or len(words(text)) < (1 if facts(text).numbers else _LEAST_WORDS):
        return False
    return not (_is_debris(text) or is_damaged(text) or text.rstrip().endswith(":") or _words().openings.search(text))


def _is_debris(text: str) -> bool:
    """Returns whether the text is mostly figures with few words, such as a table that lost its line breaks."""
    return len(quantities(text)) >= 5 and len(words(text)) < 1.6 * len(quantities(text))


def _points(statement: Statement) -> Iterator[ComparableStatement]:
    text = statement.text
    parts = list(_clause_spans(text))
    yield ComparableStatement(statement, text, 0, len(text), True)
    for start, end in parts:
        if end - start < _PART * len(text):
            yield ComparableStatement(statement, text[start:end], start, end, False)


def _clause_spans(text: str) -> Iterator[tuple[int, int]]:
    """Returns the clauses of a sentence that make a point on their own, without asides."""
    if len(text) < _LONG and len(quantities(text)) < 3:
        return
    cuts = _clause_cuts(text, [0, *(match.end() for match in _words().clauses.finditer(text)), len(text)])
    for start, end in pairwise(cuts):
        clause = _TAIL.sub("", text[start:end])
        at = start + (joined.end() if (joined := _LABEL.match(clause)) else 0)
        stripped = text[at : start + len(clause)]
        if len(stripped) < _SHORTEST or len(words(stripped)) < _LEAST_WORDS or _LEADS_ON.search(stripped):
            continue
        if not _words().passing.match(stripped):
            yield at, at + len(stripped)


def _clause_cuts(text: str, cuts: Sequence[int]) -> list[int]:
    """Returns the positions at which to split a sentence, with enough text between them to make a point: a figure, or
    several words."""
    kept = [cuts[0]]
    for place, cut in enumerate(cuts[1:-1], 1):
        if _is_enough(text[kept[-1] : cut]) and _is_enough(text[cut : cuts[place + 1]]):
            kept.append(cut)
    return [*kept, cuts[-1]]


def _is_enough(text: str) -> bool:
    return len(text) >= _SHORTEST and (bool(quantities(text)) or len(words(text)) >= _MANY_WORDS)
