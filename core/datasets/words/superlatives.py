"""Composes the largest and smallest, ranks and positions, and which of two has more."""

from __future__ import annotations

from collections.abc import Sequence

from core.datasets.query.model import DataQuery, Function, Group, Order
from core.datasets.records import ROW
from core.datasets.words import comparisons, rankings, roles
from core.datasets.words.composed import Composed
from core.datasets.words.dated import date_fields
from core.datasets.words.draft import Draft, Quantity, is_rank, quantity_of
from core.datasets.words.frames import Field
from core.datasets.words.measured import function_for, quantity_asked, quantity_or_default
from core.datasets.words.quantities import default_money, default_number
from core.datasets.words.tokens import words_of
from core.datasets.words.understanding import Option
from core.datasets.words.vocabulary import groups_of, is_filler, operations
from core.language.terms import stem


def ranked(draft: Draft) -> Composed | None:
    tags = draft.tags
    position = rankings.position_asked(draft)
    asks_rank = tags.has("rank") and not tags.columns_named("rank")
    if not asks_rank and not position:
        return None
    values = [limit.values for limit in draft.filters.limits if limit.values]
    quantity = quantity_or_default(draft)
    function = function_for(draft, quantity)
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


def extreme(draft: Draft) -> Composed | None:
    """Returns the things or periods with the largest or smallest measure, or the largest value with its row."""
    descending = rankings.direction_of(draft)
    if descending is None:
        return None
    if any(is_rank(link.field) for link in draft.free):
        descending = not descending
    limit = rankings.number_asked(draft)
    bucket = roles.asked_bucket(draft)
    groups = roles.groups_in(draft)
    quantity = quantity_asked(draft)
    fields = roles.targets(draft)
    if quantity is None and draft.tags.has("vague") and _is_money_like(draft):
        return _vague(draft, fields, descending, limit)
    fields = [*asked_time(draft), *fields] if not bucket else fields
    if bucket and all(field.column.is_dated for field in fields):
        quantity = quantity or default_money(draft)
        return Composed(rankings.of_groups(draft, [bucket], quantity, function_for(draft, quantity), descending, limit))
    if not fields:
        return _without_things(draft, quantity, descending, limit)
    return _of_things(draft, fields, groups, quantity or _usual(draft), descending, limit)


def _without_things(draft: Draft, quantity: Quantity | None, descending: bool, limit: int | None) -> Composed | None:
    """Returns the largest value if no things are named whose value it is."""
    if quantity and (draft.tags.has("who") or _asks_for_thing(draft)):
        thing = thing_of(draft)
        names = [thing.name] if thing else []
        return Composed(rankings.of_rows(draft, names, quantity, descending, limit))
    if quantity is None and draft.tags.has("which"):
        return _guessed(draft, descending, limit)
    quantity = quantity or default_number(draft) or default_money(draft)
    if quantity is None:
        return None
    return Composed(_single_extreme(draft, quantity, descending, limit), answer=quantity.name)


def _asks_for_thing(draft: Draft) -> bool:
    """Returns whether "which" is followed by a thing ("which city has the least area"), not by the measure itself
    ("what is the highest price")."""
    tokens = draft.tags.words.tokens
    ends = [last for _, last in draft.tags.operations.get("which", ())]
    starts = [first for name in ("largest", "smallest") for first, _ in draft.tags.operations.get(name, ())]
    between = [tokens[end:start] for end in ends[:1] for start in starts if start >= end]
    return any(any(not is_filler(token.text) for token in words) for words in between)


def _of_things(
    draft: Draft, fields: Sequence[Field], groups: Sequence[Group], quantity: Quantity | None, descending: bool,
    limit: int | None,
) -> Composed:  # fmt: skip
    """Returns the rows, or the groups of rows, with the largest measure."""
    names = [roles.label_of(draft, each).name for each in fields]
    is_row = (fields[0].is_key and fields[0].dataset.id == draft.frame.dataset.id) or draft.tags.has("per_record")
    if quantity and (is_row or (quantity.is_averaged and not draft.tags.has("mean"))):
        return Composed(rankings.of_rows(draft, names, quantity, descending, limit))
    is_guess = quantity is None and (not _counts_rows(draft) or draft.tags.has("who"))
    keys = [*groups, Group(column=names[0])]
    query = rankings.of_groups(draft, keys, quantity, function_for(draft, quantity), descending, limit)
    return Composed(query, is_guess=is_guess)


def thing_of(draft: Draft) -> Field | None:
    """Returns the column that says which thing a row is about: one of names, a key, or the first of texts."""
    things = [field for field in draft.frame.fields if not field.column.is_numeric and not field.column.is_dated]
    groups = groups_of("name")
    named = [field for field in things if any(groups_of(word) & groups for word in words_of(field.column.name))]
    keys = [field for field in things if field.is_key]
    return next(iter([*named, *keys, *things]), None)


def _counts_rows(draft: Draft) -> bool:
    """Returns whether "most" is followed by what a row is: "most orders", "the most times"."""
    tokens = draft.tags.words.tokens
    names = {stem(word) for name in draft.frame.names for word in words_of(name)} | set(operations().rows)
    for name in ("largest", "smallest"):
        for first, last in draft.tags.operations.get(name, ()):
            text = tokens[last].text if last < len(tokens) else ""
            if not any(token.text in operations().counting for token in tokens[first:last]):
                continue
            if not tokens[last:]:
                return True  # "the town that is listed the most"
            if stem(text) in names or text in names or text in operations().often:
                return True
            if any(link.first == last and not link.field.column.is_numeric for link in draft.tags.columns):
                return True
    return False


