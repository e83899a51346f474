"""Says in one sentence how a result was computed, in parts that a user can change."""

from __future__ import annotations

from collections.abc import Sequence

from core.datasets.query.model import AnyOf, Condition, DataQuery, Filter, Measure
from core.datasets.records import Column, Dataset
from core.messages import message
from core.records.data_answer import HowPart
from core.words import Language


class _Sentence:
    """Collects the parts of a sentence."""

    def __init__(self, language: Language) -> None:
        self._language = language
        self.parts: list[HowPart] = []

    def add(self, text: str, path: str = "") -> None:
        if text:
            self.parts.append(HowPart(text=text, path=path))

    def word(self, key: str, **values: object) -> str:
        return message(f"datasets.how.{key}", **values).to(self._language)

    def joint(self, key: str) -> None:
        """Adds words between two parts, with spaces around them."""
        self.add(f" {self.word(key)} ")


def described(query: DataQuery, datasets: Sequence[Dataset], language: Language) -> list[HowPart]:
    """Returns the sentence in parts: *Sum of Amount* · where · *Region is North* · by · *month of Order date*. The
    ``path`` of a part says which part of the query it is.

    >>> made = described(DataQuery(dataset="d", measures=[{"function": "count"}]), [], "en")
    >>> [(part.text, part.path) for part in made]
    [('Number of rows', 'measures/0')]
    """
    sentence = _Sentence(language)
    columns = {column.name.casefold(): column for dataset in datasets for column in dataset.columns}
    columns |= {column.key: column for dataset in datasets[:1] for column in dataset.columns}
    _add_subject(sentence, query, columns)
    for join in query.joins:
        right = next((each.name for each in datasets if join.dataset in (each.id, each.name)), join.dataset)
        sentence.add(" " + sentence.word(f"join_{join.keep}", dataset=right, column=_heading(join.right, columns)))
    for number, each in enumerate(query.where):
        sentence.joint("where" if number == 0 else "and")
        sentence.add(_filter(sentence, each, columns), f"where/{number}")
    for number, group in enumerate(query.group):
        sentence.joint("by" if number == 0 else "and")
        name = _heading(group.column, columns)
        bucket = sentence.word(f"bucket.{group.bucket}") if group.bucket else ""
        sentence.add(sentence.word("part_of", bucket=bucket, column=name) if bucket else name, f"group/{number}")
    for number, each in enumerate(query.having):
        sentence.joint("kept" if number == 0 else "and")
        sentence.add(_filter(sentence, each, columns), f"having/{number}")
    if query.order and (query.limit or query.extreme):
        _add_order(sentence, query, columns)
    if query.repeated == "once":
        sentence.add(", " + sentence.word("once"))
    return sentence.parts


def _add_subject(sentence: _Sentence, query: DataQuery, columns: dict[str, Column]) -> None:
    used = {name for each in query.calculations for name in _names(each.expression)}
    if query.calculations:
        for number, each in enumerate(query.calculations):
            sentence.add(", " if number else "")
            sentence.add(each.expression.replace("[", "").replace("]", ""))
    shown = [(n, each) for n, each in enumerate(query.measures) if (each.name or "").casefold() not in used]
    for place, (number, measure) in enumerate(shown):
        sentence.add(", " if place or query.calculations else "")
        sentence.add(_measure(sentence, measure, columns), f"measures/{number}")
    for change in query.changes:
        sentence.add(", " + sentence.word(f"change.{change.change}"))
    if not query.measures:
        names = [_heading(name, columns) for name in query.columns]
        sentence.add(", ".join(names) if names else sentence.word("rows"))
    for derived in query.derive:
        sentence.add(f" ({derived.name} = {derived.expression.replace('[', '').replace(']', '')})")


def _measure(sentence: _Sentence, measure: Measure, columns: dict[str, Column]) -> str:
    if measure.column is None:
        said = sentence.word("count_rows" if measure.function == "count" else "share_rows")
    else:
        name = _heading(measure.column, columns)
        other = _heading(measure.other, columns) if measure.other else ""
        said = sentence.word(f"function.{measure.function}", column=name, other=other, percent=f"{measure.percent:g}")
    if not measure.where:
        return said
    filters = f" {sentence.word('and')} ".join(_filter(sentence, each, columns) for each in measure.where)
    return f"{said} {sentence.word('where')} {filters}"


def _filter(sentence: _Sentence, each: Filter, columns: dict[str, Column]) -> str:
    if isinstance(each, AnyOf):
        return f" {sentence.word('or')} ".join(_filter(sentence, one, columns) for one in each.any_of)
    name = _heading(each.column, columns)
    if each.bucket:
        name = sentence.word("part_of", bucket=sentence.word(f"bucket.{each.bucket}"), column=name)
    return f"{name} {message(f'labels.data_ops.{each.op}').to(sentence._language)} {_value(each, columns)}".strip()


def _value(each: Condition, columns: dict[str, Column]) -> str:
    if each.other is not None:
        return _heading(each.other, columns)
    values = each.value if isinstance(each.value, list) else [] if each.value is None else [each.value]
    column = columns.get(each.column.casefold())
    percent = column is not None and column.type == "percent"
    shown = [f"{100 * v:g} %" if percent and isinstance(v, int | float) else str(v) for v in values]
    return (" – " if each.op == "between" else ", ").join(shown)


def _add_order(sentence: _Sentence, query: DataQuery, columns: dict[str, Column]) -> None:
    first = query.order[0]
    key = "largest" if first.descending else "smallest"
    count = query.limit or 1
    name = _heading(first.by, columns)
    sentence.add(", ")
    sentence.add(sentence.word(key, count=count, column=name), "order/0")


def _heading(name: str, columns: dict[str, Column]) -> str:
    column = columns.get(name.casefold())
    return column.name if column else name.rpartition(".")[2] if "." in name else name


def _names(expression: str) -> list[str]:
    return [part.partition("]")[0].casefold() for part in expression.split("[")[1:]]
