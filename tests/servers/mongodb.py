"""The server that stands in for MongoDB: *options of secantus* → it serves, and reads by an index where MongoDB would.

As built it goes through a whole collection wherever an operator such as ``$or`` stands beside the fields of a filter or
``$eq`` in one, and through the fields' own index where ``_id`` stands among them: so each ``findAndModify``, and each
write under a condition, takes longer with every document. An index of several fields serves a filter of just those;
where another stands beside them, all is read that one of them leads to. What is counted is read, too. Of the first few
in an order it reads and sorts all, though an index has that order, and it compares a value with each of an ``$in``. It
reads the list of a collection's indexes from its tables up to eight times a command, which MongoDB holds in memory. At
each write it also goes through all retryable writes that it remembers, ten thousand of them. And its threads take turns
of five milliseconds, for which others wait.
"""

from __future__ import annotations

import functools
import itertools
import re
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from bson.regex import Regex
from secantus import cli, commands, query, sortkey, storage, transactions

TURN_SECONDS = 0.0005
SNAPSHOTS = ("_refresh_read_snapshot", "release_thread_snapshot", "_batch_transaction")
"""What begins or ends a snapshot of a thread."""
OTHER_INDEXES = (
    *("create_index", "drop_index", "drop_all_indexes", "set_index_expiry", "set_index_options"),
    *("drop_collection", "drop_database", "rename_collection"),
)

RANGES = frozenset({"$gt", "$gte", "$lt", "$lte"})
OTHER_VALUES = (list, re.Pattern, Regex)
"""What documents may meet without being equal to it."""

FEW = 16
"""Entries of an index that are counted before it is given up for another."""
MOST_MISSES = 100
"""Documents in an index's order that do not match, before another way is taken."""

Few = Callable[[Mapping[str, Any]], bool]
Index = tuple[str, dict[str, Any], dict[str, Any]]

_plan = storage.Storage._try_index_id_keys
_find = storage.Storage.find_matching
_mark = storage.Storage._maybe_mark_multikey
_aggregate = commands._HANDLERS["aggregate"]
_operator = query._op_matches


def _planned(
    self: storage.Storage, db: str, coll: str, filter: Mapping[str, Any], *, collation: Any = None
) -> list[int] | None:
    """Candidates, each of which is held to the whole filter afterwards."""
    parts = alternatives(filter, _keys(self, db, coll), lambda part: _has_few(self, db, coll, part))
    found = [_plan(self, db, coll, part, collation=collation) for part in parts]
    if len(found) == 1:
        return found[0]
    return None if None in found else sorted({each for candidates in found for each in candidates or ()})


def _keys(self: storage.Storage, db: str, coll: str) -> list[list[str]]:
    """The fields of each index that has all documents."""
    partly = ("sparse", "partialFilterExpression", "collation")
    return [list(keys) for _, keys, options in self._iter_indexes(db, coll) if not any(map(options.get, partly))]


def _has_few(self: storage.Storage, db: str, coll: str, part: Mapping[str, Any]) -> bool:
    """Whether an index holds fewer than ``FEW`` entries for the fields of ``part`` that have one value."""
    one = {name: clause for name, clause in part.items() if not isinstance(clause, dict)}
    for name, keys, _ in self._iter_indexes(db, coll):
        if one and set(list(keys)[: len(one)]) == set(one):
            return _ends_soon(self, (db, coll, name), storage._escape_kb(_encoded(one, keys)))
    return False


def _encoded(values: Mapping[str, Any], keys: Mapping[str, Any]) -> bytes:
    """What entries of an index begin with whose first fields have these values."""
    parts = [sortkey.encode_value_directed(values[each], int(keys[each])) for each in list(keys)[: len(values)]]
    return bytes(storage.COMPOUND_SEP.join(parts))


def _ends_soon(self: storage.Storage, index: tuple[str, str, str], begins: bytes) -> bool:
    return next(itertools.islice(_walk(self, index, begins), FEW, None), None) is None


