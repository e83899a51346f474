"""Caches the settings of collections and databases in memory, as MongoDB does."""

from __future__ import annotations

import threading
from typing import Any

from secantus import storage

from tests.servers.mongodb.forgetting import forgetting

OTHER_OPTIONS = (
    *("create_collection", "set_collection_options", "_write_coll_options"),
    *("drop_collection", "drop_database", "rename_collection"),
)

_profile = storage.Storage.get_profile
_set_profile = storage.Storage.set_profile
_options = storage.Storage.get_collection_options


class Profiles:
    """A cache of the profiling levels: the server checks at each command whether the command must be profiled."""

    def __init__(self) -> None:
        self._known: dict[str, dict[str, Any]] = {}

    def get(self, store: storage.Storage, db: str) -> dict[str, Any]:
        if db not in self._known:
            self._known[db] = _profile(store, db)
        return self._known[db]

    def set(self, store: storage.Storage, db: str, **given: Any) -> None:
        _set_profile(store, db, **given)
        self._known.pop(db, None)


class Options:
    """A cache of the options of existing collections; they are read again if any changed during the read."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, str], dict[str, Any]] = {}
        self._changes = 0
        self._lock = threading.Lock()

    def get(self, store: storage.Storage, db: str, coll: str) -> dict[str, Any]:
        known = self._known.get((db, coll))
        if known is None:
            before = self._changes
            known = _options(store, db, coll)
            with self._lock:
                if known and before == self._changes:
                    self._known[db, coll] = known
        return dict(known)

    def forget(self) -> None:
        with self._lock:
            self._changes += 1
            self._known.clear()


def hold_settings() -> None:
    profiles, options = Profiles(), Options()
    storage.Storage.get_profile = lambda store, db: profiles.get(store, db)
    storage.Storage.set_profile = lambda store, db, **given: profiles.set(store, db, **given)
    storage.Storage.get_collection_options = lambda store, db, coll: options.get(store, db, coll)
    for name in OTHER_OPTIONS:
        setattr(storage.Storage, name, forgetting(getattr(storage.Storage, name), options.forget))
