"""Names a result in a few words, for its first line and its chart, and gives its columns headings."""

from __future__ import annotations

from collections.abc import Sequence

from core.datasets.answers.phrases import Phrases, written
from core.datasets.query.model import Condition, DataQuery, Filter
from core.datasets.query.result import QueryResult
from core.datasets.records import Dataset
from core.messages import message_group
from core.words import Language


def headline(query: DataQuery, datasets: Sequence[Dataset], language: Language) -> str:
    """Returns *Net amount by quarter of Order date, 2024*: the measures or columns, the groups, then the conditions in
    short.

    >>> headline(DataQuery(dataset="d", measures=[{"function": "sum", "column": "amount"}]), [], "en")
    'Amount'
    """
    phrases = Phrases(datasets, language)
    said = _subject(phrases, query)
    if query.group:
        groups = f" {phrases.word('and')} ".join(map(phrases.group, query.group))
        said = f"{said} {phrases.word('by')} {groups}"
    rest = [phrases.join(join, datasets) for join in query.joins if join.keep == "missing"]
    rest += [phrases.short_condition(each) for each in query.where if not _is_implied(each, query)]
    rest += [phrases.having(each, query.measures) for each in query.having]
    rest += [phrases.change(change) for change in query.changes]
    if query.order and (query.limit or query.extreme):
        rest.append(phrases.order(query, short=len(query.measures) == 1))
    if query.convert:
        rest.append(phrases.rates(query.convert))
    if query.repeated != "keep":
        rest.append(phrases.word(query.repeated))
    return ", ".join([said[:1].upper() + said[1:], *rest])


def _subject(phrases: Phrases, query: DataQuery) -> str:
    """What was measured or listed; of a calculation, what all its measures have in common, or the calculation."""
    if not query.measures:
        return ", ".join(map(phrases.heading, query.columns)) or phrases.word("rows")
    if not query.calculations:
        return ", ".join(map(phrases.short_measure, query.measures))
    plain = {each.model_copy(update={"where": [], "name": ""}).model_dump_json() for each in query.measures}
    if len(plain) == 1 and all(each.where for each in query.measures):
        return phrases.short_measure(query.measures[0].model_copy(update={"where": []}))
    names = {each.name: phrases.short_measure(each) for each in query.measures if each.name}
    return ", ".join(written(each.expression, names) for each in query.calculations)


def _is_implied(condition: Filter, query: DataQuery) -> bool:
    """Returns whether a condition says nothing more: a value is not another one, or what is grouped or sorted by is not
    empty."""
    if not isinstance(condition, Condition):
        return False
    column = condition.column.casefold()
    if condition.op in ("!=", "not in"):
        others = [each for each in query.where if isinstance(each, Condition) and each.op == "="]
        return any(each.column.casefold() == column and each.bucket == condition.bucket for each in others)
    used = [each.column for each in query.group] + [each.by for each in query.order]
    return condition.op == "is not empty" and column in map(str.casefold, used)


def headings(result: QueryResult, language: Language) -> list[str]:
    """Returns the heading of each column of a result: that of its column, or what was measured, in words."""
    query = result.query
    phrases = Phrases(result.datasets, language)
    known = {key: words.to(language) for key, words in message_group("datasets.columns").items()}
    groups = iter(query.group if not query.pivot else ())
    measures = iter(query.measures if not query.pivot else ())
    made = []
    for column in result.columns:
        said = known.get(column.name.casefold().replace(" ", "_"), column.name)
        if column.role == "group" and (group := next(groups, None)):
            said = phrases.group(group)
        elif column.role == "measure" and (measure := next(measures, None)):
            own = ", ".join(map(phrases.short_condition, measure.where)) if measure.name else ""
            said = own or phrases.measure(measure)
        elif column.role == "measure" and (change := _change(column.name, query)):
            said = known[change]
        made.append(said[:1].upper() + said[1:])
    return made if len(set(made)) == len(made) else [column.name for column in result.columns]


def _change(name: str, query: DataQuery) -> str | None:
    """The change over rows that a column holds, if only one column holds it."""
    kinds = [each.change for each in query.changes]
    return next((kind for kind in kinds if name.startswith(kind.replace("_", " ")) and kinds.count(kind) == 1), None)
