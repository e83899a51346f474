"""Decides whose job is next, by round-robin scheduling: *waiting jobs* → a filter for the next job."""

from __future__ import annotations

from core.clock import Clock
from core.store.truth import Collection, Filter, Json

SECONDS = 1.0
"""Seconds for which the list of waiting users is cached, so that it is not queried for each of many small files."""
SHARE = 0.03
"""Largest share of the time spent on finding out who waits; the query takes longer the more jobs there are."""
PREFERRED: Json = {"due": {"$lt": 0}}


class RoundRobin:
    """Users take turns, however many jobs one of them has; jobs that a user waits for (with a due time before the
    epoch) go first."""

    def __init__(self, jobs: Collection, clock: Clock) -> None:
        self._jobs = jobs
        self._clock = clock
        self._served: dict[str, None] = {}
        """Users in the order in which a job of theirs was last taken."""
        self._waiting: list[str] = []
        self._preferred = False
        self._preferred_until = self._known_until = 0.0

    async def next(self, waiting: Filter) -> Json:
        """The filter for the next of the ``waiting`` jobs. Users without a turn so far come first, then the one who has
        waited longest; by then, possibly no job matches."""
        if self._clock() >= self._preferred_until:
            self._preferred = await self._jobs.count({**waiting, **PREFERRED}) > 0
            self._preferred_until = self._clock() + SECONDS
        if self._preferred:
            return PREFERRED
        if self._clock() >= self._known_until:
            began = self._clock()
            self._waiting = sorted(await self._jobs.count_by("user_id", waiting))
            self._known_until = self._clock() + max(SECONDS, (self._clock() - began) / SHARE)
        if len(self._waiting) < 2:
            return {}
        fresh = [each for each in self._waiting if each not in self._served]
        return {"user_id": {"$in": list(fresh) or [min(self._waiting, key=list(self._served).index)]}}

    def took(self, user_id: str) -> None:
        self._served.pop(user_id, None)
        self._served[user_id] = None

    def look_again(self) -> None:
        """Discard the cached list of waiting users."""
        self._preferred_until = self._known_until = 0.0
