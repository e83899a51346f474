"""Changes the previous query by a follow-up question: "and in June?", "only Norway?", "and the highest?"."""

from __future__ import annotations

from collections.abc import Sequence

from core.datasets.query.model import Calculation, Condition, DataQuery, Filter, Measure, Order
from core.datasets.words import rankings, roles
from core.datasets.words.composed import Composed
from core.datasets.words.draft import Draft, named_columns
from core.datasets.words.tokens import Words
from core.datasets.words.vocabulary import follow_up_patterns, operation_patterns

_LONGEST = 12
"""Maximum number of words of a question that changes the one before."""
_SHORT = 5
"""Maximum number of words of one that names only what changes."""
_VALUE = "value"
"""Name of a measure by which groups are ordered."""


def may_follow(words: Words) -> bool:
    """Returns whether a question opens like one that changes the question before it, or refers to its answer."""
    opening = follow_up_patterns()["opening"].match(words.text) or follow_up_patterns()["joined"].match(words.text)
    opens = (operation_patterns()[name].match(words.text) for name in ("largest", "smallest"))
    if len(words.tokens) <= _SHORT and any(opens):
        return True
    return len(words.tokens) <= _LONGEST and bool(opening or follow_up_patterns()["refers"].search(words.text))


def only_groups(draft: Draft) -> bool:
    """Returns whether a question says only how to group what was asked before: "by city"."""
    kept = draft.kept()
    groups, tags = roles.groups_in(draft), draft.tags
    is_more = tags.has("count", "which", "sum", "mean", "largest", "smallest") or draft.filters.limits or draft.free
    draft.restore(kept)
    return bool(groups) and not is_more and len(tags.words.tokens) <= _SHORT


def refers(words: Words) -> bool:
    """Returns whether a question refers to the answer before it: "how many of them"."""
    return bool(follow_up_patterns()["refers"].search(words.text))


def within(query: DataQuery, previous: DataQuery) -> DataQuery:
    """Returns ``query`` over the rows of the ``previous`` one."""
    return query.model_copy(update={"where": replaced(previous.where, query.where)})


def followed(draft: Draft, previous: Sequence[DataQuery]) -> Composed | None:
    """Returns the newest of the ``previous`` queries, changed by the question; ``None`` if it asks something else."""
    query = previous[-1]
    tags = draft.tags
    _explain_qualifiers(draft)
    numeric = [link for link in draft.free if link.field.column.is_numeric]
    if tags.has("share") and query.measures and draft.filters.limits:
        measure = query.measures[0]
        where = draft.filters.conditions
        share = Measure(function="share", column=measure.column, where=where, name="share")
        return _changed(draft, query, measures=[share], calculations=[], order=[], limit=None)
    if tags.has("change", "difference", "growth") and not draft.filters.limits and not numeric:
        return _change_between(draft, previous)
    direction = rankings.direction_of(draft)
    if direction is not None and query.order and not numeric and not draft.filters.limits:
        order = [query.order[0].model_copy(update={"descending": direction})]
        return _changed(draft, query, order=order)
    if direction is not None and query.group and query.measures and not numeric and not draft.filters.limits:
        return _ranked(draft, query, direction)
    groups = roles.groups_in(draft)
    if tags.has("count", "which", "sum", "mean") and not _is_short(draft):
        return None
    if not query.measures and query.where and refers(tags.words):
        return None
    if numeric and query.measures and query.measures[0].column:
        fields = [draft.explain(link) for link in numeric]
        measures = [query.measures[0].model_copy(update={"column": fields[0].name}), *query.measures[1:]]
        query = query.model_copy(update={"measures": measures})
    elif not draft.filters.limits and not groups:
        return None
    query = _limited(query, draft.filters.conditions)
    # "By city" asks for all cities, also after a question about one of them.
    grouped = {group.column for group in groups if group.bucket is None}
    where = [each for each in query.where if each in draft.filters.conditions or not _columns(each) <= grouped]
    measures = query.measures or ([Measure(function="count", name="count")] if groups else [])
    return _changed(draft, query, where=where, group=groups or query.group, measures=measures)


def _ranked(draft: Draft, query: DataQuery, descending: bool) -> Composed:
    """Returns the groups with the largest or smallest first measure."""
    first = query.measures[0].model_copy(update={"name": query.measures[0].name or _VALUE})
    limit = rankings.number_asked(draft)
    where = [*query.where, *(Condition(column=group.column, op="is not empty") for group in query.group)]
    return _changed(
        draft, query, measures=[first, *query.measures[1:]], order=[Order(by=first.name, descending=descending)],
        limit=limit or 1, extreme=limit is None, where=list(dict.fromkeys(where)),
    )  # fmt: skip


def _is_short(draft: Draft) -> bool:
    return len(draft.tags.words.tokens) <= _SHORT


def _explain_qualifiers(draft: Draft) -> None:
    used = {limit.values.field.name for limit in draft.filters.limits if limit.values}
    draft.explained += [link for link in draft.free if link.field.name in used]


def replaced(old: Sequence[Filter], new: Sequence[Filter]) -> list[Filter]:
    """Returns the old conditions with the new ones in place of those on the same columns."""
    columns = {name for each in new for name in _columns(each)}
    return [*(each for each in old if not columns & _columns(each)), *new]


def _limited(query: DataQuery, new: Sequence[Filter]) -> DataQuery:
    """Returns the query with new conditions: in its only measure if that is limited by the same columns ("the share of
    North", "and South?"), otherwise for all rows."""
    columns = {name for each in new for name in _columns(each)}
    own = {name for measure in query.measures for each in measure.where for name in _columns(each)}
    if len(query.measures) == 1 and columns and columns <= own:
        measure = query.measures[0]
        return query.model_copy(
            update={"measures": [measure.model_copy(update={"where": replaced(measure.where, new)})]}
        )
    return query.model_copy(update={"where": replaced(query.where, new)})


def _columns(condition: Filter) -> set[str]:
    return {condition.column} if isinstance(condition, Condition) else {part.column for part in condition.any_of}


def _change_between(draft: Draft, previous: Sequence[DataQuery]) -> Composed | None:
    """Returns the change from the query before the last one to the last one, which differ in one condition."""
    if len(previous) < 2 or not previous[-1].measures or previous[-1].measures != previous[-2].measures:
        return None
    before, after = previous[-2].where, previous[-1].where
    old = [each for each in before if each not in after]
    new = [each for each in after if each not in before]
    if len(old) != 1 or len(new) != 1:
        return None
    names = [_name(old[0], "before"), _name(new[0], "after")]
    measures = [
        previous[-1].measures[0].model_copy(update={"where": [part], "name": name})
        for part, name in zip((old[0], new[0]), names, strict=True)
    ]
    expression = f"[{names[1]}] - [{names[0]}]"
    calculation = Calculation(name="difference", expression=expression)
    if draft.tags.has("growth"):
        calculation = Calculation(name="growth", expression=f"({expression}) / [{names[0]}]", unit="%")
    where = [each for each in after if each not in new]
    return _changed(draft, previous[-1], measures=measures, calculations=[calculation], where=where)


def _name(condition: Filter, default: str) -> str:
    return str(condition.value) if isinstance(condition, Condition) and condition.value is not None else default


def _changed(draft: Draft, query: DataQuery, **changes: object) -> Composed:
    made = query.model_copy(update=changes)
    joins = {join.dataset: join for join in [*query.joins, *draft.frame.joins_for(named_columns(made))]}
    return Composed(made.model_copy(update={"joins": list(joins.values())}))
