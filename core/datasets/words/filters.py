"""Makes the conditions of a query from the words that were assigned to values, times, comparisons and columns."""

from __future__ import annotations

from dataclasses import dataclass, field

from core.datasets.query.model import AnyOf, Condition, Filter
from core.datasets.words.bounds import Bound, number_of
from core.datasets.words.dated import date_fields, time_conditions
from core.datasets.words.frames import Field
from core.datasets.words.links import PARTIAL, ColumnLink, ValueLink
from core.datasets.words.tagging import Tagged
from core.datasets.words.times import Time
from core.datasets.words.tokens import STEM, words_of
from core.datasets.words.understanding import Absent
from core.datasets.words.vocabulary import groups_of, headings, is_filler, operations
from core.language.entities.calendar_words import years_in
from core.language.terms import stem

_REACH = 3


@dataclass(frozen=True)
class Limit:
    """A condition and where its words are in the question."""

    condition: Filter
    first: int
    last: int
    name: str = ""
    values: ValueLink | None = None
    time: Time | None = None


@dataclass
class Filters:
    """The conditions of a question. ``used`` are the column links that belong to one of them."""

    limits: list[Limit] = field(default_factory=list)
    used: list[ColumnLink] = field(default_factory=list)
    absent: Absent | None = None
    dates: list[Field] = field(default_factory=list)
    unclear: list[ValueLink] = field(default_factory=list)

    @property
    def conditions(self) -> list[Filter]:
        """The conditions; several values of one column are joined by "or"."""
        made: list[Filter] = []
        places: dict[tuple[str, str], int] = {}
        for limit in self.limits:
            condition = limit.condition
            is_clear = limit.values is not None or limit.time is not None
            if not is_clear or not isinstance(condition, Condition) or condition.op not in _JOINED:
                made.append(condition)
                continue
            key = (condition.column, f"{_JOINED[condition.op]} {condition.bucket or ''}")
            if key not in places:
                places[key] = len(made)
                made.append(condition)
                continue
            made[places[key]] = _either(made[places[key]], condition)
        return made


_JOINED = {"=": "in", "in": "in", "contains": "contains"}


def _either(one: Filter, other: Condition) -> Filter:
    """Returns the condition that holds where one of two conditions on a column holds."""
    parts = [*one.any_of, other] if isinstance(one, AnyOf) else [one, other]
    if any(part.op == "contains" for part in parts):
        return AnyOf(any_of=parts)
    values = [value for part in parts for value in (part.value if isinstance(part.value, list) else [part.value])]
    return other.model_copy(update={"op": "in", "value": list(dict.fromkeys(values))})


def filters_of(tags: Tagged) -> Filters:
    """Returns the conditions that the words of a question set."""
    made = Filters()
    _add_values(tags, made)
    _add_empties(tags, made)
    _add_columns_compared(tags, made)
    _add_bounds(tags, made)
    _add_times(tags, made)
    _add_equal_numbers(tags, made)
    _add_booleans(tags, made)
    return made


def _add_values(tags: Tagged, made: Filters) -> None:
    for link in tags.values:
        if link.others and not link.within:
            made.unclear.append(link)
        for column in tags.columns:
            near = link.first - column.last <= 1 and column.first - link.last <= 1
            if near and column.field.name == link.field.name and not tags.before(column.first, "by"):
                made.used.append(column)
        made.limits.append(Limit(_of_value(tags, link), link.first, link.last, tags.text(link.first, link.last), link))


def _of_value(tags: Tagged, link: ValueLink) -> Condition:
    negative = _is_negative(tags, link.first)
    name = link.field.name
    if link.within:
        words = (
            link.values[0]
            if len(link.values) == 1 and link.score > PARTIAL
            else tags.words.written(link.first, link.last)
        )
        return Condition(column=name, op="not contains" if negative else "contains", value=words)
    values = list(link.values)
    if len(values) > 1:
        return Condition(column=name, op="not in" if negative else "in", value=list(values))
    return Condition(column=name, op="!=" if negative else "=", value=values[0])


def _is_negative(tags: Tagged, first: int) -> bool:
    """Returns whether words such as "not" or "except" come directly before, or before other values joined by "and"."""
    if tags.before(first, "except", _REACH) or tags.before(first, "not"):
        return True
    tokens = tags.words.tokens
    earlier = [link for link in tags.values if link.last < first and tokens[link.last].text in operations().both]
    return any(link.last + 1 == first and _is_negative(tags, link.first) for link in earlier)


def _add_empties(tags: Tagged, made: Filters) -> None:
    for link in tags.columns:
        denied = link.field.column.is_dated and link.score >= STEM and tags.before(link.first, "not")
        left_out = denied or tags.before(link.first, "empty", 2)
        if not left_out or tags.before(link.first, "by"):
            continue
        spans = tags.operations["not" if denied else "empty"]
        first = max(start for start, last in spans if last <= link.first)
        excluded = any(0 < first - start <= _REACH + 2 for start, _ in tags.operations.get("except", ()))
        made.limits.append(Limit(_blank(link.field, excluded), link.first, link.last))
        made.used.append(link)


