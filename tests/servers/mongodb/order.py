"""Finds or counts documents through an index: for a filter, a sort order and a limit, returns the first few documents
or their number."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from secantus import commands, query, storage

from tests.servers.mongodb.entries import encoded, walk
from tests.servers.mongodb.planner import OTHER_VALUES

MOST_MISSES = 100
"""Maximum number of documents in index order that do not match the filter; after that, another method is used."""

_find = storage.Storage.find_matching
_aggregate = commands._HANDLERS["aggregate"]


def find_in_order(
    self: storage.Storage,
    db: str,
    coll: str,
    filter: dict[str, Any] | None = None,
    *,
    limit: int = 0,
    sort: Mapping[str, Any] | None = None,
    **rest: Any,
) -> list[dict[str, Any]]:
    """Returns the first few documents through an index that has the requested order. Uses the unmodified method if a
    write happened in between, or if very few documents in that order match. If documents are only counted, returns
    the right number of empty ones."""
    beside = {name: given for name, given in rest.items() if given and name not in ("projection", "let")}
    if filter and sort and limit > 0 and not beside and "_id" not in filter:
        chosen = _first_ids(self, db, coll, filter, sort, limit)
        if chosen is not None:
            found = _find(self, db, coll, {**filter, "_id": {"$in": chosen}}, limit=limit, sort=sort, **rest)
            if len(found) == min(limit, len(chosen)):
                return found
    if _counting.now and filter and not (beside or sort or limit):
        number = _number(self, db, coll, filter)
        if number is not None:
            return [{}] * number
    return _find(self, db, coll, filter, limit=limit, sort=sort, **rest)


def _number(self: storage.Storage, db: str, coll: str, filter: Mapping[str, Any]) -> int | None:
    if any(name.startswith("$") or clause is None or not _is_value(clause) for name, clause in filter.items()):
        return None
    self._refresh_read_snapshot()
    with self._lock:
        entries = _entries(self, db, coll, filter)
    return None if entries is None else len(entries)


def _first_ids(
    self: storage.Storage, db: str, coll: str, filter: Mapping[str, Any], sort: Mapping[str, Any], limit: int
) -> list[Any] | None:
    """Returns the ids of the first ``limit`` documents by the first field of ``sort``, and of all others with the same
    value as the last one. Returns ``None`` if no index has that order, or if too many documents in it do not match."""
    field, direction = next(iter(sort.items()))
    self._refresh_read_snapshot()
    with self._lock:
        entries = _in_order(self, db, coll, filter, field, direction)
        chosen: list[dict[str, Any]] = []
        misses = 0
        for entry in entries or ():
            found = [each for each in self._docs_by_recordids(db, coll, [entry]) if query.matches(each, filter)]
            misses += not found
            if misses > MOST_MISSES:
                return None
            if len(chosen) >= limit and found and _at(found[0], field) != _at(chosen[-1], field):
                break
            chosen += found
    return None if entries is None else [each["_id"] for each in chosen]


def _in_order(
    self: storage.Storage, db: str, coll: str, filter: Mapping[str, Any], field: str, direction: int
) -> Iterable[int] | None:
    """Documents in ``field`` order, from an index whose fields before ``field`` have one value each in the filter."""
    for name, keys in _whole_indexes(self, db, coll):
        before = list(keys)[: list(keys).index(field)] if field in keys else []
        if before and all(each in filter and _is_value(filter[each]) for each in before):
            begins = storage._escape_kb(encoded({each: filter[each] for each in before}, keys) + storage.COMPOUND_SEP)
            return walk(self, (db, coll, name), begins, backwards=keys[field] != direction)
    return None


def _whole_indexes(self: storage.Storage, db: str, coll: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Returns the indexes in which each document appears exactly once."""
    partial = self._partial_filters(db, coll)
    for name, keys, sparse, _ in self._all_indexes(db, coll):
        if not sparse and name not in partial and not self.index_is_multikey(db, coll, name):
            yield name, keys


def _entries(self: storage.Storage, db: str, coll: str, filter: Mapping[str, Any]) -> list[int] | None:
    """Returns the entries that match the filter, from an index that begins with the filter's fields."""
    for name, keys in _whole_indexes(self, db, coll):
        if set(list(keys)[: len(filter)]) == set(filter):
            whole, entry = len(keys) == len(filter), encoded(filter, keys)
            entry += b"" if whole else storage.COMPOUND_SEP
            found: list[int] = self._scan_index_for_id_keys(db, coll, name, entry, prefix=not whole)
            return found
    return None


def _is_value(clause: Any) -> bool:
    return not isinstance(clause, (dict, *OTHER_VALUES))


def _at(document: Mapping[str, Any], field: str) -> Any:
    value: Any = document
    for name in field.split("."):
        value = value.get(name) if isinstance(value, Mapping) else None
    return value


def is_count(command: Mapping[str, Any]) -> bool:
    """Whether an aggregation only counts matching documents."""
    match command.get("pipeline"):
        case [{"$match": _, **beside}, {"$group": group}] if not beside:
            return bool(group.keys() == {"_id", "n"} and group["_id"] == 1 and group["n"] == {"$sum": 1})
    return False


class _Counting(threading.local):
    """For each thread: whether it is running an aggregation that only counts."""

    now = False


_counting = _Counting()


def aggregated(command: dict[str, Any], context: commands.CommandContext) -> dict[str, Any]:
    _counting.now = is_count(command)
    try:
        return _aggregate(command, context)
    finally:
        _counting.now = False
