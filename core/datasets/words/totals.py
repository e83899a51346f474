"""Composes the groups whose number or total a comparison limits: "regions with more than 100 orders"."""

from __future__ import annotations

from core.datasets.query.model import Condition, Group, Measure, Order
from core.datasets.words import roles
from core.datasets.words.bounds import Bound
from core.datasets.words.composed import Composed
from core.datasets.words.draft import Draft, Quantity
from core.datasets.words.filters import counted_after
from core.datasets.words.links import ColumnLink
from core.datasets.words.quantities import default_money
from core.datasets.words.vocabulary import bucket_of, operations

_VALUE = "value"


def limited_groups(draft: Draft) -> Composed | None:
    """Returns the groups that "which" or the first words name, with the measure that is compared; ``None`` if the
    groups themselves are counted, or no comparison is about a group."""
    found = next((each for each in draft.tags.bounds if _is_total(draft, each)), None)
    if found is None or draft.tags.has("count"):
        return None
    link, measure = _measure(draft, found)
    groups = _groups(draft, found, link)
    if not groups:
        return None
    draft.explained += [each for each in draft.free if each == link or each.first == found.last]
    draft.tags.left = [place for place in draft.tags.left if not found.first <= place < found.last]
    draft.filters.limits = [each for each in draft.filters.limits if each.first != found.first]
    value = found.value if found.upper is None else [found.value, found.upper]
    having = [Condition(column=_VALUE, op=found.op, value=value)]
    query = draft.query(measures=[measure], group=groups, having=having, order=[Order(by=_VALUE, descending=True)])
    return Composed(query, is_guess=measure.column is None and link is None and _may_be_several_rows(draft, found))


def _is_total(draft: Draft, bound: Bound) -> bool:
    return counted_after(draft.tags, bound)[0] or bool(_summed(draft, bound) or _sold(draft, bound))


def _summed(draft: Draft, bound: Bound) -> ColumnLink | None:
    """Returns the column directly before a comparison whose sum or average is compared: "total amount over 5,000"."""
    for link in draft.tags.columns:
        is_near = link.field.column.is_numeric and link.last == bound.first
        if is_near and draft.tags.before(link.first, "sum") + draft.tags.before(link.first, "mean"):
            return link
    return None


def _sold(draft: Draft, bound: Bound) -> Quantity | None:
    """Returns the usual amount for "who sold more than 5,000", unless a column or things are named."""
    tokens = draft.tags.words.tokens
    is_sold = bound.first > 0 and tokens[bound.first - 1].text in operations().sold
    is_named = any(link.field.column.is_numeric for link in draft.tags.columns)
    return default_money(draft) if is_sold and not is_named else None


def _measure(draft: Draft, bound: Bound) -> tuple[ColumnLink | None, Measure]:
    if link := _summed(draft, bound):
        function = "mean" if draft.tags.before(link.first, "mean") else "sum"
        return link, Measure(function=function, column=link.field.name, name=_VALUE)
    is_counted, link = counted_after(draft.tags, bound)
    if not is_counted and (quantity := _sold(draft, bound)):
        return None, Measure(function="sum", column=quantity.name, name=_VALUE)
    if link is None or link.field.column.distinct >= link.field.dataset.rows:
        return link, Measure(function="count", name=_VALUE)
    return link, Measure(function="distinct", column=link.field.name, name=_VALUE)


def _groups(draft: Draft, bound: Bound, measured: ColumnLink | None) -> list[Group]:
    """Returns what is grouped by: the things before the comparison."""
    for link in draft.free:
        if link == measured or link.first >= bound.first or link.field.column.is_numeric:
            continue
        field = draft.explain(link)
        if field.column.is_dated:
            bucket = bucket_of(draft.tags.words.tokens[link.first].text)
            return [Group(column=field.name, bucket=bucket or "day")] if bucket != "day" else []
        return [Group(column=roles.label_of(draft, field).name)]
    buckets = [found for token in draft.tags.words.tokens[: bound.first] if (found := bucket_of(token.text))]
    return [Group(column=date.name, bucket=buckets[0])] if buckets and (date := draft.date()) else []


def _may_be_several_rows(draft: Draft, bound: Bound) -> bool:
    """Returns whether "three times" may not mean three rows, because a thing such as an order has several."""
    is_row = any(token.text in operations().rows for token in draft.tags.words.tokens[bound.last :][:2])
    return not is_row and any(roles.is_identifier(field) and not field.is_key for field in draft.frame.fields)
