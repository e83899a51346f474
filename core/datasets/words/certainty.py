"""Decides whether a query accounts for everything that a question says, so that its result can be shown as found."""

from __future__ import annotations

from core.datasets.query.model import AnyOf, Condition, DataQuery, Filter, Measure
from core.datasets.words.bounds import Bound
from core.datasets.words.composed import Composed
from core.datasets.words.draft import Draft, is_averaged, is_rank
from core.datasets.words.links import ColumnLink, ValueLink
from core.datasets.words.rankings import direction_of
from core.datasets.words.roles import label_of
from core.datasets.words.superlatives import is_ordinal, thing_of
from core.datasets.words.times import Time
from core.datasets.words.tokens import words_of
from core.datasets.words.vocabulary import groups_of, is_weak, operations

_NEGATIVE = frozenset(("!=", "not in", "not contains", "is empty", "is not empty", "<", "<=", "starts with"))


def unused_operations(draft: Draft, composed: Composed) -> list[str]:
    """Returns the operations that the question names and the query does not carry out."""
    tags, query = draft.tags, composed.query
    functions = {measure.function for measure in query.measures}
    made = bool(query.calculations or query.changes) or composed.form == "direction"
    checks = {
        "extreme": direction_of(draft) is None or bool(query.order) or made or "correlation" in functions,
        "order": not tags.has("first", "last") or bool(query.order) or _is_in_time(draft),
        "step": draft.filters.dates or not _names_a_neighbour(draft) or bool(query.step),
        "difference": not tags.has("difference", "growth") or made,
        "share": not tags.has("share") or "share" in functions or made,
        "mean": not tags.has("mean") or "mean" in functions or made,
        "median": not tags.has("median") or "median" in functions,
        "count": not tags.has("count") or _counts(query) or _is_largest_number(draft, query),
        "both": not (tags.has("largest") and tags.has("smallest")) or "correlation" in functions or made,
        "not": not tags.has("not", "except")
        or any(_is_negative(each) for each in [*query.where, *_of_measures(query)])
        or _joins_missing(query),
        "closed": not _is_closed(draft) or bool(query.order) or made or "correlation" in functions,
        "years": not any(_adds_ordinals(draft, measure) for measure in query.measures),
        "all": not query.columns or bool(query.where or query.order) or tags.has("distinct", "once_listed"),
        "same": not tags.has("same"),
        "periods": not _adds_periods(draft, query),
        "consecutive": not tags.has("consecutive"),
        "which": not tags.has("which") or composed.form != "direction",
    }
    return [name for name, is_used in checks.items() if not is_used]


def fits_question(draft: Draft, composed: Composed) -> bool:
    """Returns whether the column that answers is the one that the question asks for: named in it, of the type that
    "who" and "when" ask for, and not one whose only value the question gives."""
    query, tags = composed.query, draft.tags
    names = [composed.answer or query.columns[0]] if query.columns else [group.column for group in query.group][:1]
    if query.measures and not query.group:
        counted = [draft.frame.field(each.column or "") for each in query.measures if each.function == "distinct"]
        return not any(field and field.column.is_numeric for field in counted)
    field = draft.frame.field(names[0]) if names else None
    is_table = bool(query.group) and (not query.order or query.group[0].bucket is not None)
    if field is None or is_table:
        return True
    if query.columns and not query.step and _is_given(query, field.name):
        return False
    if tags.has("who"):
        return not field.column.is_numeric and not field.column.is_dated
    if tags.has("when"):
        groups = groups_of("date") | groups_of("year")
        return field.column.is_dated or any(groups_of(word) & groups for word in words_of(field.column.name))
    is_counted = any(measure.function == "count" for measure in query.measures)
    if query.order and is_counted and field.is_key:
        return False
    if composed.answer or query.step or field == thing_of(draft):
        return True
    linked = [*(label_of(draft, link.field) for link in tags.columns), *(link.field for link in tags.values)]
    return any(each.name == field.name for each in linked)


