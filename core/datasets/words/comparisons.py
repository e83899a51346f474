"""Composes queries that compare two periods, values or columns: differences, growth, directions, shares."""

from __future__ import annotations

from dataclasses import replace

from core.datasets.query.model import Calculation, Condition, DataQuery, Filter, Function, Group, Measure, Order
from core.datasets.words.dated import time_conditions
from core.datasets.words.draft import Draft, Quantity
from core.datasets.words.filters import Limit
from core.datasets.words.understanding import Absent


def sides_of(draft: Draft) -> list[tuple[str, Filter]]:
    """Returns the two periods or values that are compared, in the order of the question, and takes them out of the
    conditions."""
    limits = draft.filters.limits
    times = [limit for limit in limits if limit.time]
    if len(times) == 1 and times[0].time and times[0].time.end:
        return _ends(draft, times[0])
    if len(times) == 2:
        return _taken(draft, times)
    by_field: dict[str, list[Limit]] = {}
    for limit in limits:
        if limit.values and isinstance(limit.condition, Condition):
            by_field.setdefault(limit.condition.column, []).append(limit)
    pair = next((each for each in by_field.values() if len(each) == 2), None)
    return _taken(draft, pair) if pair else []


def _taken(draft: Draft, pair: list[Limit]) -> list[tuple[str, Filter]]:
    draft.filters.limits = [limit for limit in draft.filters.limits if limit not in pair]
    return [(limit.name, limit.condition) for limit in pair]


def _ends(draft: Draft, limit: Limit) -> list[tuple[str, Filter]]:
    """Splits a range such as "from January to December" into its two ends."""
    time = limit.time
    if time is None or time.end is None or not draft.filters.dates:
        return []
    parts = []
    for end in (replace(time, end=None), replace(time.end, relation="in")):
        found = time_conditions(draft.tags, end, draft.filters.dates[0])
        if isinstance(found, Absent) or len(found) != 1:
            return []
        parts.append((str(end.value), found[0]))
    draft.filters.limits.remove(limit)
    return list(parts)


def difference(
    draft: Draft, sides: list[tuple[str, Filter]], quantity: Quantity | None, function: Function, *, growth: bool
) -> DataQuery:
    """Returns the difference of two measures: the later period less the earlier one, or the first value less the
    second; as *growth*, relative to the earlier one."""
    (one, first), (two, second) = sides
    one, two = one or "1", two or "2"
    if one == two:
        one, two = f"{one} (1)", f"{two} (2)"
    measures = [_measured(draft, quantity, function, one, first), _measured(draft, quantity, function, two, second)]
    reverse = _is_time(first) and not _is_minus(draft) and _is_earlier(first, second)
    later, earlier = (two, one) if reverse else (one, two)
    expression = f"[{later}] - [{earlier}]"
    calculation = Calculation(name="difference", expression=expression)
    if growth:
        calculation = Calculation(name="growth", expression=f"({expression}) / [{earlier}]", unit="%")
    derive = [quantity.derived] if quantity and quantity.derived else []
    return draft.query(measures=measures, calculations=[calculation], derive=derive)


def _measured(draft: Draft, quantity: Quantity | None, function: Function, name: str, where: Filter) -> Measure:
    if quantity is None:
        return Measure(function="count", name=name, where=[where])
    return draft.measure(function, quantity, name, [where])


def _is_time(condition: Filter) -> bool:
    return isinstance(condition, Condition) and condition.bucket is not None


def _is_earlier(first: Filter, second: Filter) -> bool:
    """Returns whether the first of two periods is the earlier one."""
    if not isinstance(first, Condition) or not isinstance(second, Condition):
        return True
    return str(first.value).zfill(2) <= str(second.value).zfill(2)


def _is_minus(draft: Draft) -> bool:
    from core.datasets.words.vocabulary import operations

    return any(operations().arithmetic.get(token.text) == "-" for token in draft.tags.words.tokens)


def columns_compared(draft: Draft, left: Quantity, right: Quantity, function: Function) -> DataQuery:
    """Returns the difference of two columns' sums: "actual versus budget"."""
    measures = [draft.measure(function, left, left.name), draft.measure(function, right, right.name)]
    return draft.query(
        measures=measures, calculations=[Calculation(name="difference", expression=f"[{left.name}] - [{right.name}]")]
    )


def over_time(draft: Draft, quantity: Quantity | None, function: Function, group: Group) -> DataQuery:
    """Returns a measure by period, in order."""
    measure = draft.measure(function, quantity) if quantity else Measure(function="count")
    derive = [quantity.derived] if quantity and quantity.derived else []
    return draft.query(measures=[measure], group=[group], derive=derive)


def share(draft: Draft, quantity: Quantity | None, part: list[Limit], group: list[Group]) -> DataQuery:
    """Returns the part of the rows, or of a sum, that fulfils the conditions of ``part``."""
    draft.filters.limits = [limit for limit in draft.filters.limits if limit not in part]
    where = [limit.condition for limit in part]
    derive = [quantity.derived] if quantity and quantity.derived else []
    if group and not where:
        from core.datasets.query.model import Changing

        measure = draft.measure("sum", quantity, "sum") if quantity else Measure(function="count", name="count")
        return draft.query(
            measures=[measure],
            group=group,
            changes=[Changing(change="share_of_total", measure=measure.name)],
            derive=derive,
        )
    measure = Measure(function="share", column=quantity.name if quantity else None, where=where, name="share")
    return draft.query(measures=[measure], group=group, derive=derive)


def more_of_two(
    draft: Draft, sides: list[tuple[str, Filter]], quantity: Quantity | None, function: Function, descending: bool
) -> DataQuery:
    """Returns which of two values has more: both, the larger one first."""
    conditions = [condition for _, condition in sides if isinstance(condition, Condition)]
    column = conditions[0].column
    values = [value for each in conditions for value in (each.value if isinstance(each.value, list) else [each.value])]
    where: list[Filter] = [*draft.filters.conditions, Condition(column=column, op="in", value=values)]
    measure = draft.measure(function, quantity, "value") if quantity else Measure(function="count", name="value")
    derive = [quantity.derived] if quantity and quantity.derived else []
    order = [Order(by="value", descending=descending)]
    return draft.query(
        measures=[measure], group=[Group(column=column)], order=order, where=where, derive=derive, limit=1, extreme=True
    )
