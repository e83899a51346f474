"""Finds the roles of columns in a question: what to group by, what is asked for, what is counted."""

from __future__ import annotations

from core.datasets.query.model import Group
from core.datasets.records import Column
from core.datasets.words.draft import Draft
from core.datasets.words.frames import Field
from core.datasets.words.links import ColumnLink
from core.datasets.words.tokens import words_of
from core.datasets.words.vocabulary import bucket_of, groups_of, is_filler, operations
from core.language import hebrew
from core.language.terms import stem

_NEAR = 4
_BUCKETS = ("year", "half", "quarter", "month", "week", "day", "weekday", "hour")


def groups_in(draft: Draft) -> list[Group]:
    """Returns the columns and parts of dates after words such as "by" and "per"."""
    found: list[Group] = []
    tokens = draft.tags.words.tokens
    once = draft.tags.operations.get("each_once", [])
    for first, last in draft.tags.operations.get("by", ()):
        if any(start <= first < end for start, end in once):
            continue
        place = last
        while (
            place < len(tokens)
            and place - last < 2
            and is_filler(tokens[place].text)
            and not bucket_of(tokens[place].text)
        ):
            if any(link.first == place for link in draft.free):
                break
            place += 1
        group = _group_at(draft, place)
        while group:
            found.append(group[0])
            place = group[1]
            group = _group_at(draft, further) if (further := _next_named(draft, place)) else None
    found += _adjective(draft) if not found else []
    parts = {group.column for group in found if group.bucket}
    once_each = {
        (group.column, group.bucket): group
        for group in found
        if group.bucket not in (None, "day") or group.column not in parts or len(found) == 1
    }
    finer = [
        group
        for group in once_each.values()
        if group.bucket != "day" or len([each for each in once_each.values() if each.column == group.column]) == 1
    ]
    return finer or list(once_each.values())


def _next_named(draft: Draft, place: int) -> int | None:
    """Returns the place of the next word of a list, if the word at ``place`` goes on with it: after "and", joined to a
    Hebrew "and", or after a comma."""
    tokens, words = draft.tags.words.tokens, draft.tags.words
    if place >= len(tokens):
        return None
    if tokens[place].text in operations().both:
        return place + 1
    is_joined = hebrew.is_hebrew(tokens[place].text) and any(map(tokens[place].text.startswith, operations().both))
    between = words.question[tokens[place - 1].source[1] : tokens[place].source[0]]
    return place if is_joined or between.strip() == "," else None


def _group_at(draft: Draft, place: int) -> tuple[Group, int] | None:
    tokens = draft.tags.words.tokens
    if place >= len(tokens):
        return None
    link = next((link for link in draft.free if link.first <= place < link.last), None)
    bucket = bucket_of(tokens[place].text)
    if bucket and hebrew.is_hebrew(tokens[place].text) and tokens[place].text.startswith(hebrew.THE):
        return None  # "in all the year" names no group.
    date = draft.date()
    after = next(
        (each for each in draft.free if link and each.first == link.last and not each.field.column.is_numeric), None
    )
    if link and after and _next_named(draft, link.last) is None:
        draft.explain(link)
        link = after
    if link and link.field.column.is_dated:
        draft.explain(link)
        return Group(column=link.field.name, bucket=bucket or _bucket(link.field)), link.last
    if link and not link.field.column.is_numeric:
        draft.explain(link)
        return Group(column=link.field.name), link.last
    if link and bucket and link.score >= 0.95:
        draft.explain(link)
        return Group(column=link.field.name), link.last
    if bucket and date and not link:
        # "month of the invoice date" names the column after it.
        named = (each for each in draft.free if each.field.column.is_dated and 1 < each.first - place <= _NEAR)
        if own := next((each for each in named if _only_fillers(draft, place + 1, each.first)), None):
            return Group(column=draft.explain(own).name, bucket=bucket), own.last
    if bucket and date:
        return Group(column=date.name, bucket=bucket), place + 1
    return None


def _only_fillers(draft: Draft, first: int, last: int) -> bool:
    tokens = draft.tags.words.tokens[first:last]
    return all(is_filler(token.text) and token.text not in operations().both for token in tokens)


def _bucket(field: Field) -> str | None:
    """Returns the part of a date that the heading of a column names: *Month*."""
    return next((found for word in words_of(field.column.name) if (found := bucket_of(word)) and found != "day"), None)