def _is_given(query: DataQuery, name: str) -> bool:
    return any(
        isinstance(each, Condition) and each.column == name and each.op in (("=",) if query.order else ("=", "in"))
        for each in query.where
    )


def _counts(query: DataQuery) -> bool:
    """Returns whether a value answers, not the first of groups."""
    return bool(query.measures) and not (query.group and query.order)


def _is_largest_number(draft: Draft, query: DataQuery) -> bool:
    """Returns whether "number of" only names the measure of a superlative: "the highest number of appearances"."""
    ends = [last for name in ("largest", "smallest") for _, last in draft.tags.operations.get(name, ())]
    return bool(query.order) and all(first in ends for first, _ in draft.tags.operations.get("count", ()))


def weak_words_left(draft: Draft) -> list[str]:
    """Returns everyday words of the question that may limit what it asks for ("won", "served")."""
    tags = draft.tags
    taken = {place for spans in tags.operations.values() for first, last in spans for place in range(first, last)}
    links: list[ValueLink | ColumnLink | Time | Bound] = [*tags.values, *tags.columns, *tags.times, *tags.bounds]
    taken |= {place for link in links for place in range(link.first, link.last)}
    return [
        token.raw
        for place, token in enumerate(tags.words.tokens)
        if place not in taken and not token.aside and is_weak(token.text)
    ]


def _is_closed(draft: Draft) -> bool:
    """Returns whether a question is answered by yes or no, or by one of two."""
    tokens = [token for token in draft.tags.words.tokens if not token.aside]
    return bool(tokens) and tokens[0].text in operations().closed


def _adds_ordinals(draft: Draft, measure: Measure) -> bool:
    """Returns whether years or ranks are added up or averaged, or prices added up."""
    field = draft.frame.field(measure.column or "")
    if field is None:
        return False
    is_price = measure.function == "sum" and is_averaged(field) and draft.tags.has("sum")
    is_difference = bool(measure.where) and is_rank(field)
    return is_price or is_difference or (measure.function in ("sum", "mean") and is_ordinal(field))


def _adds_periods(draft: Draft, query: DataQuery) -> bool:
    """Returns whether numbers of all periods are added up that a wide table gives for each, and that may be counted
    again in each: the staff of January and of February."""
    if not draft.frame.dataset.long_of or draft.filters.dates or draft.tags.has("sum"):
        return False
    fields = [draft.frame.field(measure.column or "") for measure in query.measures if measure.function == "sum"]
    dates = {field.name for field in draft.frame.fields if field.column.is_dated}
    is_counted = any(field and field.column.type == "number" for field in fields)
    return is_counted and not dates & {group.column for group in query.group}


def _is_in_time(draft: Draft) -> bool:
    spans = [span for name in ("first", "last") for span in draft.tags.operations.get(name, ())]
    limits = [(limit.first, limit.last) for limit in draft.filters.limits]
    aside = all(draft.tags.words.tokens[first].aside for first, _ in spans)
    return aside or all(any(first < end and start < last for start, end in limits) for first, last in spans)


def _is_negative(condition: Filter) -> bool:
    if isinstance(condition, AnyOf):
        return any(_is_negative(part) for part in condition.any_of)
    return isinstance(condition, Condition) and (condition.op in _NEGATIVE or condition.value is False)


def _names_a_neighbour(draft: Draft) -> bool:
    """Returns whether "after" or "below" is said of a row, not of a number: "below minimum stock"."""
    spans = [span for name in ("next", "previous") for span in draft.tags.operations.get(name, ())]
    limits = [(limit.first, limit.last) for limit in draft.filters.limits if limit.values is None]
    return any(not any(first < end and start < last for start, end in limits) for first, last in spans)


def _of_measures(query: DataQuery) -> list[Filter]:
    return [condition for measure in query.measures for condition in measure.where]


def _joins_missing(query: DataQuery) -> bool:
    return any(join.keep == "missing" for join in query.joins)
