"""What a person's model calls have cost this month: *a call's cost* → a sum in the truth, held to the limit.

A month is one of UTC. Models without a known price cost nothing here, as those of one's own server do.
"""

from __future__ import annotations

import logging
from datetime import UTC, datetime

from pydantic import BaseModel

from core.clock import Clock
from core.errors import PalimpsestError, fail
from core.models.meter import payer
from core.settings import Settings
from core.store.scope import ScopedTruth
from core.store.truth import Change, Collection, DuplicateError, Truth

log = logging.getLogger(__name__)

COLLECTION = "model_spending"


class Spent(BaseModel):
    """US dollars of one person in one month ("2026-11")."""

    month: str
    cost: float
    limit: float | None


class Spending:
    """``Account`` of :mod:`core.models.meter`: sums that every process adds to."""

    def __init__(self, truth: Truth, settings: Settings, clock: Clock) -> None:
        self._truth = truth
        self._settings = settings
        self._clock = clock

    async def ensure(self) -> None:
        await self._truth.collection(COLLECTION).ensure()

    async def of(self, user_id: str) -> Spent:
        row = await self._sums(user_id).get(self._id(user_id)) or {}
        return Spent.model_validate(
            {"month": self._month(), "limit": self._settings.model_spending, "cost": 0.0, **row}
        )

    async def refuse_beyond_limit(self) -> None:
        """Whoever pays for the call that is about to be made.

        Raises:
            PalimpsestError: this month's limit is reached ("rate_limit").
        """
        user_id, limit = payer(), self._settings.model_spending
        if user_id is not None and limit is not None and (await self.of(user_id)).cost >= limit:
            raise limit_reached(limit)

    async def add(self, cost: float | None) -> None:
        """Never raises: an answer is not lost over its bill."""
        user_id = payer()
        if user_id is None or not cost:
            return
        try:
            await self._add(user_id, cost)
        except Exception:
            log.warning("what a model call has cost was not noted", exc_info=True)

    async def _add(self, user_id: str, cost: float) -> None:
        sums, id, more = self._sums(user_id), self._id(user_id), Change(inc={"cost": cost})
        if await sums.update(id, more):
            return
        try:
            await sums.insert_many([{"_id": id, "month": self._month(), "cost": cost}])
        except DuplicateError:
            await sums.update(id, more)

    def _sums(self, user_id: str) -> Collection:
        return ScopedTruth(self._truth, user_id).collection(COLLECTION)

    def _id(self, user_id: str) -> str:
        return f"{user_id}:{self._month()}"

    def _month(self) -> str:
        return f"{datetime.fromtimestamp(self._clock(), UTC):%Y-%m}"


def limit_reached(limit: float) -> PalimpsestError:
    return fail("rate_limit", "runs.spending.limit_reached", limit=limit)