def _walk(self: storage.Storage, index: tuple[str, str, str], begins: bytes) -> Iterator[int]:
    """What entries that begin so lead to, in their order; no other entries may be read meanwhile."""
    cursor = self._cursor(storage._IDX_ENTRIES_TABLE)
    cursor.set_key(*index, begins)
    found = cursor.search_near()
    if found == storage.wt.WT_NOTFOUND or (found < 0 and cursor.next() != 0):
        return
    while True:
        *of, entry = cursor.get_key()
        if tuple(of) != index or not bytes(entry).startswith(begins):
            return
        record: int | None = storage._unpack_entry(bytes(entry))[1]
        if record is not None:
            yield record
        if cursor.next() != 0:
            return


def alternatives(filter: Mapping[str, Any], keys: Sequence[Sequence[str]], few: Few) -> list[dict[str, Any]]:
    """The parts by which documents are looked up, of which each that is wanted has one: those of ``$or``, where indexes
    lead further with them than without."""
    whole = indexable(filter, keys, few)
    if "_id" in whole or "$or" not in filter:
        return [whole]
    parts = [indexable({**filter, **branch}, keys, few) for branch in filter["$or"]]
    return parts if all(len(part) > len(whole) for part in parts) else [whole]


def indexable(filter: Mapping[str, Any], keys: Sequence[Sequence[str]], few: Few) -> dict[str, Any]:
    """The part of a filter by which documents are looked up: of the fields of each index those that have one value, and
    the next where it has a range; of these the longest, or another that leads to ``few``."""
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
        if name not in fields or not _leads(fields[name]):
            break
        found[name] = fields[name]
        if isinstance(fields[name], dict):
            break
    return found


def _leads(clause: Any) -> bool:
    if isinstance(clause, dict):
        return clause.keys() == {"$in"} or (bool(clause) and clause.keys() <= RANGES)
    return not isinstance(clause, OTHER_VALUES)


def _reach(served: Mapping[str, Any]) -> tuple[int, int]:
    return len(served), len(_one_value(served))


def _one_value(served: Mapping[str, Any]) -> set[str]:
    return {name for name, clause in served.items() if not isinstance(clause, dict)}


def _equal(clause: Any) -> Any:
    """``{"$eq": 1}`` is 1."""
    return clause["$eq"] if isinstance(clause, dict) and clause.keys() == {"$eq"} else clause


def _find_in_order(
    self: storage.Storage,
    db: str,
    coll: str,
    filter: dict[str, Any] | None = None,
    *,
    limit: int = 0,
    sort: Mapping[str, Any] | None = None,
    **rest: Any,
) -> list[dict[str, Any]]:
    """The first few by an index that has their order, unless a write came between or hardly any document in that order
    is one of them: then as it was built. Of those that are only counted, as many without anything in them."""
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
    """Of the first ``limit`` documents by the first field of ``sort``, and of all that have the last one's value, too.
    ``None`` where no index has that order, or too many in it do not match."""
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
    """What an index holds that begins with fields of one value and goes on with ``field``, in that order."""
    for name, keys in _whole_indexes(self, db, coll):
        before = list(keys)[: list(keys).index(field)] if field in keys else []
        if before and all(each in filter and _is_value(filter[each]) for each in before):
            begins = storage._escape_kb(_encoded({each: filter[each] for each in before}, keys) + storage.COMPOUND_SEP)
            entries = _walk(self, (db, coll, name), begins)
            return entries if keys[field] == direction else list(entries)[::-1]
    return None


