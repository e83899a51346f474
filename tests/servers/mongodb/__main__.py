"""Starts the MongoDB stand-in server with the command-line options of ``secantus``, and makes it use indexes in the
same cases as MongoDB.

The unmodified ``secantus`` server is much slower than MongoDB in these cases:

- It scans a whole collection when a filter combines an operator such as ``$or`` with fields, or contains ``$eq`` in a
  field, and it uses the fields' own index when ``_id`` is among them. So each ``findAndModify`` and each conditional
  write takes longer with every document.
- It uses an index of several fields only for a filter of exactly those fields. If the filter has another field, it
  reads all documents that one of the fields leads to.
- To count documents, it reads them. To return the first few in an order, it reads and sorts all of them, even if an
  index has that order. It compares a value with each value of an ``$in``.
- It reads a collection's index list, its options and the profiling level from its tables up to eight times per command;
  MongoDB holds them in memory.
- At each write it goes through all retryable writes that it remembers, up to ten thousand.
- Each of its threads runs for up to five milliseconds while the others wait.
"""

from __future__ import annotations

import sys

from secantus import cli, commands, query, storage, transactions

from tests.servers.mongodb.index_catalogue import hold_indexes
from tests.servers.mongodb.order import aggregated, find_in_order
from tests.servers.mongodb.planner import planned
from tests.servers.mongodb.settings_in_memory import hold_settings
from tests.servers.mongodb.texts import operator_matches

TURN_SECONDS = 0.0005


def _forget_retryable(self: transactions.TransactionRegistry) -> None:
    """Deletes old records of retryable writes. The oldest come first, so it stops at the first one that is kept."""
    cutoff = self._time() - transactions._RETRYABLE_RECORD_LIFETIME_SECONDS
    kept = self._retryable
    while kept:
        oldest = next(iter(kept))
        if len(kept) <= transactions._RETRYABLE_RECORD_MAX and kept[oldest][1] >= cutoff:
            return
        del kept[oldest]


if __name__ == "__main__":
    sys.setswitchinterval(TURN_SECONDS)
    transactions.TransactionRegistry._prune_retryable_locked = _forget_retryable
    storage.Storage._try_index_id_keys = planned
    storage.Storage.find_matching = find_in_order
    commands._HANDLERS["aggregate"] = aggregated
    query._op_matches = operator_matches
    hold_indexes()
    hold_settings()
    cli.main()
