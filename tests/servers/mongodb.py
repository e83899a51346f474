"""The server that stands in for MongoDB: *options of secantus* → it serves, and reads by an index where MongoDB would.

As built it goes through a whole collection wherever an operator such as ``$or`` stands beside the fields of a filter or
``$eq`` in one, and through the fields' own index where ``_id`` stands among them: so each ``findAndModify``, and each
write under a condition, takes longer with every document. It also goes through all retryable writes that it remembers
at each write; ten thousand slow every one. And its threads take turns of five milliseconds, for which requests wait.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Any

from secantus import cli, storage, transactions

RETRYABLE_WRITES = 1_000
TURN_SECONDS = 0.0005

_plan = storage.Storage._try_index_id_keys


def _planned(
    self: storage.Storage, db: str, coll: str, filter: Mapping[str, Any], *, collation: Any = None
) -> list[bytes] | None:
    """Candidates, each of which is held to the whole filter afterwards."""
    return _plan(self, db, coll, indexable(filter), collation=collation)


def indexable(filter: Mapping[str, Any]) -> dict[str, Any]:
    """The part of a filter by which documents are looked up."""
    fields = {name: _equal(clause) for name, clause in filter.items() if not name.startswith("$")}
    if "_id" in fields:
        return {"_id": fields["_id"]}
    return fields or dict(filter)


def _equal(clause: Any) -> Any:
    """``{"$eq": 1}`` is 1."""
    return clause["$eq"] if isinstance(clause, dict) and clause.keys() == {"$eq"} else clause


if __name__ == "__main__":
    sys.setswitchinterval(TURN_SECONDS)
    transactions._RETRYABLE_RECORD_MAX = RETRYABLE_WRITES
    storage.Storage._try_index_id_keys = _planned
    cli.main()
