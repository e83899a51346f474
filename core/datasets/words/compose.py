"""Composes the query that a question asks for from its draft: the first operation that fits."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from core.datasets.query.model import AnyOf, Calculation, Condition, DataQuery, Group, Join, Measure
from core.datasets.words import comparisons, rankings, roles
from core.datasets.words.composed import Composed
from core.datasets.words.dated import step_of
from core.datasets.words.draft import Draft, Quantity, quantity_of
from core.datasets.words.frames import Field
from core.datasets.words.links import ColumnLink
from core.datasets.words.measured import (
    function_for,
    possible_quantities,
    quantity_asked,
    quantity_or_default,
    sold_in_question,
    titled_quantity,
    words_of_quantity,
)
from core.datasets.words.quantities import (
    default_money,
    default_number,
    quantities,
)
from core.datasets.words.superlatives import (
    asked_time,
    extreme,
    first_or_last,
    is_ordinal,
    more_of_two,
    neighbouring_row,
    ranked,
    thing_of,
)
from core.datasets.words.totals import limited_groups
from core.datasets.words.understanding import Option
from core.datasets.words.vocabulary import bucket_of, groups_of, operation_patterns, operations

_EVERY_DAY = ("day", "date")


def compose(draft: Draft) -> Composed | None:
    """Returns the query for the first operation that fits, or ``None``."""
    steps: tuple[Callable[[Draft], Composed | None], ...] = (
        _repeated, limited_groups, _days_without_rows, _correlation, _without_match, neighbouring_row, _compared,
        _shared, ranked, extreme, _per_identifier, _aggregated, _counted, _listed,
    )  # fmt: skip
    for step in steps:
        kept = draft.kept()
        composed = step(draft)
        if composed:
            return composed
        draft.restore(kept)
    return None


def _repeated(draft: Draft) -> Composed | None:
    if not draft.tags.has("repeats") or draft.tags.has("rows_once") or not draft.tags.has("count", "which"):
        return None
    query = draft.query(measures=[Measure(function="count", name="rows")])
    return Composed(query.model_copy(update={"repeated": "only"}))


def _days_without_rows(draft: Draft) -> Composed | None:
    """Counts the days of a range without a row: all days of the range less those with one."""
    date = draft.date()
    if not draft.tags.has("no_row") or date is None or date.column.is_dated is False:
        return None
    extent = next((limit.time for limit in draft.filters.limits if limit.time), None)
    if extent is None or not (first := extent.extent()) or not (last := (extent.end or extent).extent()):
        return None
    days = (last[1] - first[0]).days + 1
    measure = Measure(function="distinct", column=date.name, name="days with rows")
    calculation = Calculation(name="days without rows", expression=f"{days} - [days with rows]")
    return Composed(draft.query(measures=[measure], calculations=[calculation]))


def _correlation(draft: Draft) -> Composed | None:
    links = [link for link in draft.tags.columns if link.field.column.is_numeric]
    names = list(dict.fromkeys(link.field.name for link in links))
    comparatives = len(draft.tags.operations.get("largest", ())) + len(draft.tags.operations.get("smallest", ()))
    if len(names) < 2 or not (draft.tags.has("correlation") or (comparatives >= 2 and not draft.tags.has("which"))):
        return None
    draft.explained += links
    measure = Measure(function="correlation", column=names[0], other=names[1], name="correlation")
    return Composed(draft.query(measures=[measure]), "direction")


def _without_match(draft: Draft) -> Composed | None:
    """Counts or lists the rows of a dataset that another one never names: customers without orders."""
    if not draft.tags.has("missing") or not draft.frame.others:
        return None
    link, _ = roles.counted(draft)
    wanted = link or next((each for each in draft.free if draft.frame.field(each.field.name)), None)
    join = next((join for join in draft.frame.joins if wanted and wanted.field.name == join.left), None)
    if wanted is None or join is None:
        return None
    draft.explain(wanted)
    away = Join(dataset=draft.frame.dataset.id, left=join.right, right=join.left, keep="missing")
    if draft.tags.has("count"):
        query = DataQuery(
            dataset=join.dataset, joins=[away], measures=[Measure(function="distinct", column=join.right)]
        )
    else:
        query = DataQuery(dataset=join.dataset, joins=[away])
    return Composed(query)


def _compared(draft: Draft) -> Composed | None:
    tags = draft.tags
    growth = tags.has("growth")
    if not (growth or tags.has("change", "difference", "direction")):
        return more_of_two(draft)
    numeric = [link for link in draft.free if link.field.column.is_numeric]
    sides = comparisons.sides_of(draft)
    if len(sides) == 2:
        quantity = quantity_or_default(draft)
        query = comparisons.difference(draft, sides, quantity, function_for(draft, quantity), growth=growth)
        return Composed(query, "direction" if tags.has("direction") else "value", is_guess=quantity is None)
    if len(numeric) >= 2 and tags.has("difference", "change"):
        left, right = (quantity_of(draft.explain(link)) for link in numeric[:2])
        return Composed(comparisons.columns_compared(draft, left, right, function_for(draft, left)))
    date = draft.date()
    if date and tags.has("direction", "change", "growth"):
        quantity = quantity_or_default(draft)
        group = Group(column=date.name, bucket=step_of(date))
        return Composed(comparisons.over_time(draft, quantity, function_for(draft, quantity), group), "direction")
    return None


def _shared(draft: Draft) -> Composed | None:
    tags = draft.tags
    if not tags.has("share") or tags.has("growth"):
        return None
    link, _ = roles.counted(draft)
    groups = roles.groups_in(draft)
    quantity = quantity_asked(draft)
    part = [limit for limit in draft.filters.limits if limit.time is None]
    if not part and not groups:
        return None
    after = tags.place("share")
    if link and link not in draft.explained and not link.field.column.is_numeric:
        draft.explain(link)
    if quantity and len(part) > 1:
        # "the share of hotels in the delivered revenue": conditions next to the measure limit the whole.
        near = [limit for limit in part if limit.first > after]
        whole = [limit for limit in near[1:] if _is_before_measure(draft, limit, quantity)]
        part = [limit for limit in part if limit not in whole]
    return Composed(comparisons.share(draft, quantity, part, groups))


def _is_before_measure(draft: Draft, limit, quantity: Quantity) -> bool:  # type: ignore[no-untyped-def]
    return limit.last >= max(
        (link.first for link in draft.tags.columns if link.field.name in quantity.columns), default=10**6
    ) - 1 or (quantity.derived is not None and limit.first > 1)


def _per_identifier(draft: Draft) -> Composed | None:
    """Handles "average spend per receipt": a sum divided by the number of different receipts."""
    if not draft.tags.has("mean") or not draft.tags.has("by"):
        return None
    link = next(
        (link for link in draft.free if draft.tags.before(link.first, "by", 2) and roles.is_identifier(link.field)),
        None,
    )
    if link is None:
        return None
    draft.explain(link)
    quantity = quantity_or_default(draft)
    if quantity is None:
        return None
    measures = [
        draft.measure("sum", quantity, "total"),
        Measure(function="distinct", column=link.field.name, name="number"),
    ]
    calculation = Calculation(name="average", expression="[total] / [number]")
    derive = [quantity.derived] if quantity.derived else []
    return Composed(draft.query(measures=measures, calculations=[calculation], derive=derive))


def _aggregated(draft: Draft) -> Composed | None:
    tags = draft.tags
    groups = roles.groups_in(draft)
    named = tags.has("mean", "median", "stddev", "percentile", "sum")
    counts = tags.has("count", "distinct")
    if counts and not (tags.has("mean", "median") or _counts_numbers(draft)):
        return _count(draft, groups)
    if _is_lookup(draft) and not named and not groups and not counts:
        return None
    if _is_phrase(draft) and not named and not quantities(draft):
        return _count(draft, groups)
    options = possible_quantities(draft)
    quantity = quantity_asked(draft) or (sold_in_question(draft) or titled_quantity(draft) if counts else None)
    quantity = quantity or next(iter(options), None)
    if quantity is None and groups and not named and (entity := _entity(draft)):
        return _count(draft, groups, entity)
    if quantity is None and groups and not named and _names_rows(draft):
        return _count(draft, groups)
    if quantity is None and (named or groups or tags.has("how_much") or _is_money_question(draft)):
        quantity = _usual_quantity(draft)
    if quantity and quantity.field and not named and not groups and is_ordinal(quantity.field):
        return None
    if quantity is None:
        return _count(draft, groups) if groups or _is_phrase(draft) else None
    if not (named or groups or counts) and draft.tags.has("which") and roles.targets(draft):
        return None
    return _measured(draft, quantity, options, [_labelled(draft, group) for group in groups])


def _usual_quantity(draft: Draft) -> Quantity | None:
    quantity = default_money(draft) or default_number(draft)
    if quantity:
        draft.assumed.append(quantity.name)
    return quantity


def _measured(draft: Draft, quantity: Quantity, options: Sequence[Quantity], groups: Sequence[Group]) -> Composed:
    """Returns the measure of a quantity, or a reading for each of ``options``."""
    percent = _percent(draft)

    def query(each: Quantity) -> DataQuery:
        measure = draft.measure(function_for(draft, each), each).model_copy(update={"percent": percent})
        derive = [each.derived] if each.derived else []
        return draft.query(measures=[measure], group=groups, derive=derive)

    if len(options) > 1 and (quantity.is_assumed or quantity in options):
        made = tuple(Option(option.name, query(option)) for option in options)
        return Composed(made[0].query, options=made, word=words_of_quantity(draft) or options[0].name)
    return Composed(query(quantity))


def _is_phrase(draft: Draft) -> bool:
    """Returns whether a question is only the name of things with a condition: "days with base > 100"."""
    first = draft.tags.words.tokens[0].text
    is_thing = first in operations().rows or (first.endswith("s") and bucket_of(first) is not None)
    return is_thing and bool(draft.filters.limits) and not draft.tags.has("which", "list", "by")


def _percent(draft: Draft) -> float:
    match = operation_patterns()["percentile"].search(draft.tags.words.text)
    return float(next((group for group in match.groups() if group), 50)) if match else 50


def _labelled(draft: Draft, group: Group) -> Group:
    field = draft.frame.field(group.column)
    return (
        group
        if field is None or group.bucket
        else group.model_copy(update={"column": roles.label_of(draft, field).name})
    )


def _counts_numbers(draft: Draft) -> bool:
    """Returns whether "how many" is followed by a numeric column ("how many FTE"), or by things that were sold."""
    link, _ = roles.counted(draft)
    if link in draft.filters.used and any(each.field.column.is_numeric for each in draft.free):
        return True  # "how many of part 7 are on hand"
    return (
        (link is not None and link.field.column.is_numeric)
        or sold_in_question(draft) is not None
        or titled_quantity(draft) is not None
    )


def _is_lookup(draft: Draft) -> bool:
    """Returns whether the conditions choose a row by its key or day, so that a cell is asked for."""
    for condition in draft.filters.conditions:
        if isinstance(condition, Condition) and condition.op == "=":
            field = draft.frame.field(condition.column)
            day = condition.bucket in (None, "day")
            if field and day and field.column.distinct >= 0.95 * field.dataset.rows:
                return True
    return False


def _is_money_question(draft: Draft) -> bool:

    return any(token.text in operations().sold for token in draft.tags.words.tokens) and not draft.tags.has(
        "which", "list"
    )


def _entity(draft: Draft) -> ColumnLink | None:
    """Returns the things before the groups: the customers of "customers by segment"."""
    links = [link for link in draft.free if not link.field.column.is_numeric and not link.field.column.is_dated]
    amounts = groups_of("amount") | groups_of("cost")
    things = (link for link in links if not groups_of(draft.tags.text(link.first, link.last).lower()) & amounts)
    return next((link for link in things if link.first < draft.tags.place("by")), None)


def _names_rows(draft: Draft) -> bool:
    """Returns whether the groups are those of rows: "lines by shop"."""
    place = draft.tags.place("by")
    return place > 0 and draft.tags.words.tokens[place - 1].text in operations().rows


def _count(draft: Draft, groups: Sequence[Group], entity: ColumnLink | None = None) -> Composed:
    """Counts rows, or the different values of the counted column."""
    link, word = roles.counted(draft)
    link = entity or link
    tags = draft.tags
    field: Field | None = None
    if link and link.field.column.is_dated and bucket_of(word) is None:
        draft.explain(link)
        link = None
    if link and link.field.column.type not in ("boolean",) and not link.field.column.is_numeric:
        field = draft.explain(link) if link not in draft.explained and link not in draft.filters.used else link.field
        if any(
            isinstance(each, Condition) and each.column == field.name and each.op != "contains"
            for each in draft.filters.conditions
        ):
            field = None
    if tags.has("distinct", "each_once") and field is None:
        other = next((each for each in draft.free if not each.field.column.is_numeric), None)
        field = draft.explain(other) if other else field
    groups = [_labelled(draft, group) for group in groups]
    is_rows = field is None or (
        field.column.distinct >= field.dataset.rows and field.dataset.id == draft.frame.dataset.id
    )
    if is_rows or field is None:
        query = draft.query(measures=[Measure(function="count", name="count")], group=groups)
        return Composed(query, is_guess=_is_lookup(draft) and not groups)
    return Composed(draft.query(measures=[Measure(function="distinct", column=field.name)], group=groups))


def _counted(draft: Draft) -> Composed | None:
    return _count(draft, roles.groups_in(draft)) if draft.tags.has("count") else None


def _listed(draft: Draft) -> Composed | None:
    """Lists the values of the columns that are asked for under the conditions; of one row, its cell."""
    numbers = [found] if (found := quantity_asked(draft)) and found.field else []
    numbers += [each for each in quantities(draft) if each not in numbers]
    fields = roles.targets(draft)
    draft.explained += [link for link in draft.free if link.field.column.is_numeric]
    fields = [*asked_time(draft), *fields]
    names = [field.name for field in fields]
    if draft.tags.has("which") or draft.tags.has("list"):
        names = [roles.label_of(draft, field).name for field in fields[:1]] or names
    if not names:
        names = [quantity.name for quantity in numbers]
    conditions = draft.filters.conditions
    order, number = first_or_last(draft), rankings.number_asked(draft)
    if not names:
        keys = [field.name for field in draft.frame.fields if field.is_key] or [draft.frame.fields[0].name]
        used = {each.column for each in conditions if isinstance(each, Condition)}
        thing = thing_of(draft)
        names = [name for name in ([thing.name] if thing else []) + keys if name not in used][:1] or keys[:1]
        if order:
            return Composed(draft.query(columns=names, order=[order], limit=number or 1), is_guess=True)
        if not conditions or isinstance(conditions[0], AnyOf):
            return None
        return Composed(draft.query(columns=names, distinct=True), is_guess=True)
    if order:
        return Composed(draft.query(columns=names, order=[order], limit=number or 1))
    if not conditions and len(names) == 1 and not draft.tags.has("which", "list", "distinct"):
        return None
    return Composed(draft.query(columns=names, distinct=True))
