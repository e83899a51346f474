"""Finds documents whose reading has stopped because its process died: *user, job leases* → document ids.

A process renews the lease of its job three times per lease period. If half of the period passes without a renewal, the
process has died or lost its connection; another process restarts the job when the lease ends.
"""

from __future__ import annotations

from core.clock import Clock
from core.store.scope import ScopedTruth
from core.store.truth import Truth

SILENT = 0.5
"""Share of the lease period; a reading without a renewal for this long counts as stalled, because one renewal was
missed."""


class StalledReadings:
    """Finds stalled documents. ``lease``: seconds for which a job is held. With ``alone`` (one process has the record
    store to itself), no document counts as stalled."""

    def __init__(self, truth: Truth, clock: Clock, lease: float, *, alone: bool) -> None:
        self._truth = truth
        self._clock = clock
        self._silence = lease * SILENT
        self._alone = alone

    async def of(self, user_id: str) -> set[str]:
        """Ids of the user's stalled documents; jobs that were handed back properly only wait and are not included."""
        if self._alone:
            return set()
        silent = {"$gt": 0.0, "$lt": self._clock() + self._silence}
        jobs = ScopedTruth(self._truth, user_id).collection("jobs")
        held = await jobs.find({"state": "processing", "lease_until": silent}, fields=["subject_id"])
        return {str(row["subject_id"]) for row in held}
