"""Documents whose reading stands still because its process has died: *whose, and the jobs' leases* → their ids.

A process prolongs the lease of what it works on three times within the time that it lasts. Where half of it has passed
without that, the process is gone, or reaches nobody; another one begins the job anew when the lease is over.
"""

from __future__ import annotations

from core.clock import Clock
from core.store.scope import ScopedTruth
from core.store.truth import Truth

SILENT = 0.5
"""Of a lease: for as long nothing was heard of who holds it, and one prolonging was missed."""


class StalledReadings:
    """``lease``: seconds that a job is held for. None stands still where one process has the truth ``alone``."""

    def __init__(self, truth: Truth, clock: Clock, lease: float, *, alone: bool) -> None:
        self._truth = truth
        self._clock = clock
        self._silence = lease * SILENT
        self._alone = alone

    async def of(self, user_id: str) -> set[str]:
        """Ids of the user's documents; what was handed back in order is not among them, it only waits."""
        if self._alone:
            return set()
        silent = {"$gt": 0.0, "$lt": self._clock() + self._silence}
        jobs = ScopedTruth(self._truth, user_id).collection("jobs")
        held = await jobs.find({"state": "processing", "lease_until": silent}, fields=["subject_id"])
        return {str(row["subject_id"]) for row in held}
