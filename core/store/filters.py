"""Checks and parses the record store's filters, sort orders and field paths, once for every engine."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from pydantic import JsonValue

from core.store.truth import Filter, Json, Sort

Scalar = str | int | float | bool | None

COMPARISONS = ("$gt", "$gte", "$lt", "$lte")
LISTS = ("$in", "$nin")
OPERATORS = ("$eq", "$ne", *LISTS, *COMPARISONS, "$exists")

_NAME = re.compile(r"[a-z][a-z0-9_]{0,62}")
_SEGMENT = re.compile(r"[^$\"'\\\x00-\x1f.][^\"'\\\x00-\x1f.]*")
_INT64 = 2**63


@dataclass(frozen=True)
class Test:
    """One condition on one field. ``operand`` is a scalar, a tuple of scalars or, for ``$exists``, a bool."""

    field: str
    operator: str
    operand: Scalar | tuple[Scalar, ...]

    @property
    def values(self) -> tuple[Scalar, ...]:
        return self.operand if isinstance(self.operand, tuple) else (self.operand,)


@dataclass(frozen=True)
class AllOf:
    parts: tuple[Node, ...]


@dataclass(frozen=True)
class AnyOf:
    parts: tuple[Node, ...]


Node = Test | AllOf | AnyOf


def parse(filter: Filter | None) -> AllOf:
    """The filter as a tree.

    Raises:
        ValueError: the filter uses a field name, operator or operand outside of the supported subset.
    """
    return AllOf(tuple(_nodes(filter or {})))


def _nodes(filter: Filter) -> Iterator[Node]:
    for field, value in filter.items():
        if field in ("$or", "$and"):
            parts = tuple(parse(part) for part in _branches(field, value))
            yield AnyOf(parts) if field == "$or" else AllOf(parts)
        elif isinstance(value, Mapping):
            yield from _tests(check_field(field), value)
        else:
            yield Test(check_field(field), "$eq", _scalar(field, value))


def _branches(operator: str, value: object) -> Sequence[Filter]:
    if not isinstance(value, list | tuple) or not value or not all(isinstance(part, Mapping) for part in value):
        raise ValueError(f"{operator} wants a list of at least one filter")
    return value


def _tests(field: str, conditions: Mapping[str, object]) -> Iterator[Test]:
    if not conditions:
        raise ValueError(f"{field!r} is compared with an empty object; use one of {', '.join(OPERATORS)}")
    for operator, operand in conditions.items():
        yield Test(field, operator, _operand(field, operator, operand))


def _operand(field: str, operator: str, operand: object) -> Scalar | tuple[Scalar, ...]:
    if operator not in OPERATORS:
        raise ValueError(f"unknown operator {operator!r} on {field!r}; allowed are {', '.join(OPERATORS)}")
    if operator in LISTS:
        if isinstance(operand, str | Mapping) or not isinstance(operand, Collection):
            raise ValueError(f"{operator} on {field!r} wants a list")
        return tuple(_scalar(field, value) for value in operand)
    if operator == "$exists" and not isinstance(operand, bool):
        raise ValueError(f"$exists on {field!r} wants true or false")
    if operator in COMPARISONS and (isinstance(operand, bool) or not isinstance(operand, int | float | str)):
        raise ValueError(f"{operator} on {field!r} wants a number or a text")
    return _scalar(field, operand)


def _scalar(field: str, value: object) -> Scalar:
    if value.__class__ is str and "\x00" not in value:
        return value  # the usual case, and a thousand times for a list of ids
    if value is not None and not isinstance(value, str | int | float | bool):
        raise ValueError(f"{field!r} can be compared with a text, a number, true, false or null, not {type(value)}")
    if isinstance(value, float) and not -float("inf") < value < float("inf"):
        raise ValueError(f"{field!r} is compared with a number that is not finite")
    if isinstance(value, int) and not -_INT64 <= value < _INT64:
        raise ValueError(f"{field!r} is compared with a number beyond 64 bits")
    if isinstance(value, str) and "\x00" in value:
        raise ValueError(f"{field!r} is compared with a text that holds a NUL character")
    return value


def check_field(field: str) -> str:
    """Check a field name or dotted path; one that any engine would interpret differently is refused."""
    if not isinstance(field, str) or not all(_SEGMENT.fullmatch(segment) for segment in field.split(".")):
        raise ValueError(f"not a field name: {field!r}")
    return field


def check_name(name: str) -> str:
    """A collection name: lower-case letters, digits and underscores."""
    if not _NAME.fullmatch(name) or name.startswith(("sqlite_", "system_")):
        raise ValueError(f"not a collection name: {name!r}")
    return name


def check_sort(sort: Sort) -> list[tuple[str, int]]:
    """The full order: the sort, with ``_id`` ascending as the last field unless it is already included."""
    order: list[tuple[str, int]] = []
    for field, direction in sort:
        if direction not in (1, -1):
            raise ValueError(f"the direction of {field!r} is 1 or -1, not {direction!r}")
        order.append((check_field(field), direction))
        if field == "_id":
            return order
    return [*order, ("_id", 1)]


def check_limit(limit: int | None) -> int | None:
    if limit is not None and limit < 0:
        raise ValueError(f"a limit is not negative: {limit}")
    return limit


def check_fields(fields: Sequence[str] | None) -> list[str] | None:
    """The fields to keep, without those inside another one."""
    if fields is None:
        return None
    names = {check_field(field) for field in fields} - {"_id"}
    return sorted(name for name in names if not any(name.startswith(f"{other}.") for other in names))


def check_document(document: Json) -> str:
    """The document's ``_id``."""
    identifier = document.get("_id")
    if not isinstance(identifier, str) or not identifier or "\x00" in identifier:
        raise ValueError(f"a document needs a text as _id, not {identifier!r}")
    return identifier


def free(filter: Filter, now: float) -> Filter:
    """``filter``, limited to documents without a valid lease."""
    return {"$and": [filter, {"$or": [{"lease_owner": None}, {"lease_until": {"$lte": now}}]}]}


def lookup(document: Json, field: str) -> JsonValue:
    """The value at a dotted path; ``None`` if there is none."""
    value: JsonValue = document
    for segment in field.split("."):
        if not isinstance(value, dict) or segment not in value:
            return None
        value = value[segment]
    return value


def number_at(document: Json, field: str) -> float:
    """The number at ``field``; 0 if there is none."""
    value = lookup(document, field)
    return float(value) if isinstance(value, int | float) else 0.0


def project(document: Json, fields: Sequence[str]) -> Json:
    """The document with only ``_id`` and ``fields``, as MongoDB projects: a parent object is kept, even if empty."""
    kept: Json = {"_id": document["_id"]}
    for field in fields:
        source, target = document, kept
        *parents, last = field.split(".")
        for segment in parents:
            child = source.get(segment)
            if not isinstance(child, dict):
                break
            source, target = child, cast(Json, target.setdefault(segment, {}))
        else:
            if last in source:
                target[last] = source[last]
    return kept


def number_text(number: float) -> str:
    """A number as a label: ``1`` and ``1.0`` are the same."""
    return str(int(number)) if number == int(number) else repr(number)
