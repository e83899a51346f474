"""Lists errors that users were shown, with the runs in which they occurred.

Only an error's position in its run is stored. Its text is read from the run, so it is deleted with the run.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from contextlib import suppress

from pydantic import BaseModel, Field

from core.clock import DAY, Clock
from core.errors import ReadOnlyError
from core.events import Event, Failure, event_adapter
from core.operations.records import RunError
from core.runs.ledger import RunLedger
from core.runs.records import Run
from core.store.scope import rows_of
from core.store.truth import Sorted, Truth
from core.store.typed_collection import records_of

COLLECTION = "run_errors"
KEPT_DAYS = 90
MOST_WAITING = 1_000
"""Maximum number of errors kept in memory until they are written; further ones are dropped."""


class _Place(BaseModel, populate_by_name=True):
    id: str = Field(alias="_id")
    user_id: str
    run_id: str
    at: float


class RunErrors:
    """Collects errors; ``keep`` writes the new ones; ``last`` lists them."""

    def __init__(self, truth: Truth, ledger: RunLedger, clock: Clock) -> None:
        self._truth = truth
        self._clock = clock
        self._waiting: deque[_Place] = deque(maxlen=MOST_WAITING)
        ledger.listen(self._heard)

    async def ensure(self) -> None:
        await self._truth.collection(COLLECTION).ensure(sort=[Sorted(("at",)), Sorted(("user_id", "at"))])

    def _heard(self, run: Run, events: Sequence[Event], at: float) -> None:
        if any(isinstance(each, Failure) for each in events):
            self._waiting.append(_Place(id=f"{run.id}:{at:.3f}", user_id=run.user_id, run_id=run.id, at=at))

    async def keep(self) -> None:
        """Write each new error once, and delete old ones."""
        places = records_of(self._truth, None, COLLECTION, _Place)
        while self._waiting:
            await places.put(self._waiting[0])
            self._waiting.popleft()
        await places.rows.delete({"at": {"$lt": self._clock() - KEPT_DAYS * DAY}})

    async def last(self, user_id: str | None, limit: int) -> list[RunError]:
        """The latest errors first, for one user or with ``None`` for all; only of runs that still exist."""
        with suppress(ReadOnlyError):
            await self.keep()
        places = await records_of(self._truth, user_id, COLLECTION, _Place).find(sort=[("at", -1)], limit=limit)
        ids: list[str] = list(dict.fromkeys(each.run_id for each in places))
        among = {"_id": {"$in": ids}}
        runs = {each.id: each for each in await records_of(self._truth, user_id, "runs", Run).find(among)}
        failures = await self._failures(ids, user_id)
        told = []
        for place in places:
            run = runs.get(place.run_id)
            if run is not None:
                told += [_told(place, run, each) for each in failures.pop(place.run_id, [])]
        return told[:limit]

    async def _failures(self, run_ids: Sequence[str], user_id: str | None) -> dict[str, list[Failure]]:
        where = {"run_id": {"$in": list(run_ids)}, "event.type": "error"}
        found: dict[str, list[Failure]] = {}
        for row in await rows_of(self._truth, user_id, "run_events").find(where, sort=[("sequence", -1)]):
            event = event_adapter.validate_python(row["event"])
            if isinstance(event, Failure):
                found.setdefault(str(row["run_id"]), []).append(event)
        return found


def _told(place: _Place, run: Run, failure: Failure) -> RunError:
    return RunError(
        at=place.at,
        user_id=run.user_id,
        run_id=run.id,
        kind=run.kind,
        conversation_id=run.conversation_id,
        subject=run.subject,
        problem=failure.problem,
    )
