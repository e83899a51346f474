"""Composes the query that a question asks for from its draft: the first operation that fits."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from core.datasets.query.model import AnyOf, Calculation, Condition, DataQuery, Function, Group, Measure, Order
from core.datasets.words import comparisons, rankings, roles
from core.datasets.words.draft import Draft, Quantity, quantity_of
from core.datasets.words.frames import Field
from core.datasets.words.quantities import (
    arithmetic_of,
    default_money,
    default_number,
    product_of,
    quantities,
    sold_quantity,
)
from core.datasets.words.tokens import words_of
from core.datasets.words.understanding import Ambiguity, Form, Option

_EVERY_DAY = ("day", "date")


@dataclass
class Composed:
    """A query with what the answer says first; or several readings."""

    query: DataQuery
    form: Form = "value"
    options: tuple[Option, ...] = ()
    word: str = ""
    is_guess: bool = False


def compose(draft: Draft) -> Composed | None:
    """Returns the query for the first operation that fits, or ``None``."""
    steps: tuple[Callable[[Draft], Composed | None], ...] = (
        _repeated, _days_without_rows, _correlation, _without_match, _ratio_of_counts, _compared, _shared, _ranked,
        _extreme, _per_identifier, _aggregated, _counted, _listed,
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
    return Composed(draft.query(measures=[Measure(function="count", name="rows")]), "repeated")


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
    from core.datasets.query.model import Join

    away = Join(dataset=draft.frame.dataset.id, left=join.right, right=join.left, keep="missing")
    if draft.tags.has("count"):
        query = DataQuery(
            dataset=join.dataset, joins=[away], measures=[Measure(function="distinct", column=join.right)]
        )
    else:
        query = DataQuery(dataset=join.dataset, joins=[away])
    return Composed(query)


def _ratio_of_counts(draft: Draft) -> Composed | None:
    return None


def _function(draft: Draft, quantity: Quantity | None) -> Function:
    """Returns the function that the question names, or the usual one of the quantity."""
    tags = draft.tags
    for name in ("median", "stddev", "percentile", "mean", "sum"):
        if tags.has(name):
            return name  # type: ignore[return-value]
    return "mean" if quantity and quantity.is_averaged else "sum"


def _quantity(draft: Draft) -> Quantity | None:
    """Returns what is measured: arithmetic, a named column, quantity × price, or the usual column of amounts."""
    found = arithmetic_of(draft) or product_of(draft) or next(iter(quantities(draft)), None)
    if found and found.field:
        draft.explained += [link for link in draft.free if link.field.name == found.name]
        found = _as_percent(draft, found)
    return found


def _as_percent(draft: Draft, quantity: Quantity) -> Quantity:
    """Returns the column of percentages for the same thing if the question asks "in percent"."""
    from core.datasets.words.vocabulary import operations, whole_words

    field = quantity.field
    if (
        field is None
        or field.column.type == "percent"
        or not whole_words(operations().percent).search(draft.tags.words.text)
    ):
        return quantity
    own = field.column.name.casefold()
    twin = next(
        (each for each in draft.frame.fields if each.column.type == "percent" and own in each.column.name.casefold()),
        None,
    )
    return quantity_of(twin) if twin else quantity


def _quantity_or_default(draft: Draft) -> Quantity | None:
    found = _quantity(draft)
    if found is None and not draft.tags.has("count"):
        found = default_money(draft) or default_number(draft)
        if found:
            draft.assumed.append(found.name)
    return found


def _compared(draft: Draft) -> Composed | None:
    tags = draft.tags
    growth = tags.has("growth")
    if not (growth or tags.has("change", "difference", "direction")):
        return _more_of_two(draft)
    numeric = [link for link in draft.free if link.field.column.is_numeric]
    sides = comparisons.sides_of(draft)
    if len(sides) == 2:
        quantity = _quantity_or_default(draft)
        query = comparisons.difference(draft, sides, quantity, _function(draft, quantity), growth=growth)
        return Composed(query, "direction" if tags.has("direction") else "value")
    if len(numeric) >= 2 and tags.has("difference", "change"):
        left, right = (quantity_of(draft.explain(link)) for link in numeric[:2])
        return Composed(comparisons.columns_compared(draft, left, right, _function(draft, left)))
    date = draft.date()
    if date and tags.has("direction", "change", "growth"):
        quantity = _quantity_or_default(draft)
        group = Group(column=date.name, bucket=_step(draft, date))
        return Composed(comparisons.over_time(draft, quantity, _function(draft, quantity), group), "direction")
    return None


def _step(draft: Draft, date: Field):  # type: ignore[no-untyped-def]
    from core.datasets.words.dated import span_of

    span = span_of(date)
    days = (span[1] - span[0]).days if span else 0
    return "year" if days > 3 * 366 else "month" if days > 62 else "day"


def _more_of_two(draft: Draft) -> Composed | None:
    """Handles "does A or B have more" and "is A better than B"."""
    descending = rankings.direction_of(draft)
    by_field: dict[str, int] = {}
    for limit in draft.filters.limits:
        if limit.values:
            by_field[limit.values.field.name] = by_field.get(limit.values.field.name, 0) + 1
    if descending is None or 2 not in by_field.values() or draft.tags.has("count"):
        return None
    sides = comparisons.sides_of(draft)
    if len(sides) != 2:
        return None
    quantity = _quantity(draft)
    if quantity is None and draft.tags.has("vague"):
        options = [
            Option(field.column.name, comparisons.more_of_two(draft, sides, quantity_of(field), "mean", descending))
            for field in draft.frame.fields
            if field.column.is_numeric
        ]
        first = options[0] if options else None
        return Composed(first.query, options=tuple(options), word=_vague_word(draft)) if first else None
    return Composed(comparisons.more_of_two(draft, sides, quantity, _function(draft, quantity), descending))


def _vague_word(draft: Draft) -> str:
    first, last = draft.tags.operations["vague"][0]
    return draft.tags.text(first, last)


def _shared(draft: Draft) -> Composed | None:
    tags = draft.tags
    if not tags.has("share") or tags.has("growth"):
        return None
    link, _ = roles.counted(draft)
    groups = roles.groups_in(draft)
    quantity = _quantity(draft)
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


def _ranked(draft: Draft) -> Composed | None:
    tags = draft.tags
    position = rankings.position_asked(draft)
    asks_rank = tags.has("rank") and not tags.columns_named("rank")
    if not asks_rank and not position:
        return None
    values = [limit.values for limit in draft.filters.limits if limit.values]
    quantity = _quantity_or_default(draft)
    function = _function(draft, quantity)
    if asks_rank and values:
        link = values[0]
        return Composed(rankings.rank_of(draft, link.field, link.values, quantity, function))
    fields = roles.targets(draft)
    if not position or not fields:
        return None
    descending = rankings.direction_of(draft) is not False
    if fields[0].is_key and quantity:
        return Composed(rankings.of_rows(draft, [fields[0].name], quantity, descending, 1, position - 1))
    groups = [Group(column=roles.label_of(draft, fields[0]).name)]
    return Composed(rankings.of_groups(draft, groups, quantity, function, descending, 1, position - 1))


def _extreme(draft: Draft) -> Composed | None:
    descending = rankings.direction_of(draft)
    if descending is None:
        return None
    limit = rankings.number_asked(draft)
    bucket = roles.asked_bucket(draft)
    groups = roles.groups_in(draft)
    quantity = _quantity(draft)
    fields = roles.targets(draft)
    if quantity is None and draft.tags.has("vague") and _is_money_like(draft):
        return _vague(draft, fields, descending, limit)
    if bucket and not fields:
        quantity = quantity or default_money(draft)
        return Composed(rankings.of_groups(draft, [bucket], quantity, _function(draft, quantity), descending, limit))
    if quantity is None and not fields:
        quantity = default_number(draft) or default_money(draft)
    if not fields and quantity:
        return Composed(_single_extreme(draft, quantity, descending, limit))
    if not fields:
        return None
    if quantity is None:
        quantity = _default_extreme(draft)
    by_row = quantity is not None and (
        fields[0].is_key or draft.tags.has("per_record") or quantity.is_averaged and not draft.tags.has("mean")
    )
    if by_row and quantity is not None:
        return Composed(
            rankings.of_rows(draft, [roles.label_of(draft, each).name for each in fields], quantity, descending, limit)
        )
    keys = [*groups, *(Group(column=roles.label_of(draft, each).name) for each in fields[:1])]
    return Composed(rankings.of_groups(draft, keys, quantity, _function(draft, quantity), descending, limit))


def _default_extreme(draft: Draft) -> Quantity | None:
    found = default_money(draft)
    if found:
        draft.assumed.append(found.name)
    return found


def _is_money_like(draft: Draft) -> bool:
    return len([field for field in draft.frame.fields if field.column.is_numeric]) > 1


def _vague(draft: Draft, fields: Sequence[Field], descending: bool, limit: int | None) -> Composed | None:
    """Returns a reading for each numeric column: "biggest" by what?"""
    if not fields:
        return None
    groups = [Group(column=roles.label_of(draft, fields[0]).name)]
    options = []
    for field in draft.frame.fields:
        if field.column.is_numeric:
            quantity = quantity_of(field)
            function = "mean" if quantity.is_averaged else "sum"
            options.append(
                Option(field.column.name, rankings.of_groups(draft, groups, quantity, function, descending, limit))
            )
    options.append(
        Option(draft.frame.dataset.name, rankings.of_groups(draft, groups, None, "count", descending, limit))
    )
    return Composed(options[0].query, options=tuple(options), word=_vague_word(draft))


def _single_extreme(draft: Draft, quantity: Quantity, descending: bool, limit: int | None) -> DataQuery:
    """Returns the largest value with its row: its date, its key, or all columns."""
    date = draft.date()
    keys = [field.name for field in draft.frame.fields if field.is_key][:1]
    columns = (
        [date.name] if date else keys or [field.name for field in draft.frame.fields if not field.column.is_numeric][:1]
    )
    return rankings.of_rows(draft, columns, quantity, descending, limit)


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
    quantity = _quantity_or_default(draft)
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
    bucket = roles.asked_bucket(draft)
    if counts and not (tags.has("mean", "median") or _counts_numbers(draft)):
        return _count(draft, groups)
    if _is_lookup(draft) and not named and not groups:
        return None
    options = _unclear_quantity(draft)
    quantity = _quantity(draft) or (_sold(draft) or _titled(draft) if counts else None)
    if quantity is None and (named or groups or tags.has("how_much") or _is_money_question(draft)):
        quantity = default_money(draft) or default_number(draft)
        if quantity:
            draft.assumed.append(quantity.name)
    if quantity is None:
        return _count(draft, groups) if groups else None
    if not named and not groups and not counts and draft.tags.has("which") and roles.targets(draft):
        return None
    function = _function(draft, quantity)
    percent = _percent(draft)
    groups = [_labelled(draft, group) for group in groups]

    def query(each: Quantity) -> DataQuery:
        measure = draft.measure(_function(draft, each), each).model_copy(update={"percent": percent})
        derive = [each.derived] if each.derived else []
        return draft.query(measures=[measure], group=groups, derive=derive)

    if len(options) > 1:
        made = tuple(Option(option.name, query(option)) for option in options)
        return Composed(made[0].query, options=made, word=options[0].name)
    del function, bucket
    return Composed(query(quantity))


def _percent(draft: Draft) -> float:
    from core.datasets.words.vocabulary import operation_patterns

    match = operation_patterns()["percentile"].search(draft.tags.words.text)
    return float(next((group for group in match.groups() if group), 50)) if match else 50


def _labelled(draft: Draft, group: Group) -> Group:
    field = draft.frame.field(group.column)
    return (
        group
        if field is None or group.bucket
        else group.model_copy(update={"column": roles.label_of(draft, field).name})
    )


def _unclear_quantity(draft: Draft) -> list[Quantity]:
    """Returns the columns that the same words may mean: "price" for base, peak and gas prices."""
    links = [link for link in draft.free if link.field.column.is_numeric]
    best = max(links, key=lambda link: link.score, default=None)
    if best is None or not best.others or len(links) > 1:
        return []
    return [quantity_of(field) for field in (best.field, *best.others) if field.column.is_numeric]


def _counts_numbers(draft: Draft) -> bool:
    """Returns whether "how many" is followed by a numeric column ("how many FTE"), or by things that were sold."""
    link, _ = roles.counted(draft)
    return (link is not None and link.field.column.is_numeric) or _sold(draft) is not None or _titled(draft) is not None


def _titled(draft: Draft) -> Quantity | None:
    """Returns the only numeric column for "how many FTE" if only the title or the sheet's name says what it holds."""
    link, word = roles.counted(draft)
    names = {name for text in (*draft.frame.names, *draft.frame.dataset.titles) for name in words_of(text)}
    fields = [field for field in draft.frame.fields if field.column.is_numeric]
    return quantity_of(fields[0]) if link is None and word in names and len(fields) == 1 else None