def asked_time(draft: Draft) -> list[Field]:
    """Returns the column of dates or years for "when" and "what year"."""
    fields = date_fields(draft.tags) if draft.tags.has("when") else []
    return fields[:1]


def _guessed(draft: Draft, descending: bool, limit: int | None) -> Composed | None:
    """Returns the rows with the largest total or points if neither things nor measure are named: a guess."""
    numbers = [field for field in draft.frame.fields if field.column.is_numeric and not is_rank(field)]
    things = [field for field in draft.frame.fields if not field.column.is_numeric and not field.column.is_dated]
    if not numbers or not things:
        return None
    groups = groups_of("total") | groups_of("points")
    numbers.sort(key=lambda field: not any(groups_of(word) & groups for word in words_of(field.column.name)))
    thing = thing_of(draft) or things[0]
    query = rankings.of_rows(draft, [thing.name], quantity_of(numbers[0]), descending, limit)
    return Composed(query, is_guess=True)


def _follows_which(draft: Draft, field: Field) -> bool:
    ends = [last for _, last in draft.tags.operations.get("which", ())]
    return any(
        link.field.name == field.name and 0 <= link.first - end <= 2 for link in draft.tags.columns for end in ends
    )


def _usual(draft: Draft) -> Quantity | None:
    """Returns the usual measure, unless rows are counted: "the most lines"."""
    return None if _counts_rows(draft) else _default_extreme(draft)


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
            function: Function = "mean" if quantity.is_averaged else "sum"
            options.append(
                Option(field.column.name, rankings.of_groups(draft, groups, quantity, function, descending, limit))
            )
    options.append(
        Option(draft.frame.dataset.name, rankings.of_groups(draft, groups, None, "count", descending, limit))
    )
    return Composed(options[0].query, options=tuple(options), word=_vague_word(draft))


def _vague_word(draft: Draft) -> str:
    first, last = draft.tags.operations["vague"][0]
    return draft.tags.text(first, last)


def _single_extreme(draft: Draft, quantity: Quantity, descending: bool, limit: int | None) -> DataQuery:
    """Returns the largest value with its row: its date, its key, or all columns."""
    date = draft.date()
    keys = [field.name for field in draft.frame.fields if field.is_key][:1]
    columns = (
        [date.name] if date else keys or [field.name for field in draft.frame.fields if not field.column.is_numeric][:1]
    )
    return rankings.of_rows(draft, columns, quantity, descending, limit)


def more_of_two(draft: Draft) -> Composed | None:
    """Handles "does A or B have more" and "is A better than B"."""
    descending = rankings.direction_of(draft)
    by_field: dict[str, int] = {}
    for limit in draft.filters.limits:
        if limit.values:
            by_field[limit.values.field.name] = by_field.get(limit.values.field.name, 0) + 1
    if descending is None or 2 not in by_field.values() or draft.tags.place("count") == 0:
        return None
    sides = comparisons.sides_of(draft)
    if len(sides) != 2:
        return None
    quantity = quantity_asked(draft)
    if quantity is None and draft.tags.has("vague"):
        options = [
            Option(field.column.name, comparisons.more_of_two(draft, sides, quantity_of(field), "mean", descending))
            for field in draft.frame.fields
            if field.column.is_numeric
        ]
        first = options[0] if options else None
        return Composed(first.query, options=tuple(options), word=_vague_word(draft)) if first else None
    if quantity and quantity.field and is_rank(quantity.field):
        descending = not descending
    query = comparisons.more_of_two(draft, sides, quantity, function_for(draft, quantity), descending)
    return Composed(query, is_guess=quantity is None)


def first_or_last(draft: Draft) -> Order | None:
    """Returns the order for "first" and "last": by the date, or else that of the rows."""
    if not draft.tags.has("first", "last"):
        return None
    date = draft.date()
    by = date.name if date else ROW
    return Order(by=by, descending=not draft.tags.has("first"))


def neighbouring_row(draft: Draft) -> Composed | None:
    """Handles "what comes after X": the row after or before the row of a value."""
    step = 1 if draft.tags.has("next") else -1 if draft.tags.has("previous") else 0
    values = [limit for limit in draft.filters.limits if limit.values]
    if not step or len(values) != 1 or not draft.tags.has("which") or draft.tags.place("count") == 0:
        return None
    spans = draft.tags.operations["next" if step > 0 else "previous"]
    if not any(0 <= values[0].first - last <= 2 or (last > values[0].last) for _, last in spans):
        return None
    link = values[0].values
    fields = roles.targets(draft)
    own = [field for field in fields if link and field.name != link.field.name and _follows_which(draft, field)]
    name = own[0].name if own and not draft.tags.has("who") else link.field.name if link else ""
    order = [Order(by=ROW, descending=step > 0)]
    return Composed(draft.query(columns=[name], step=step, order=order, limit=1))


def is_ordinal(field: Field) -> bool:
    """Returns whether a numeric column holds ranks or years, which are never added up."""
    return is_rank(field) or _is_year_column(field)


def _is_year_column(field: Field) -> bool:
    column = field.column
    try:
        return column.type == "number" and float(column.least) >= 1500 and float(column.most) <= 2100
    except ValueError:
        return False
