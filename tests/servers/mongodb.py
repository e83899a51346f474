"""The server that stands in for MongoDB: *options of secantus* → it serves, and reads by an index where MongoDB would.

As built it goes through a whole collection wherever an operator such as ``$or`` stands beside the fields of a filter,
and through the fields' own index where ``_id`` stands among them: so each ``findAndModify``, and each write under a
condition, takes longer with every document. It also goes through all retryable writes that it remembers at each write;
ten thousand slow every one. And its threads take turns of five milliseconds, which a request of one waits for.
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
    if "_id" in filter:
        return {"_id": filter["_id"]}
    fields = {name: clause for name, clause in filter.items() if not name.startswith("$")}
    return fields or dict(filter)


if __name__ == "__main__":
    sys.setswitchinterval(TURN_SECONDS)
    transactions._RETRYABLE_RECORD_MAX = RETRYABLE_WRITES
    storage.Storage._try_index_id_keys = _planned
    cli.main()