def _sold(draft: Draft) -> Quantity | None:
    """Returns the column of quantities for "how many espressos did we sell"."""
    from core.datasets.words.vocabulary import operations

    link, word = roles.counted(draft)
    if link is not None or word or not any(token.text in operations().sold for token in draft.tags.words.tokens):
        return None
    return sold_quantity(draft)


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
    from core.datasets.words.vocabulary import operations

    return any(token.text in operations().sold for token in draft.tags.words.tokens) and not draft.tags.has(
        "which", "list"
    )


def _count(draft: Draft, groups: Sequence[Group]) -> Composed:
    """Counts rows, or the different values of the counted column."""
    link, _ = roles.counted(draft)
    tags = draft.tags
    field: Field | None = None
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
        return Composed(draft.query(measures=[Measure(function="count", name="count")], group=groups))
    return Composed(draft.query(measures=[Measure(function="distinct", column=field.name)], group=groups))


def _counted(draft: Draft) -> Composed | None:
    return _count(draft, roles.groups_in(draft)) if draft.tags.has("count") else None


def _listed(draft: Draft) -> Composed | None:
    """Lists the values of the columns that are asked for under the conditions; of one row, its cell."""
    numbers = [found] if (found := _quantity(draft)) and found.field else []
    numbers += [each for each in quantities(draft) if each not in numbers]
    fields = roles.targets(draft)
    draft.explained += [link for link in draft.free if link.field.column.is_numeric]
    names = [field.name for field in fields]
    if draft.tags.has("which") or draft.tags.has("list"):
        names = [roles.label_of(draft, field).name for field in fields[:1]] or names
    if not names:
        names = [quantity.name for quantity in numbers]
    conditions = draft.filters.conditions
    if not names:
        keys = [field.name for field in draft.frame.fields if field.is_key] or [draft.frame.fields[0].name]
        used = {each.column for each in conditions if isinstance(each, Condition)}
        names = [name for name in keys if name not in used][:1] or keys[:1]
        if not conditions or isinstance(conditions[0], AnyOf):
            return None
        return Composed(draft.query(columns=names, distinct=True), "rows", is_guess=True)
    order = first_or_last(draft)
    if order:
        return Composed(draft.query(columns=names, order=[order], limit=rankings.number_asked(draft) or 1), "rows")
    if not conditions and len(names) == 1 and not draft.tags.has("which", "list", "distinct"):
        return None
    return Composed(draft.query(columns=names, distinct=True), "rows")


def first_or_last(draft: Draft) -> Order | None:
    """Returns the order for "first" and "last": by the date."""
    date = draft.date()
    if date is None or not draft.tags.has("first", "last"):
        return None
    return Order(by=date.name, descending=not draft.tags.has("first"))


__all__ = ["Ambiguity", "Composed", "compose"]
