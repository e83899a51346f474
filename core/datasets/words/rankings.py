"""Composes queries for the largest and smallest, the first and last, top lists and ranks."""

from __future__ import annotations

from collections.abc import Sequence

from core.datasets.query.model import Changing, Condition, DataQuery, Function, Group, Measure, Order
from core.datasets.words.bounds import number_of
from core.datasets.words.draft import Draft, Quantity
from core.datasets.words.frames import Field
from core.datasets.words.vocabulary import operations

_VALUE = "value"
_SURE = 0.9


def direction_of(draft: Draft) -> bool | None:
    """Returns whether the largest (``True``) or smallest is asked for; ``None`` if neither is. Comparisons with a
    number ("more than 5") are not meant."""
    limits = [(bound.first, bound.last) for bound in draft.tags.bounds]
    limits += [(limit.first, limit.last) for limit in draft.filters.limits]
    limits += [(link.first, link.last) for link in draft.filters.used]
    limits += [
        (link.first, link.last) for link in draft.tags.columns if link.last - link.first > 1 and link.score > _SURE
    ]
    for name, descending in (("smallest", False), ("largest", True)):
        for first, last in draft.tags.operations.get(name, ()):
            if not any(start < last and first < end for start, end in limits):
                return descending
    return None


def number_asked(draft: Draft) -> int | None:
    """Returns how many are asked for: the 5 of "top 5", "which three"."""
    tokens = draft.tags.words.tokens
    names = ("largest", "smallest", "which", "list", "first", "last")
    spans = sorted(span for name in names for span in draft.tags.operations.get(name, ()))
    for first, last in spans:
        for place in (last, first - 1, first - 2):
            if 0 <= place < len(tokens) and (number := number_of(tokens[place].text)) and 1 < number <= 100:
                return int(number)
    return None


def position_asked(draft: Draft) -> int | None:
    """Returns the place that is asked for: 3 for "number 3 by", 2 for "second largest"."""
    from core.datasets.words.vocabulary import operation_patterns

    match = operation_patterns()["position"].search(draft.tags.words.text)
    if not match:
        return None
    text = next((group for group in match.groups() if group), "")
    return operations().ordinals.get(text) or int("".join(filter(str.isdigit, text)) or 0) or None


def of_rows(
    draft: Draft, columns: Sequence[str], quantity: Quantity, descending: bool, limit: int | None, offset: int = 0
) -> DataQuery:
    """Returns the rows with the largest or smallest value."""
    derive = [quantity.derived] if quantity.derived else []
    shown = list(dict.fromkeys([*columns, quantity.name]))
    where = [*draft.filters.conditions, Condition(column=quantity.name, op="is not empty")]
    if quantity.derived:
        where = draft.filters.conditions
    return draft.query(
        columns=shown, order=[Order(by=quantity.name, descending=descending)], limit=limit or 1, offset=offset,
        extreme=limit is None and not offset, derive=derive, where=where, needs=quantity.columns,
    )  # fmt: skip


def of_groups(
    draft: Draft, groups: Sequence[Group], quantity: Quantity | None, function: Function, descending: bool,
    limit: int | None, offset: int = 0,
) -> DataQuery:  # fmt: skip
    """Returns the groups with the largest or smallest measure; without a quantity, with the most or fewest rows."""
    measure = draft.measure(function, quantity, _VALUE) if quantity else Measure(function="count", name=_VALUE)
    derive = [quantity.derived] if quantity and quantity.derived else []
    where = [*draft.filters.conditions, *(Condition(column=group.column, op="is not empty") for group in groups)]
    return draft.query(
        measures=[measure], group=groups, order=[Order(by=_VALUE, descending=descending)], limit=limit or 1,
        offset=offset, extreme=limit is None and not offset, derive=derive, where=where,
    )  # fmt: skip


def rank_of(
    draft: Draft, field: Field, values: Sequence[str], quantity: Quantity | None, function: Function
) -> DataQuery:
    """Returns the place of a value among all values of its column."""
    measure = draft.measure(function, quantity, _VALUE) if quantity else Measure(function="count", name=_VALUE)
    conditions = [
        each for each in draft.filters.conditions if not (isinstance(each, Condition) and each.column == field.name)
    ]
    derive = [quantity.derived] if quantity and quantity.derived else []
    return draft.query(
        measures=[measure], group=[Group(column=field.name)], where=conditions,
        changes=[Changing(change="rank", measure=_VALUE, name="rank")], derive=derive,
        having=[Condition(column=field.column.name, value=values[0])],
    )  # fmt: skip
