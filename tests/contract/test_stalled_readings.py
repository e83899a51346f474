"""Tests how readings are detected that stalled because their process died, on both record stores."""

from __future__ import annotations

from core.library.stalled_readings import StalledReadings
from core.store.truth import Truth

NOW, LEASE = 1_000.0, 20.0


async def insert(
    truth: Truth, subject_id: str, lease_until: float, state: str = "processing", user: str = "ada"
) -> None:
    job = {"_id": f"job_{subject_id}", "user_id": user, "kind": "reading", "subject_id": subject_id, "state": state}
    await truth.collection("jobs").insert_many([{**job, "lease_until": lease_until}])


def stalled(truth: Truth, *, alone: bool = False) -> StalledReadings:
    return StalledReadings(truth, lambda: NOW, LEASE, alone=alone)


async def test_a_reading_stands_still_when_its_process_missed_to_prolong_its_lease(truth: Truth) -> None:
    await insert(truth, "prolonged in time", NOW + LEASE * 2 / 3)
    await insert(truth, "missed once", NOW + LEASE / 3)
    await insert(truth, "over", NOW - 60.0)
    await insert(truth, "handed back", 0.0)
    await insert(truth, "waits", 0.0, state="pending")
    await insert(truth, "done", NOW + 1.0, state="completed")
    await insert(truth, "another's", NOW + 1.0, user="ben")
    assert await stalled(truth).of("ada") == {"missed once", "over"}
    assert await stalled(truth).of("ben") == {"another's"}


async def test_where_one_process_has_the_truth_nothing_is_asked(truth: Truth) -> None:
    await insert(truth, "missed once", NOW + 1.0)
    assert await stalled(truth, alone=True).of("ada") == set()
