"""Defines what became of a question in words: a query, several readings, something that is not there, or nothing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from core.datasets.query.model import DataQuery

Form = Literal["value", "direction"]
"""What the answer says first: its *value* or table, or the *direction* of a change or correlation (up, down, positive,
negative)."""


@dataclass(frozen=True)
class Evidence:
    """What a question writes out of the dataset that it is read for: the number of its ``columns``, of its ``values``,
    and of the words of its sheet's name if all of them are written. ``touches``: it writes a word of its name or
    titles. ``follows``: it changes the query before it."""

    columns: int = 0
    values: int = 0
    names: int = 0
    touches: bool = False
    follows: bool = False

    @property
    def total(self) -> int:
        return self.columns + self.values + self.names

    @property
    def is_clear(self) -> bool:
        """Whether the question is surely about the dataset: headings occur in any text, so they are not enough."""
        return self.follows or (self.total > 1 and self.values + self.names > 0)


@dataclass(frozen=True)
class Understood:
    """A query that answers the question. ``is_sure`` is set if it accounts for every word that carries meaning;
    otherwise ``left`` are those that it leaves out. ``assumed`` are the columns that were chosen by rule.
    ``answer`` is the column of the result that answers, if it is not the first column of a list or the last measure.
    """

    query: DataQuery
    is_sure: bool
    form: Form = "value"
    left: tuple[str, ...] = ()
    assumed: tuple[str, ...] = ()
    answer: str = ""
    evidence: Evidence = Evidence()


@dataclass(frozen=True)
class Option:
    """A possible reading: its name (of a column or a measure), and its query."""

    name: str
    query: DataQuery


@dataclass(frozen=True)
class Ambiguity:
    """The question has several readings. ``word`` are the words with several meanings. ``is_sure`` is set if each
    reading accounts for every other word that carries meaning."""

    word: str
    options: tuple[Option, ...]
    is_sure: bool = True
    evidence: Evidence = Evidence()


@dataclass(frozen=True)
class Absent:
    """Something that the question names is not in the data: a *column*, a *value* of ``column``, a *period*, amounts in
    the currencies of a *rate*, or any *currency* of the amounts.
    ``available`` are the columns or values that are there, the most frequent first; of a period, the first and last
    day."""

    kind: Literal["column", "value", "period", "rate", "currency"]
    word: str
    dataset: str
    column: str = ""
    available: tuple[str, ...] = ()
    evidence: Evidence = Evidence()


Understanding = Understood | Ambiguity | Absent | None
"""``None``: the question is not about these datasets."""