def _blank(field_: Field, excluded: bool) -> Filter:
    """Returns the condition that a cell is empty, or 0 in a column of numbers; or that it is not."""
    if excluded:
        return Condition(column=field_.name, op="is not empty")
    empty = Condition(column=field_.name, op="is empty")
    return AnyOf(any_of=[empty, Condition(column=field_.name, value=0)]) if field_.column.is_numeric else empty


def _add_booleans(tags: Tagged, made: Filters) -> None:
    for link in tags.columns:
        if link.field.column.type != "boolean" or link in made.used or tags.before(link.first, "by"):
            continue
        value = not _is_negative(tags, link.first)
        made.limits.append(
            Limit(
                Condition(column=link.field.name, value=value), link.first, link.last, tags.text(link.first, link.last)
            )
        )
        made.used.append(link)


def _add_bounds(tags: Tagged, made: Filters) -> None:
    for bound in tags.bounds:
        if counted_after(tags, bound)[0]:
            tags.left += range(bound.first, bound.last)
            continue
        column = _column_of(tags, bound, made)
        is_named = any(link.field.column.is_numeric for link in tags.columns)
        if not is_named and (limit := _open_class(tags, bound)):
            made.limits.append(limit)
            continue
        if column is None:
            tags.left += [
                place
                for place in range(bound.first, bound.last)
                if number_of(tags.words.tokens[place].text.rstrip("+")) is not None
            ]
            continue
        field_, link = column
        if link:
            made.used.append(link)
        value = bound.value if bound.upper is None else [bound.value, bound.upper]
        if field_.column.type == "percent" and not bound.is_percent and bound.value > 1:
            value = value / 100 if isinstance(value, float) else [end / 100 for end in value]
        condition = Condition(column=field_.name, op=bound.op, value=value)
        made.limits.append(Limit(condition, bound.first, bound.last))


def counted_after(tags: Tagged, bound: Bound) -> tuple[bool, ColumnLink | None]:
    """Returns whether a number counts rows or things, "more than 100 orders", and the column of the things."""
    place = bound.last
    measured = any(link.field.column.is_numeric and 0 <= bound.first - link.last <= 1 for link in tags.columns)
    if place >= len(tags.words.tokens) or bound.is_percent or measured:
        return False, None
    text = tags.words.tokens[place].text
    link = next((link for link in tags.columns if link.first == place), None)
    is_row = link is not None and any(token.text in operations().rows for token in tags.words.tokens[link.last :][:1])
    if link is not None and not is_row:
        kind = link.field.column.type
        return not (link.field.column.is_numeric or link.field.column.is_dated or kind == "boolean"), link
    names = {stem(word) for name in tags.frame.names for word in words_of(name)}
    return is_row or text in operations().often or text in operations().rows or stem(text) in names, None


def _open_class(tags: Tagged, bound: Bound) -> Limit | None:
    """Returns the condition for the class that is open to one side: "65 and over" is the category 65+."""
    mark = {">=": "+", ">": "+", "<=": "<", "<": "<"}.get(bound.op, "?")
    for field_ in tags.frame.fields:
        for value in field_.column.values:
            bare = value.replace(" ", "")
            if bare in (
                f"{bound.value:g}{mark}",
                f"{mark}{bound.value:g}",
                f"{'>=' if mark == '+' else '<='}{bound.value:g}",
            ):
                return Limit(Condition(column=field_.name, value=value), bound.first, bound.last)
    return None


def _column_of(tags: Tagged, bound: Bound, made: Filters) -> tuple[Field, ColumnLink | None] | None:
    """Returns the numeric column that a number is compared with: the nearest one that is named, or the only one."""
    links = [link for link in tags.columns if link.field.column.is_numeric and link not in made.used]
    if bound.is_percent and (percent := [link for link in links if link.field.column.type == "percent"]):
        links = percent
    if links:
        near = min(links, key=lambda link: min(abs(bound.first - link.last), abs(link.first - bound.last) + 0.5))
        return near.field, near
    kinds = ("percent",) if bound.is_percent else ("number", "money", "percent")
    fields = [field for field in tags.frame.fields if field.column.type in kinds]
    return (fields[0], None) if len(fields) == 1 else None


