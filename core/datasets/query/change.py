"""Changes one part of a query, as a user does on the page: a filter, a group, a measure, the order or the limit."""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import BaseModel, ValidationError

from core.datasets.query.model import AnyOf, Bucket, Comparison, Condition, DataQuery, Function, Group, Measure, Order
from core.errors import fail

_SEPARATOR = ";"
Part = Condition | AnyOf | Group | Measure | Order


class PartChange(BaseModel):
    """What replaces a part of a query. Fields that do not belong to the part are ignored; ``value`` separates several
    values by semicolons. ``remove`` removes the part."""

    column: str = ""
    op: Comparison = "="
    value: str = ""
    bucket: Bucket | None = None
    function: Function = "sum"
    descending: bool = True
    limit: int | None = None
    remove: bool = False


def part_of(query: DataQuery, path: str) -> Part | int | None:
    """Returns the part of ``query`` at ``path``, such as ``where/0``; ``None`` if there is none, or it cannot be
    changed."""
    kind, number = _split(path)
    if kind == "limit":
        return query.limit
    parts = _parts(query).get(kind, [])
    return parts[number] if number < len(parts) else None


def changed(query: DataQuery, path: str, change: PartChange) -> DataQuery:
    """Returns ``query`` with the part at ``path`` replaced. A ``path`` one beyond the last part adds one.

    Raises:
        PalimpsestError: the change does not fit ("validation").
    """
    kind, number = _split(path)
    try:
        if kind == "limit":
            update: dict[str, object] = {"limit": None if change.remove else change.limit}
        elif kind in ("where", "having"):
            update = {kind: _with(_parts(query)[kind], number, None if change.remove else _condition(change))}
        elif kind == "group":
            made = None if change.remove else Group(column=change.column, bucket=change.bucket)
            update = {"group": _with(query.group, number, made), "order": [], "changes": [], "pivot": None}
        elif kind == "measures":
            update = {"measures": _with(query.measures, number, _measure(query, number, change)), "order": []}
            update |= {"calculations": [], "changes": [], "having": []}
        elif kind == "order":
            made_order = None if change.remove else Order(by=change.column, descending=change.descending)
            update = {"order": _with(query.order, number, made_order)}
        else:
            raise fail("validation", "datasets.fixed_part")
        return DataQuery.model_validate(query.model_copy(update=update).model_dump())
    except ValidationError as error:
        raise fail("validation", "datasets.change", detail=str(error)) from error


def _parts(query: DataQuery) -> dict[str, Sequence[Part]]:
    return {
        "where": query.where, "having": query.having, "group": query.group, "measures": query.measures,
        "order": query.order,
    }  # fmt: skip


def _split(path: str) -> tuple[str, int]:
    kind, _, number = path.partition("/")
    return kind, int(number) if number.isdigit() else 0


def _with(parts: Sequence[Part], number: int, part: Part | None) -> list[Part]:
    """The parts with the one at this position replaced, removed or added at the end."""
    made = list(parts)
    made[number : number + 1] = [] if part is None else [part]
    return made


def _condition(change: PartChange) -> Condition:
    values = [value.strip() for value in change.value.split(_SEPARATOR) if value.strip()]
    if change.op in ("is empty", "is not empty"):
        return Condition(column=change.column, op=change.op)
    if change.op in ("in", "not in", "between"):
        return Condition(column=change.column, op=change.op, value=list(values), bucket=change.bucket)
    value = values[0] if len(values) == 1 else change.value.strip()
    return Condition(column=change.column, op=change.op, value=value, bucket=change.bucket)


def _measure(query: DataQuery, number: int, change: PartChange) -> Measure | None:
    if change.remove:
        return None
    before = query.measures[number] if number < len(query.measures) else None
    return Measure(function=change.function, column=change.column or None, where=before.where if before else [])
