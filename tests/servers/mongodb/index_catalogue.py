"""A cache of the collections' index lists: in a thread's snapshot, each list is read only once."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

from secantus import storage

from tests.servers.mongodb.forgetting import forgetting

SNAPSHOTS = ("_refresh_read_snapshot", "release_thread_snapshot", "_batch_transaction")
"""Methods that begin or end a thread's snapshot."""
OTHER_INDEXES = (
    *("create_index", "drop_index", "drop_all_indexes", "set_index_expiry", "set_index_options"),
    *("drop_collection", "drop_database", "rename_collection"),
)

Index = tuple[str, dict[str, Any], dict[str, Any]]

_mark = storage.Storage._maybe_mark_multikey


class IndexCatalogue(threading.local):
    """The indexes of collections in a thread's snapshot; each list is read once per snapshot."""

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

    def mark(
        self, store: storage.Storage, db: str, coll: str, doc: Any, indexes: list[Any], marked: set[str]
    ) -> set[str]:
        """Clears the cache when a document is the first with a list in an indexed field: this changes which queries the
        index can serve."""
        before = len(marked)
        after = _mark(store, db, coll, doc, indexes, marked)
        if len(after) > before:
            self.forget()
        return after


def hold_indexes() -> None:
    catalogue = IndexCatalogue(storage.Storage._iter_indexes)
    storage.Storage._iter_indexes = lambda store, db, coll: catalogue.indexes(store, db, coll)
    storage.Storage._maybe_mark_multikey = lambda *given: catalogue.mark(*given)
    for name in (*SNAPSHOTS, *OTHER_INDEXES):
        setattr(storage.Storage, name, forgetting(getattr(storage.Storage, name), catalogue.forget))