def _adjective(draft: Draft) -> list[Group]:
    """Handles "monthly sales": a part of a date directly before what is measured."""
    date = draft.date()
    for token in draft.tags.words.tokens:
        if (
            date
            and token.text in operations().periodic
            and (bucket := bucket_of(token.text))
            and not draft.tags.has("mean")
        ):
            return [Group(column=date.name, bucket=bucket)]
    return []


def asked_bucket(draft: Draft) -> Group | None:
    """Returns the part of a date that is asked for: "which month", "what day"."""
    date = draft.date()
    tokens = draft.tags.words.tokens
    names = ("which", "largest", "smallest")
    for _, last in (span for name in names for span in draft.tags.operations.get(name, ())):
        if date and last < len(tokens) and (bucket := bucket_of(tokens[last].text)):
            return Group(column=date.name, bucket=bucket)
    return None


def targets(draft: Draft) -> list[Field]:
    """Returns the columns that are asked for, in order: those after "which" first, then all others that hold no
    numbers."""
    links = [link for link in draft.free if not link.field.column.is_numeric and link.field.column.type != "boolean"]
    after = draft.tags.place("which")
    links.sort(key=lambda link: (link.first < after, link.first))
    fields = [draft.explain(link) for link in links]
    return list(dict.fromkeys(fields))


def label_of(draft: Draft, field: Field) -> Field:
    """Returns the column of names for a column of keys, if the frame has one: *Name* for *Customer ID*."""
    join = next((join for join in draft.frame.joins if join.left == field.name), None)
    owner = join.dataset if join else field.dataset.id if _is_code(field.column) else None
    if owner is None:
        return field
    own = words_of(field.column.name)[:1]
    names = [
        each
        for each in draft.frame.fields
        if each.dataset.id == owner
        and _is_name(each.column)
        and (join or field.is_key or words_of(each.column.name)[:1] == own)
    ]
    names += [each for each in draft.frame.fields if join and each.dataset.id == owner and each.column.type == "text"]
    return names[0] if names else field


def _is_code(column: Column) -> bool:
    return column.type == "code"


def _is_name(column: Column) -> bool:
    groups = groups_of("name")
    return not column.is_numeric and any(groups_of(word) & groups for word in words_of(column.name)[-1:])


def is_identifier(field: Field) -> bool:
    """Returns whether a column holds identifiers of things that may have several rows: receipts, orders, people."""
    column = field.column
    return column.type in ("code", "text") and column.distinct > 50 and column.distinct > field.dataset.rows // 50


def counted(draft: Draft) -> tuple[ColumnLink | None, str]:
    """Returns what "how many" counts: a column and its word, or ``None`` and the word that it counts."""
    spans = draft.tags.operations.get("count") or draft.tags.operations.get("share") or ()
    tokens = draft.tags.words.tokens
    for _, last in spans:
        for place in range(last, min(last + _NEAR, len(tokens))):
            text = tokens[place].text
            link = next((link for link in draft.tags.columns if link.first <= place < link.last), None)
            if (
                link
                and link.last < len(tokens)
                and tokens[link.last].text in operations().rows
                and not draft.tags.has("distinct")
            ):
                return None, tokens[link.last].text
            if link:
                return link, text
            if place == last and text in operations().sold:
                return None, ""  # "how much did we sell in the shop": nothing is counted.
            if text in operations().rows or bucket_of(text):
                return None, text
            if any(value.first <= place < value.last for value in draft.tags.values):
                return None, ""
            if not is_filler(text) and not _in_operation(draft, place) and not _qualifies(draft, place):
                return None, text
    return None, ""


def _qualifies(draft: Draft, place: int) -> bool:
    """Returns whether a word of the table's name comes before the word that is counted: "outdoor orders"."""
    texts = (*draft.frame.names, *draft.frame.dataset.titles)
    names = {stem(word) for text in texts for word in words_of(text)}
    is_name = stem(draft.tags.words.tokens[place].text) in names
    return is_name and any(link.first == place + 1 for link in draft.tags.columns)


def _in_operation(draft: Draft, place: int) -> bool:
    names = ("distinct", "by", "largest", "smallest", "sum", "mean")
    return any(first <= place < last for name in names for first, last in draft.tags.operations.get(name, ()))
