"""Whose job is next, by round-robin scheduling: *jobs that wait* → a condition on the one that is taken."""

from __future__ import annotations

from core.clock import Clock
from core.store.truth import Collection, Filter, Json

SECONDS = 1.0
"""For which it is known who waits: the truth is not asked for each of many small files."""
SHARE = 0.03
"""Of the time is spent on learning who waits, at most: it takes as long as there are jobs."""
PREFERRED: Json = {"due": {"$lt": 0}}


class RoundRobin:
    """People take turns, however many jobs one of them has; what somebody asked for (due before the beginning of time)
    goes before all."""

    def __init__(self, jobs: Collection, clock: Clock) -> None:
        self._jobs = jobs
        self._clock = clock
        self._served: dict[str, None] = {}
        """People in the order in which they had their last turn."""
        self._waiting: list[str] = []
        self._preferred = False
        self._preferred_until = self._known_until = 0.0

    async def next(self, waiting: Filter) -> Json:
        """Of the jobs that are ``waiting``. First come those who had no turn yet, then who has waited longest for it;
        none may be left like that by now."""
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
        """Others wait by now."""
        self._preferred_until = self._known_until = 0.0
