from __future__ import annotations

import pytest

from core.ids import new_id
from core.runs.ledger import RunLedger
from core.setting_groups import Jobs
from core.store.sqlite.truth import SqliteTruth


class Clock:
    """A clock that only moves when the test moves it."""

    def __init__(self) -> None:
        self.now = 1_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def jobs() -> Jobs:
    return Jobs(event_interval=0.01, heartbeat=0.05, lease=30.0)


@pytest.fixture
async def ledger(truth: SqliteTruth, clock: Clock, jobs: Jobs) -> RunLedger:
    ledger = RunLedger(truth, clock, new_id, "this process", jobs)
    await ledger.ensure()
    return ledger
