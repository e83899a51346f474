"""Suggests questions about table rows that have not been asked about, from tables and past messages."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from functools import cache

from core.language.detection import detect
from core.language.entities.calendar_words import MONTHS
from core.language.fields import fields, named_figures
from core.language.normalisation import fold
from core.library.records import Document
from core.library.tables.records import Row, Table
from core.question.chips import period_name
from core.question.known_entities import KnownDocument
from core.review.actions.question_templates import GENERAL, change, value
from core.review.overlap import words
from core.review.polarity import base, matches_any
from core.words import Language

MOST_WORDS = 5
"""Maximum number of words in a row label used in a question."""
_YEAR = 4
"""Length of a period key that is a year ("2022")."""
CELL = " | "
"""Separator between two cells of a row in a passage's text."""
_LONGEST = 200
"""Maximum characters of a label; longer ones are not used in questions."""
_EDGES = re.compile(r"^[\W_]+|[\s\W_]*(?:\(\w{1,3}\)|\d{1,2})?[\W_]*$")


@dataclass(frozen=True)
class CitedTables:
    """A cited document's tables, quoted ones first; ``organisation`` and ``period`` are in everyday wording."""

    organisation: str = ""
    kind: str = "other"
    period: str = ""
    tables: tuple[Table, ...] = ()

    @classmethod
    def of(cls, document: Document, tables: Iterable[Table]) -> CitedTables:
        metadata = document.metadata
        names = tuple(name for each in metadata.organisations[:1] for name in (each.name, *each.aliases))
        known = KnownDocument(document.id, document.filename, metadata.title, names)
        period = period_name(metadata.periods[0].key, metadata.kind) if metadata.periods else ""
        return cls(known.organisation, metadata.kind, period, tuple(tables))


@dataclass(frozen=True)
class PastQuestions:
    """Earlier questions and answers: word stems, and the figures that they name."""

    stems: frozenset[str]
    figures: frozenset[str]

    @classmethod
    def of(cls, texts: Collection[str]) -> PastQuestions:
        stems = frozenset(base(word) for text in texts for word in words(text))
        named = {each.name for text in texts for each in named_figures(text)}
        labels = (label_of(line.lstrip("> -").split(CELL)[0]) for text in texts for line in text.splitlines())
        return cls(
            stems,
            frozenset(named | {_figure_names()[label] for label in map(fold, labels) if label in _figure_names()}),
        )


def row_questions(held: CitedTables, asked: PastQuestions, language: Language, *, known: bool = False) -> Iterator[str]:
    """Returns questions about changes and values of figures that a field's vocabulary contains; then, unless ``known``
    limits them to those, about how other rows changed."""
    rows: dict[str, _Askable] = {}
    for each in _askable_rows(held, asked, language):
        if each.known or not known:
            rows.setdefault(each.name, each)
    ordered = sorted(rows.values(), key=lambda each: not each.known)
    for place, row in enumerate(ordered):
        after, *before = [period_name(key, held.kind) for key in row.periods]
        if before and (place % 2 == 0 or not row.known):
            yield change(row.name, held.organisation, before[0], after, language)
        elif row.known:
            yield value(row.name, held.organisation, after, language, is_day=row.periods[0].count("-") == 2)


@dataclass(frozen=True)
class _Askable:
    """A table row to ask about; ``periods`` are the keys of its periods, latest first; ``known`` is true if a field's
    vocabulary contains the row's figure."""

    name: str
    known: bool
    periods: tuple[str, ...]


def _askable_rows(held: CitedTables, asked: PastQuestions, language: Language) -> Iterator[_Askable]:
    for table in held.tables:
        for row in table.rows:
            periods = _row_periods(table, row)
            label = label_of(row.label)
            if not periods or not label:
                continue
            figure = _figure_names().get(fold(label))
            if figure and figure not in asked.figures:
                yield _Askable(_common_name(figure, language), True, periods)
            elif not figure and is_subject(label, asked):
                yield _Askable(_lowered(label, held.organisation), False, periods)


def label_of(text: str) -> str:
    """Returns the label without footnote marks and surrounding signs."""
    return _EDGES.sub("", " ".join(text.split())[:_LONGEST])


def _row_periods(table: Table, row: Row) -> tuple[str, ...]:
    """Returns the row's years, newest first, or else only its newest other period: questions compare periods of one
    type."""
    cells = zip(table.columns, row.cells, strict=False)
    keys = {column.period for column, cell in cells if column.period and cell.value is not None}
    years = sorted((key for key in keys if len(key) == _YEAR), reverse=True)
    return tuple(years or sorted(keys, reverse=True)[:1])


def is_subject(label: str, asked: PastQuestions) -> bool:
    """Returns whether the label is short, only words, about a subject, and not already mentioned."""
    own = [base(word) for word in words(label)]
    plain = len(label.split()) <= MOST_WORDS and not any(map(str.isdigit, label)) and not re.search(r"[:;,()|/]", label)
    if not own or not plain or all(word in GENERAL or word in MONTHS for word in words(label)):
        return False
    return sum(matches_any(word, asked.stems) for word in own) * 2 < len(own)


@cache
def _figure_names() -> dict[str, str]:
    """Maps row labels to figure names; leaves out labels that several figures share."""
    found: dict[str, list[str]] = {}
    for field in fields().values():
        for name, figure in field.figures.items():
            for line in figure.lines if not figure.made_of else ():
                found.setdefault(fold(line), []).append(name)
    return {line: names[0] for line, names in found.items() if len(names) == 1}


@cache
def _common_name(figure: str, language: Language) -> str:
    """Returns a figure's common name, in the user's language if it has one."""
    names = next(field.figures[figure].names for field in fields().values() if figure in field.figures)
    own = [name for name in names if detect(name) == language] or names
    # Some of its names give only half of it: "investing activities".
    return max(own, key=lambda name: len(set(fold(name).split()) & set(fold(figure).split())))


def _lowered(label: str, organisation: str) -> str:
    """Returns the label for use inside a sentence; proper names keep their capitals."""
    first, _, rest = label.partition(" ")
    is_name = not first[1:].islower() or fold(first) in fold(organisation).split() or (rest and rest[:1].isupper())
    return label if is_name else label[:1].lower() + label[1:]
