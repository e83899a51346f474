"""Plans a query: from a filter and the collection's indexes, chooses the part of the filter by which documents are
looked up."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from bson.regex import Regex
from secantus import storage

from tests.servers.mongodb.entries import encoded, ends_soon

RANGES = frozenset({"$gt", "$gte", "$lt", "$lte"})
OTHER_VALUES = (list, re.Pattern, Regex)
"""Operators for which a document can match without being equal to the given value."""

Few = Callable[[Mapping[str, Any]], bool]

_plan = storage.Storage._try_index_id_keys


def planned(
    self: storage.Storage, db: str, coll: str, filter: Mapping[str, Any], *, collation: Any = None
) -> list[int] | None:
    """Returns candidate documents; the caller checks each against the whole filter."""
    parts = alternatives(filter, _keys(self, db, coll), lambda part: _has_few(self, db, coll, part))
    found = [_plan(self, db, coll, part, collation=collation) for part in parts]
    if len(found) == 1:
        return found[0]
    return None if None in found else sorted({each for candidates in found for each in candidates or ()})


def _keys(self: storage.Storage, db: str, coll: str) -> list[list[str]]:
    """Returns the fields of each index that contains all documents."""
    partly = ("sparse", "partialFilterExpression", "collation")
    return [list(keys) for _, keys, options in self._iter_indexes(db, coll) if not any(map(options.get, partly))]


def _has_few(self: storage.Storage, db: str, coll: str, part: Mapping[str, Any]) -> bool:
    """Returns whether an index has fewer than ``FEW`` entries for those fields of ``part`` that have one value."""
    one = {name: clause for name, clause in part.items() if not isinstance(clause, dict)}
    for name, keys, _ in self._iter_indexes(db, coll):
        if one and set(list(keys)[: len(one)]) == set(one):
            return ends_soon(self, (db, coll, name), storage._escape_kb(encoded(one, keys)))
    return False


def alternatives(filter: Mapping[str, Any], keys: Sequence[Sequence[str]], few: Few) -> list[dict[str, Any]]:
    """Returns the filter parts by which documents are looked up; each matching document matches at least one part. The
    parts are the branches of ``$or``, if indexes find fewer candidates with the branches than without."""
    whole = indexable(filter, keys, few)
    if "_id" in whole or "$or" not in filter:
        return [whole]
    parts = [indexable({**filter, **branch}, keys, few) for branch in filter["$or"]]
    return parts if all(len(part) > len(whole) for part in parts) else [whole]


def indexable(filter: Mapping[str, Any], keys: Sequence[Sequence[str]], few: Few) -> dict[str, Any]:
    """Returns the filter part by which documents are looked up. For each index, a part has the leading fields with one
    value, and the next field if it has a range. Chooses the longest part, or another one for which ``few`` is true."""
    fields = {name: _equal(clause) for name, clause in filter.items() if not name.startswith("$")}
    by_id = fields.get("_id", {})
    if not isinstance(by_id, dict) or "$in" in by_id:
        return {"_id": by_id}
    served = sorted((each for key in keys if (each := _served(fields, key))), key=_reach, reverse=True)
    if not served:
        return {name: clause for name, clause in fields.items() if name != "_id"} or dict(filter)
    longest = _one_value(served[0])
    others = [each for each in served[1:] if not _one_value(each) <= longest]
    if others and not few(served[0]):
        return next((each for each in others if few(each)), served[0])
    return served[0]


def _served(fields: Mapping[str, Any], key: Sequence[str]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name in key:
        if name not in fields or not leads(fields[name]):
            break
        found[name] = fields[name]
        if isinstance(fields[name], dict):
            break
    return found


def leads(clause: Any) -> bool:
    if isinstance(clause, dict):
        return clause.keys() == {"$in"} or (bool(clause) and clause.keys() <= RANGES)
    return not isinstance(clause, OTHER_VALUES)


def _reach(served: Mapping[str, Any]) -> tuple[int, int]:
    return len(served), len(_one_value(served))


def _one_value(served: Mapping[str, Any]) -> set[str]:
    return {name for name, clause in served.items() if not isinstance(clause, dict)}


def _equal(clause: Any) -> Any:
    """Returns the value of an equality: both ``{"$eq": 1}`` and ``1`` give 1."""
    return clause["$eq"] if isinstance(clause, dict) and clause.keys() == {"$eq"} else clause