def _add_columns_compared(tags: Tagged, made: Filters) -> None:
    """Handles "below their minimum stock" and "30 % over budget": a comparison with another column."""
    for link in tags.columns:
        if not link.field.column.is_numeric or link in made.used:
            continue
        op, first = _comparison_before(tags, link)
        if op is None or any(bound.last == link.first for bound in tags.bounds if bound.op != op):
            continue
        other = _counterpart(tags, link)
        if other is None:
            continue
        made.used.append(link)
        made.used += [each for each in tags.columns if each.field.name == other.name and each not in made.used]
        share = next((bound for bound in tags.bounds if bound.is_percent and bound.last <= link.first), None)
        if share:
            tags.bounds.remove(share)
            percent = _deviation(tags, share)
            if percent:
                value = -share.value if op == "<" else share.value
                sign = share.op if op == ">" else {">": "<", ">=": "<=", "<": ">", "<=": ">="}.get(share.op, share.op)
                made.limits.append(Limit(Condition(column=percent.name, op=sign, value=value), first, link.last))
                continue
        made.limits.append(Limit(Condition(column=other.name, op=op, other=link.field.name), first, link.last))


def _comparison_before(tags: Tagged, link: ColumnLink) -> tuple[str | None, int]:
    from core.datasets.words.bounds import comparison_words

    for op, pattern in comparison_words().items():
        if op not in ("<", ">", "<=", ">="):
            continue
        for match in pattern.finditer(tags.words.text):
            first, last = tags.words.span(*match.span())
            between = tags.words.tokens[last : link.first]
            if last <= link.first and len(between) <= 2 and all(is_filler(token.text) for token in between):
                return op, first
    return None, 0


def _counterpart(tags: Tagged, link: ColumnLink) -> Field | None:
    """Returns the column that is compared: one that is named, or the usual opposite of this one."""
    others = [
        each.field
        for each in tags.columns
        if each is not link
        and each.field.column.is_numeric
        and each.last <= link.first
        and each.field.column.type == link.field.column.type
    ]
    if others:
        return others[-1]
    groups = set[int]()
    for word in link.field.column.name.lower().replace(".", " ").split():
        if name := headings().counterparts.get(word):
            groups |= groups_of(name)
    for field_ in tags.frame.fields:
        name = field_.column.name.lower()
        parts = (name, *name.split())
        if (
            field_.column.is_numeric
            and field_.name != link.field.name
            and any(groups_of(part) & groups for part in parts)
        ):
            return field_
    return None


def _deviation(tags: Tagged, share: Bound) -> Field | None:
    return next((field_ for field_ in tags.frame.fields if field_.column.type == "percent"), None)


def _add_times(tags: Tagged, made: Filters) -> None:
    if not tags.times:
        return
    made.dates = date_fields(tags)
    if not made.dates:
        _add_written_times(tags, made)
        return
    for time in tags.times:
        if not made.dates:
            continue
        found = time_conditions(tags, time, made.dates[0])
        if isinstance(found, Absent):
            made.absent = found
            continue
        made.limits += [
            Limit(each, time.first, time.last, tags.text(time.first, time.last), time=time) for each in found
        ]


def _add_equal_numbers(tags: Tagged, made: Filters) -> None:
    """Handles a bare number next to a numeric column: "3 goals", "division 2"."""
    for place in list(tags.left):
        text = tags.words.tokens[place].text
        number = number_of(text.rstrip("stndrh") if text[0].isdigit() else text)
        ranked = any(place in (first - 1, last) for first, last in tags.operations.get("largest", ()))
        links = [link for link in tags.columns if link.field.column.is_numeric and place in (link.first - 1, link.last)]
        if number is None or ranked or not links or links[0] in made.used:
            continue
        condition = Condition(column=links[0].field.name, value=number)
        made.limits.append(Limit(condition, place, place + 1))
        made.used.append(links[0])
        tags.left.remove(place)


def _add_written_times(tags: Tagged, made: Filters) -> None:
    """Looks for times in a column of texts whose heading says that it holds times, such as *Season*."""
    groups = groups_of("date") | groups_of("year")
    fields = [
        each
        for each in tags.frame.fields
        if not each.column.is_numeric and any(groups_of(word) & groups for word in words_of(each.column.name))
    ]
    titles = [year for text in (*tags.frame.dataset.titles, *tags.frame.names) for year in years_in(text)]
    for time in tags.times:
        if fields and time.relation == "in" and not (time.end or time.relative or time.now):
            words = tags.words.written(time.first, time.last)
            condition = Condition(column=fields[0].name, op="contains", value=words)
            made.limits.append(Limit(condition, time.first, time.last, words))
        elif time.year not in titles:
            tags.left += range(time.first, time.last)


def text_limit(tags: Tagged, fields: list[Field], op: str, words: list[str], span: tuple[int, int]) -> Limit:
    """Returns the condition that a text column contains one of ``words``."""
    conditions = [Condition(column=field_.name, op=op, value=word) for field_ in fields for word in words]
    return Limit(conditions[0] if len(conditions) == 1 else AnyOf(any_of=conditions), *span)
