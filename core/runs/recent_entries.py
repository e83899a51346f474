"""Caches the latest events of this process's runs, so that readers here need not query the record store."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from itertools import islice

from core.events import Entry
from core.lru_cache import LruCache

MOST_RUNS = 64
MOST_ENTRIES = 64
"""Maximum number of events per run; a reader that is further behind queries the record store."""


class RecentEntries:
    """Caches the latest events of runs. A run's cached events have no gaps, and all are in the record store."""

    def __init__(self, most_runs: int = MOST_RUNS, most_entries: int = MOST_ENTRIES) -> None:
        self._most_entries = most_entries
        self._runs: LruCache[tuple[str, str], deque[Entry]] = LruCache(most_runs)

    def add(self, user_id: str, run_id: str, entries: Sequence[Entry]) -> None:
        known = self._runs.get((user_id, run_id)) or deque(maxlen=self._most_entries)
        if known and entries and entries[0].sequence != known[-1].sequence + 1:
            known.clear()
        known.extend(entries)
        self._runs[user_id, run_id] = known

    def following(self, user_id: str, run_id: str, after: int) -> list[Entry]:
        """The events with a sequence above ``after``; empty if some of them are not cached."""
        known = self._runs.get((user_id, run_id))
        if not known or known[0].sequence > after + 1:
            return []
        return list(islice(known, after + 1 - known[0].sequence, None))

    def forget(self, user_id: str, run_id: str) -> None:
        self._runs.pop((user_id, run_id), None)
