"""Defines a query composed from a question, with what its answer says first."""

from __future__ import annotations

from dataclasses import dataclass

from core.datasets.query.model import DataQuery
from core.datasets.words.tagging import Tagged
from core.datasets.words.understanding import Form, Option


@dataclass
class Composed:
    """A query with what the answer says first; or several readings."""

    query: DataQuery
    form: Form = "value"
    options: tuple[Option, ...] = ()
    word: str = ""
    is_guess: bool = False
    answer: str = ""

    def misses(self, tags: Tagged) -> bool:
        """Returns whether the query leaves out an operation that the question names."""
        query = self.query
        asked = tags.has("growth", "direction", "missing", "median", "mean", "share", "no_row")
        plain = not query.calculations and not any(join.keep == "missing" for join in query.joins)
        simple = all(measure.function in ("count", "sum", "distinct") for measure in query.measures)
        return asked and plain and simple and self.form != "direction" and not query.order
