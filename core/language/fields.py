"""Loads the vocabulary of a field of knowledge (statements, figures, topics), and finds its terms in a text."""

from __future__ import annotations

import re
from functools import cache, cached_property, lru_cache
from typing import NamedTuple

from pydantic import BaseModel, Field, model_validator

from core.language.cache_sizes import WORDS
from core.language.normalisation import normalise
from core.language.phrases import WORD, PhraseMatcher
from core.language.vocabulary import Entry, file_of, vocabularies

_BRACED = re.compile(r"\{([^{}]+)\}")
_QUESTIONS = 512
"""Number of questions and phrases for which the requested figures are cached."""


class Statement(Entry):
    """A kind of table (such as the balance sheet) that answers most questions of the field: its names, and the row
    labels that identify it."""

    names: list[str]
    lines: list[str]


class Figure(BaseModel, extra="forbid", frozen=True, populate_by_name=True):
    """A figure: its common names, its printed row labels, the ``statement`` that mainly reports it, and the figures
    that it is calculated from (``from`` in the file).

    ``formula``: formulas with figures in braces, most likely definition first; ``unit`` is ``%``, ``x`` or ``days`` if
    it is not money, ``per share`` if the table's scale does not apply. ``cost``: an outflow or expense, stated as
    positive however it is printed. ``falling``: lower is better.
    """

    names: list[str]
    lines: list[str] = []
    statement: str | None = None
    made_of: list[str] = Field([], alias="from")
    formula: list[str] = []
    unit: str | None = None
    cost: bool = False
    falling: bool = False

    @cached_property
    def labels(self) -> list[str]:
        """``lines`` reduced to how the row labels begin: without "parent > ", " ... later words" and " < row below"."""
        return [line.split(" < ")[0].split(" > ")[-1].split(" ... ")[0] for line in self.lines]

    @property
    def is_stock(self) -> bool:
        """Whether it is a balance on a day and not a flow over a time."""
        return self.statement == "balance sheet" and not self.formula


class Vocabulary(BaseModel, extra="forbid", frozen=True):
    """The vocabulary of a field of knowledge; ``topics`` are groups of synonyms: a question with one of them is also
    searched with the others."""

    statements: dict[str, Statement] = {}
    figures: dict[str, Figure] = {}
    topics: list[list[str]] = []

    @model_validator(mode="after")
    def _refers_to_what_is_there(self) -> Vocabulary:
        for name, figure in self.figures.items():
            used = [name for formula in figure.formula for name in _BRACED.findall(formula)]
            unknown = [other for other in (*figure.made_of, *used) if other not in self.figures]
            if figure.statement and figure.statement not in self.statements:
                unknown.append(figure.statement)
            if unknown:
                raise ValueError(f"{name} refers to {', '.join(unknown)}, which the field does not have")
        return self


class SoughtFigures(BaseModel, frozen=True):
    """What a question asks for in a field's terms: ``figures`` by name, including those from which they are calculated;
    ``statements`` that the question names; and ``implied`` statements, which report its figures."""

    figures: dict[str, Figure] = {}
    statements: list[str] = []
    implied: list[str] = []


@cache
def fields() -> dict[str, Vocabulary]:
    """Loads every file of the folder ``fields``, by name."""
    return {name.removeprefix("fields/"): file_of(name, Vocabulary)() for name in vocabularies("fields")}


@cache
def statements() -> dict[str, Statement]:
    return {name: statement for field in fields().values() for name, statement in field.statements.items()}


@cache
def figures() -> dict[str, Figure]:
    return {name: figure for field in fields().values() for name, figure in field.figures.items()}


@cache
def figure_names() -> PhraseMatcher[str]:
    """Matches figure names; returns their keys."""
    return PhraseMatcher((name, key) for key, figure in figures().items() for name in figure.names)


@cache
def _statement_names() -> PhraseMatcher[str]:
    return PhraseMatcher((name, key) for key, statement in statements().items() for name in statement.names)


def statement_spans(text: str) -> list[tuple[int, int]]:
    """Returns the positions where ``text`` names statements."""
    plain = normalise(text).replace("-", " ")
    places = [match.span() for match in WORD.finditer(plain)]
    return [(places[each.start][0], places[each.end - 1][1]) for each in _statement_names().find(text)]


@lru_cache(maxsize=_QUESTIONS)
def sought_figures(focus: str, framing: str = "") -> SoughtFigures:
    """Returns what ``focus`` (the question itself) asks for; ``framing`` (how to answer) may name statements too."""
    named: dict[str, Figure] = {}
    for match in figure_names().find(focus):
        for key in match.entries:
            _add_figure(key, named)
    statements = [key for match in _statement_names().find(f"{focus} {framing}") for key in match.entries]
    implied = [figure.statement for figure in named.values() if figure.statement]
    return SoughtFigures(
        figures=named,
        statements=list(dict.fromkeys(statements)),
        implied=[*dict.fromkeys(implied)] if not statements else [],
    )


class NamedFigure(NamedTuple):
    """A figure by its ``name`` in the field, and the ``text`` that names it at ``start``."""

    name: str
    text: str
    start: int


@lru_cache(maxsize=WORDS)
def named_figures(text: str) -> tuple[NamedFigure, ...]:
    """Returns the figures that ``text`` names, in order and without duplicates, but not those from which they are
    calculated."""
    plain = normalise(text).replace("-", " ")
    places = [match.span() for match in WORD.finditer(plain)]
    aligned = len(plain) == len(text)
    found: dict[str, NamedFigure] = {}
    for match in figure_names().find(text):
        start, end = places[match.start][0], places[match.end - 1][1]
        name = re.sub(r"['’]s$", "", (text if aligned else plain)[start:end])
        found.setdefault(match.entries[0], NamedFigure(match.entries[0], name, start))
    return tuple(found.values())


@cache
def _topic_names() -> PhraseMatcher[str]:
    return PhraseMatcher((name, group[0]) for field in fields().values() for group in field.topics for name in group)


def topics_in(text: str) -> list[str]:
    """Returns the field's topics that ``text`` mentions; each is identified by the first word of its group of
    synonyms."""
    return list(dict.fromkeys(entry for match in _topic_names().find(text) for entry in match.entries))


def _add_figure(key: str, named: dict[str, Figure]) -> None:
    if key in named:
        return
    named[key] = figures()[key]
    for part in named[key].made_of:
        _add_figure(part, named)
