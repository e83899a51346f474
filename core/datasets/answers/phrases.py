"""Puts the parts of a query into words: a measure, a group, a condition, the order."""

from __future__ import annotations

import datetime
import re
from collections.abc import Mapping, Sequence

from babel.dates import format_date

from core.datasets.answers.values import shown
from core.datasets.query.buckets import COUNTED, counted
from core.datasets.query.model import (
    AnyOf,
    Changing,
    Comparison,
    Condition,
    Conversion,
    DataQuery,
    Filter,
    Group,
    Join,
    Measure,
    Scalar,
)
from core.datasets.query.result import ResultColumn
from core.datasets.records import Dataset
from core.messages import message
from core.words import Language

OPERATION_NAMES: dict[Comparison, str] = {
    "=": "is", "!=": "is_not", "<": "below", "<=": "at_most", ">": "above", ">=": "at_least", "in": "one_of",
    "not in": "none_of", "between": "between", "contains": "contains", "not contains": "not_contains",
    "starts with": "starts_with", "ends with": "ends_with", "is empty": "empty", "is not empty": "not_empty",
}  # fmt: skip
"""The names of comparisons in the catalogue of messages."""
_MONTH = "%Y-%m"


class Phrases:
    """The words for parts of a query over ``datasets``."""

    def __init__(self, datasets: Sequence[Dataset], language: Language) -> None:
        self.language = language
        self._columns = {column.name.casefold(): column for dataset in datasets for column in dataset.columns}
        self._columns |= {column.key: column for dataset in datasets[:1] for column in dataset.columns}

    def word(self, key: str, **values: object) -> str:
        return message(f"datasets.how.{key}", **values).to(self.language)

    def change(self, change: Changing) -> str:
        """Returns *growth in percent*."""
        return message(f"datasets.how.change.{change.change}").to(self.language)

    def rates(self, convert: Conversion) -> str:
        """Returns *in USD at 1 EUR = 1.1 USD*."""
        said = ", ".join(f"1 {rate.one} = {rate.equals:g} {rate.of}" for rate in convert.rates)
        return self.word("converted", to=convert.to, rates=said)

    def heading(self, name: str) -> str:
        """Returns the heading of a column that is named by its heading, its key, or with its dataset."""
        column = self._columns.get(name.casefold())
        return column.name if column else name.rpartition(".")[2] if "." in name else name

    def measure(self, measure: Measure) -> str:
        """Returns *Sum of Amount where Region is North*."""
        if measure.column is None:
            said = self.word("count_rows" if measure.function == "count" else "share_rows")
        else:
            other = self.heading(measure.other) if measure.other else ""
            said = message(
                f"datasets.how.function.{measure.function}",
                column=self.heading(measure.column), other=other, percent=f"{measure.percent:g}",
            ).to(self.language)  # fmt: skip
        if not measure.where:
            return said
        conditions = f" {self.word('and')} ".join(map(self.condition, measure.where))
        return f"{said} {self.word('where')} {conditions}"

    def short_measure(self, measure: Measure) -> str:
        """Returns *Amount* for a sum and *Average of Amount* for an average, with short conditions."""
        is_sum = measure.function == "sum" and measure.column
        said = self.heading(measure.column or "") if is_sum else self.measure(measure.model_copy(update={"where": []}))
        return ", ".join([said, *map(self.short_condition, measure.where)])

    def group(self, group: Group) -> str:
        """Returns *Region* or *month of Order date*."""
        return self._part_of(group.column, group.bucket)

    def condition(self, each: Filter) -> str:
        """Returns *Region is North*."""
        if isinstance(each, AnyOf):
            return f" {self.word('or')} ".join(map(self.condition, each.any_of))
        operation = message(f"labels.data_op_{OPERATION_NAMES[each.op]}").to(self.language)
        return f"{self._part_of(each.column, each.bucket)} {operation} {self._value(each)}".strip()

    def having(self, each: Filter, measures: Sequence[Measure]) -> str:
        """Returns *Number of rows more than 100* for a condition on a measure of the query."""
        said = {measure.name.casefold(): self.short_measure(measure) for measure in measures if measure.name}
        if isinstance(each, AnyOf) or each.column.casefold() not in said:
            return self.condition(each)
        operation = message(f"labels.data_op_{OPERATION_NAMES[each.op]}").to(self.language)
        return f"{said[each.column.casefold()]} {operation} {self._value(each)}".strip()

    def short_condition(self, each: Filter) -> str:
        """Returns only the value if it names its column: *North*, *March 2024*; otherwise as ``condition``."""
        if isinstance(each, AnyOf):
            return f" {self.word('or')} ".join(map(self.short_condition, each.any_of))
        column = self._columns.get(each.column.casefold())
        tells = each.bucket in ("year", "half", "quarter", "month", "day", "weekday", "month_of_year") or (
            column is not None and not column.is_numeric and column.type != "boolean"
        )
        return self._value(each) if tells and each.op in ("=", "in", "between") else self.condition(each)

    def order(self, query: DataQuery, *, short: bool = False) -> str:
        """Returns *the 3 largest by Amount*; if ``short``, *the 3 largest*."""
        first = query.order[0]
        if query.offset and query.limit == 1:
            return self.word("from_top" if first.descending else "from_bottom", place=query.offset + 1)
        kind = "largest" if first.descending else "smallest"
        if short:
            return self.word(f"{kind}_short", count=query.limit or 1)
        measures = [each for each in query.measures if first.by.casefold() in self._names(each)]
        name = self.short_measure(measures[0]) if measures else self.heading(first.by)
        return self.word(kind, count=query.limit or 1, column=name)

    def join(self, join: Join, datasets: Sequence[Dataset]) -> str:
        """Returns *with Products of the same SKU*."""
        right = next((each.name for each in datasets if join.dataset in (each.id, each.name)), join.dataset)
        return self.word(f"join_{join.keep}", dataset=right, column=self.heading(join.right))

    def _names(self, measure: Measure) -> tuple[str, ...]:
        named = f"{measure.function} of {self.heading(measure.column)}" if measure.column else measure.function
        return (measure.name or named).casefold(), named.casefold()

    def _part_of(self, column: str, bucket: str | None) -> str:
        name = self.heading(column)
        part = message(f"datasets.how.bucket.{bucket}").to(self.language) if bucket else name
        return name if part.casefold() == name.casefold() else self.word("part_of", bucket=part, column=name)

    def _value(self, each: Condition) -> str:
        if each.other is not None:
            return self.heading(each.other)
        values = each.value if isinstance(each.value, list) else [] if each.value is None else [each.value]
        said = {text.casefold(): text for text in (self._one_value(each, value) for value in reversed(values))}
        return (" – " if each.op == "between" else ", ").join(reversed(said.values()))

    def _one_value(self, each: Condition, value: Scalar) -> str:
        column = self._columns.get(each.column.casefold())
        if column is not None and column.type == "percent" and isinstance(value, int | float):
            return f"{100 * value:g} %"
        if isinstance(value, bool):
            return message("datasets.is_true" if value else "datasets.is_false").to(self.language)
        if each.bucket == "month" and each.op in ("=", "in", "between"):
            return _month(str(value), self.language)
        if each.bucket in COUNTED:
            part = ResultColumn(each.column, "number", "group", bucket=each.bucket)
            return shown(counted(each.bucket, str(value)), part, self.language)
        return f"{value:g}" if isinstance(value, float) else str(value)


def written(expression: str, names: Mapping[str, str] | None = None) -> str:
    """Returns an expression as a reader writes it; ``names`` are words for the names in it.

    >>> written("([2024] - [2023]) / [2023]")
    '(2024 − 2023) / 2023'
    """
    known = {name.casefold(): words for name, words in (names or {}).items()}
    text = expression.replace(" - ", " − ").replace(" * ", " × ")
    return re.sub(r"\[([^\[\]]*)\]", lambda match: known.get(match[1].casefold(), match[1]), text)


def _month(value: str, language: Language) -> str:
    try:
        day = datetime.datetime.strptime(value, _MONTH).date()
    except ValueError:
        return value
    return str(format_date(day, "MMMM yyyy", locale=language))
