"""The last events of runs that this process writes: *appended* → whoever follows one here asks the truth for none."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from itertools import islice

from core.events import Entry
from core.lru_cache import LruCache

MOST_RUNS = 64
MOST_ENTRIES = 64
"""Of each; a reader that lags behind by more asks the truth."""


class RecentEntries:
    """What it holds of a run has no gaps, and all of it stands in the truth."""

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
        """Those with a sequence above ``after``; none where some of them are not held."""
        known = self._runs.get((user_id, run_id))
        if not known or known[0].sequence > after + 1:
            return []
        return list(islice(known, after + 1 - known[0].sequence, None))

    def forget(self, user_id: str, run_id: str) -> None:
        self._runs.pop((user_id, run_id), None)
