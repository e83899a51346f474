"""The MongoDB stand-in server: *options of secantus* → it serves, and reads by an index in the same cases as MongoDB.

The unmodified server scans a whole collection whenever an operator such as ``$or`` is in a filter next to fields or
``$eq`` is in a field, and uses the fields' own index when ``_id`` is among them: so each ``findAndModify``, and each
conditional write, takes longer with every document. An index of several fields serves a filter of exactly those fields;
with another field in the filter, all documents that one of them leads to are read. Documents that are only counted are
read, too. For the first few in an order it reads and sorts all of them, even if an index has that order, and it
compares a value with each value of an ``$in``. It reads a collection's index list, its options and the profiling level
from its tables up to eight times per command, which MongoDB holds in memory. At each write it also goes through all
retryable writes that it remembers, ten thousand of them. And its threads take turns of five milliseconds, for which
others wait.
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
    """The oldest are first."""
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
