"""Builds MongoDB queries: *a parsed filter*, or *an order and the last document* → the server's query.

MongoDB compares only within a type but sorts across types; these queries have the same meaning as in SQLite.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from core.store.filters import AllOf, Node, Test, lookup
from core.store.truth import Json

Query = dict[str, Any]

TYPES: tuple[str | list[str], ...] = ("number", "string", ["object", "array"], "bool")
"""BSON types in their order, after null."""


def translate(node: Node) -> Query:
    """A parsed filter in MongoDB's query language."""
    if isinstance(node, Test):
        operand = list(node.operand) if isinstance(node.operand, tuple) else node.operand
        return {node.field: operand if node.operator == "$eq" else {node.operator: operand}}
    parts = [translate(part) for part in node.parts]
    if isinstance(node, AllOf):
        return all_of(parts)
    return parts[0] if len(parts) == 1 else {"$or": parts}


def all_of(parts: Sequence[Query]) -> Query:
    """Fields in one document, ``_id`` first, because not every query planner looks for an index inside ``$and``, or
    beyond the first field that has one. A repeated field goes into ``$and``."""
    together: Query = {}
    apart: list[Query] = []
    named = [item for part in parts for item in part.items()]
    for field, condition in sorted(named, key=lambda each: each[0] != "_id"):
        if field == "$and":
            apart += condition
        elif field not in together:
            together[field] = condition
        else:
            apart.append({field: condition})
    return {**together, "$and": apart} if apart else together


def beyond(order: Sequence[tuple[str, int]], after: Json) -> Query:
    """The condition for documents that come after the document ``after`` in ``order``."""
    steps: list[Query] = []
    same: list[Query] = []
    for field, direction in order:
        value = lookup(after, field)
        later = _later(field, value) if direction == 1 else _earlier(field, value)
        steps.append({"$and": [*same, {"$or": later}]} if later else {"_id": {"$in": []}})
        same.append({field: value if not isinstance(value, list | dict) else {"$type": TYPES[2]}})
    return {"$or": steps}


def _type_rank(value: object) -> int:
    """The index in ``TYPES`` of a non-null value."""
    if isinstance(value, bool):
        return 3
    if isinstance(value, int | float):
        return 0
    return 1 if isinstance(value, str) else 2


def _later(field: str, value: object) -> list[Query]:
    """MongoDB compares only within a type but sorts across types, so the types that come later are named."""
    if value is None:
        return [{field: {"$ne": None}}]
    rank = _type_rank(value)
    same_type = [] if rank == 2 else [{field: {"$gt": value}}]
    return same_type + [{field: {"$type": kind}} for kind in TYPES[rank + 1 :]]


def _earlier(field: str, value: object) -> list[Query]:
    if value is None:
        return []
    rank = _type_rank(value)
    same_type = [] if rank == 2 else [{field: {"$lt": value}}]
    return [*same_type, *({field: {"$type": kind}} for kind in TYPES[:rank]), {field: None}]
