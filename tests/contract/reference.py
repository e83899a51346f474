"""Reference implementation in plain Python of the record store's filter and sort order."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cmp_to_key
from typing import Any

MISSING = object()


def at(document: Any, field: str) -> Any:
    for segment in field.split("."):
        if not isinstance(document, dict) or segment not in document:
            return MISSING
        document = document[segment]
    return document


def kind(value: Any) -> int:
    """Returns the rank of the value's type in the sort order."""
    if value is None or value is MISSING:
        return 0
    if isinstance(value, bool):
        return 5
    if isinstance(value, int | float):
        return 1
    return {str: 2, dict: 3, list: 4}[type(value)]


def equal(left: Any, right: Any) -> bool:
    if kind(left) != kind(right) or kind(left) in (3, 4):
        return False
    return kind(left) == 0 or bool(left == right)


def ordered(compare: Callable[[Any, Any], bool]) -> Callable[[Any, Any], bool]:
    return lambda left, right: kind(left) == kind(right) and compare(left, right)


POSITIVE: dict[str, Callable[[Any, Any], bool]] = {
    "$eq": equal,
    "$in": lambda value, operands: any(equal(value, operand) for operand in operands),
    "$gt": ordered(lambda left, right: left > right),
    "$gte": ordered(lambda left, right: left >= right),
    "$lt": ordered(lambda left, right: left < right),
    "$lte": ordered(lambda left, right: left <= right),
}
OPPOSITE = {"$ne": "$eq", "$nin": "$in"}


def holds(value: Any, operator: str, operand: Any) -> bool:
    if operator == "$exists":
        return (value is not MISSING) == operand
    if operator in OPPOSITE:
        return not holds(value, OPPOSITE[operator], operand)
    candidates = [value, *(value if isinstance(value, list) else [])]
    return any(POSITIVE[operator](candidate, operand) for candidate in candidates)


def matches(document: Mapping[str, Any], filter: Mapping[str, Any]) -> bool:
    for field, condition in filter.items():
        if field == "$or":
            if not any(matches(document, part) for part in condition):
                return False
        elif field == "$and":
            if not all(matches(document, part) for part in condition):
                return False
        else:
            tests = condition if isinstance(condition, dict) else {"$eq": condition}
            value = at(document, field)
            if not all(holds(value, operator, operand) for operator, operand in tests.items()):
                return False
    return True


def compare(left: Any, right: Any) -> int:
    if kind(left) != kind(right):
        return -1 if kind(left) < kind(right) else 1
    if kind(left) in (0, 3, 4) or left == right:
        return 0
    return -1 if left < right else 1


def arranged(documents: Iterable[dict[str, Any]], sort: Iterable[tuple[str, int]]) -> list[dict[str, Any]]:
    order = [*sort, ("_id", 1)]

    def both(left: dict[str, Any], right: dict[str, Any]) -> int:
        steps = (direction * compare(at(left, field), at(right, field)) for field, direction in order)
        return next((step for step in steps if step), 0)

    return sorted(documents, key=cmp_to_key(both))