def _whole_indexes(self: storage.Storage, db: str, coll: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Those that have each document once."""
    partial = self._partial_filters(db, coll)
    for name, keys, sparse, _ in self._all_indexes(db, coll):
        if not sparse and name not in partial and not self.index_is_multikey(db, coll, name):
            yield name, keys


def _entries(self: storage.Storage, db: str, coll: str, filter: Mapping[str, Any]) -> list[int] | None:
    """What an index that begins with the filter's fields holds for it."""
    for name, keys in _whole_indexes(self, db, coll):
        if set(list(keys)[: len(filter)]) == set(filter):
            whole, entry = len(keys) == len(filter), _encoded(filter, keys)
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
    """Whether an aggregation only counts what matches."""
    match command.get("pipeline"):
        case [{"$match": _, **beside}, {"$group": group}] if not beside:
            return bool(group.keys() == {"_id", "n"} and group["_id"] == 1 and group["n"] == {"$sum": 1})
    return False


class _Counting(threading.local):
    """Whether a thread is at an aggregation that only counts."""

    now = False


_counting = _Counting()


def _aggregated(command: dict[str, Any], context: commands.CommandContext) -> dict[str, Any]:
    _counting.now = is_count(command)
    try:
        return _aggregate(command, context)
    finally:
        _counting.now = False


class _Texts(threading.local):
    """The list of an ``$in`` that a thread is at, as a set where it has texts alone."""

    list: Any = None
    texts: frozenset[str] | None = None

    def of(self, listed: Any) -> frozenset[str] | None:
        if self.list is not listed:
            self.list = listed
            is_plain = isinstance(listed, list) and all(isinstance(each, str) for each in listed)
            self.texts = frozenset(listed) if is_plain else None
        return self.texts


_texts = _Texts()


def _operator_matches(values: list[Any], op: str, arg: Any, collation: Any = None, **rest: Any) -> bool:
    """A text is looked up among those of an ``$in``, and not compared with each."""
    if op == "$in" and collation is None and len(values) == 1 and isinstance(values[0], str):
        texts = _texts.of(arg)
        if texts is not None:
            return values[0] in texts
    return bool(_operator(values, op, arg, collation, **rest))


def _forget_retryable(self: transactions.TransactionRegistry) -> None:
    """The oldest stand first."""
    cutoff = self._time() - transactions._RETRYABLE_RECORD_LIFETIME_SECONDS
    kept = self._retryable
    while kept:
        oldest = next(iter(kept))
        if len(kept) <= transactions._RETRYABLE_RECORD_MAX and kept[oldest][1] >= cutoff:
            return
        del kept[oldest]


class IndexCatalogue(threading.local):
    """The indexes of collections as the snapshot of a thread has them, each list read once in it."""

    def __init__(self, read: Callable[[storage.Storage, str, str], Any]) -> None:
        self._read = read
        self._session: Any = None
        self._known: dict[tuple[str, str], list[Index]] = {}

    def indexes(self, store: storage.Storage, db: str, coll: str) -> list[Index]:
        session = getattr(store._tls, "session", None)
        if session is not self._session:
            self.forget()
            self._session = session
        if (db, coll) not in self._known:
            self._known[db, coll] = list(self._read(store, db, coll))
        return self._known[db, coll]

    def forget(self) -> None:
        self._known.clear()

    def around(self, method: Callable[..., Any]) -> Callable[..., Any]:
        """It, before and after which they may be others."""

        @functools.wraps(method)
        def forgetting(*given: Any, **named: Any) -> Any:
            self.forget()
            try:
                return method(*given, **named)
            finally:
                self.forget()

        return forgetting

    def mark(
        self, store: storage.Storage, db: str, coll: str, doc: Any, indexes: list[Any], marked: set[str]
    ) -> set[str]:
        """A first document with a list in an indexed field changes what its index is good for."""
        before = len(marked)
        after = _mark(store, db, coll, doc, indexes, marked)
        if len(after) > before:
            self.forget()
        return after


def _hold_indexes() -> None:
    catalogue = IndexCatalogue(storage.Storage._iter_indexes)
    storage.Storage._iter_indexes = lambda store, db, coll: catalogue.indexes(store, db, coll)
    storage.Storage._maybe_mark_multikey = lambda *given: catalogue.mark(*given)
    for name in (*SNAPSHOTS, *OTHER_INDEXES):
        setattr(storage.Storage, name, catalogue.around(getattr(storage.Storage, name)))


if __name__ == "__main__":
    sys.setswitchinterval(TURN_SECONDS)
    transactions.TransactionRegistry._prune_retryable_locked = _forget_retryable
    storage.Storage._try_index_id_keys = _planned
    storage.Storage.find_matching = _find_in_order
    commands._HANDLERS["aggregate"] = _aggregated
    query._op_matches = _operator_matches
    _hold_indexes()
    cli.main()
