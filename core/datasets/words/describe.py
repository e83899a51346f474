"""Says in a sentence how a result was computed, in parts that a page can show as chips and change."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from core.datasets.query.model import AnyOf, Bucket, Comparison, Condition, DataQuery, Filter, Measure, Scalar
from core.datasets.records import Dataset
from core.messages import message
from core.words import Language

_PLAIN: dict[Comparison, str] = {
    "=": "is", "!=": "is_not", "<": "below", "<=": "at_most", ">": "above", ">=": "at_least", "in": "one_of",
    "not in": "none_of", "between": "between", "contains": "contains", "not contains": "not_contains",
    "starts with": "starts", "ends with": "ends", "is empty": "empty", "is not empty": "not_empty",
}  # fmt: skip
_MOST_COLUMNS = 6


@dataclass(frozen=True)
class Part:
    """A part of the sentence: its ``text``, and the ``path`` of the part of the query that it describes, such as
    ``where/0``; empty if it cannot be changed on its own."""

    text: str
    path: str = ""


def describe(query: DataQuery, datasets: Mapping[str, Dataset], language: Language) -> list[Part]:
    """Returns the parts of the sentence, in order: "Sum of Amount", "where Region is North", "by month of Date".

    ``datasets`` are those of the query, by id.
    """
    words = _Words(query, datasets, language)
    return [*words.measures(), *words.conditions(), *words.groups(), *words.ordering(), *words.rest()]


def sentence(parts: list[Part]) -> str:
    """Returns the parts as one sentence without a full stop."""
    return " ".join(part.text for part in parts)


@dataclass(frozen=True)
class _Words:
    query: DataQuery
    datasets: Mapping[str, Dataset]
    language: Language

    def _say(self, key: str, **values: object) -> str:
        return message(f"datasets.said.{key}", **values).to(self.language)

    def column(self, name: str | None) -> str:
        """The heading of a column that is named by heading or key."""
        for identifier in (self.query.dataset, *(join.dataset for join in self.query.joins)):
            dataset = self.datasets.get(identifier)
            found = dataset.column(name or "") if dataset else None
            if found:
                return found.name
        return (name or "").rpartition(".")[2] or (name or "")

    def measures(self) -> list[Part]:
        query = self.query
        if not query.measures and not query.group:
            columns = ", ".join(self.column(name) for name in query.columns[:_MOST_COLUMNS])
            return [Part(columns or self._say("all_columns"))]
        parts = [Part(self._measure(measure), f"measures/{number}") for number, measure in enumerate(query.measures)]
        joined = [
            Part(part.text + ("," if number < len(parts) - 1 else ""), part.path) for number, part in enumerate(parts)
        ]
        made = [(each.name, each.expression) for each in query.calculations]
        made += [(each.name, each.expression) for each in query.derive]
        expressions = [Part(f"({self._say('calculated', name=name, expression=_plain(text))})") for name, text in made]
        ranks = [Part(f"({self._say('rank', column=each.measure)})") for each in query.changes if each.change == "rank"]
        return [*joined, *expressions, *ranks]

    def _measure(self, measure: Measure) -> str:
        key = "share_of_rows" if measure.function == "share" and measure.column is None else measure.function
        text = self._say(
            key, column=self.column(measure.column), other=self.column(measure.other), percent=measure.percent
        )
        if not measure.where:
            return text
        return self._say("within", measure=text, conditions=", ".join(self.condition(each) for each in measure.where))

    def conditions(self) -> list[Part]:
        parts: list[Part] = []
        for number, each in enumerate(self.query.where):
            text = self._say("and" if parts else "where", condition=self.condition(each))
            parts.append(Part(text, f"where/{number}"))
        return parts

    def condition(self, condition: Filter) -> str:
        """A condition in words: "Region is North"."""
        if isinstance(condition, AnyOf):
            return self._say("or").join(self.condition(each) for each in condition.any_of)
        return self._say(_PLAIN[condition.op], column=self.column(condition.column), value=self._value(condition))

    def _value(self, condition: Condition) -> str:
        if condition.other is not None:
            return self.column(condition.other)
        value = condition.value
        if isinstance(value, list):
            shown = [self._scalar(each) for each in value]
            if condition.op == "between":
                return self._say("range", first=shown[0], last=shown[1])
            return self._say("or").join(shown)
        return "" if value is None else self._scalar(value)

    def _scalar(self, value: Scalar) -> str:
        if isinstance(value, bool):
            return message("datasets.is_true" if value else "datasets.is_false").to(self.language)
        return f"{value:,g}" if isinstance(value, int | float) and abs(value) < 1 else str(value).removesuffix(".0")

    def groups(self) -> list[Part]:
        return [
            Part(self._group(group.column, group.bucket), f"group/{number}")
            for number, group in enumerate(self.query.group)
        ]

    def _group(self, column: str, bucket: Bucket | None) -> str:
        if bucket is None:
            return self._say("by", column=self.column(column))
        return self._say("by_part", part=self._say(bucket), column=self.column(column))

    def ordering(self) -> list[Part]:
        query = self.query
        names = {
            measure.name: self.column(measure.column) for measure in query.measures if measure.name and measure.column
        }
        parts = [
            Part(
                self._say(
                    "highest" if each.descending else "lowest", column=names.get(each.by) or self.column(each.by)
                ),
                f"order/{number}",
            )
            for number, each in enumerate(query.order)
        ]
        if query.offset:
            parts.append(Part(self._say("after", count=query.offset)))
        if query.limit:
            text = self._say("top") if query.extreme and query.limit == 1 else self._say("limit", count=query.limit)
            parts.append(Part(text, "limit"))
        return parts

    def rest(self) -> list[Part]:
        parts = []
        for keep, key in (("missing", "missing_in"), ("other", "joined")):
            joins = [join for join in self.query.joins if (join.keep == "missing") == (keep == "missing")]
            names = [
                self.datasets[join.dataset].name if join.dataset in self.datasets else join.dataset for join in joins
            ]
            if names:
                parts.append(Part(self._say(key, names=", ".join(names))))
        if self.query.repeated == "once":
            parts.append(Part(self._say("once")))
        return parts


def _plain(expression: str) -> str:
    return expression.replace("[", "").replace("]", "").replace("*", "×").replace("/", "÷")
