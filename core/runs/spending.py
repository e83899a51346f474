"""Tracks a person's cost of model calls per month: *a call's cost* → a stored sum, checked against the limit.

The expected cost of a call is reserved before the call, and replaced by the actual cost afterwards. So parallel calls
cannot together exceed a limit that has room for only one of them. A reservation expires after a while, because a
process that died never settles it (docs/specification.md, "Spending"). Months are in UTC. Models without a known price,
such as those on a local server, cost nothing here.
"""

from __future__ import annotations

import logging
from datetime import UTC, datetime

from pydantic import BaseModel, JsonValue

from core.clock import Clock
from core.errors import PalimpsestError, fail
from core.ids import new_id
from core.models.meter import Reservation, payer
from core.settings import Settings
from core.store.scope import ScopedTruth
from core.store.truth import Change, Collection, DuplicateError, Truth

log = logging.getLogger(__name__)

COLLECTION = "model_spending"


class Spent(BaseModel):
    """One person's cost in US dollars in one month ("2026-11")."""

    month: str
    cost: float
    limit: float | None


class _Held(BaseModel):
    """The reserved cost of a running call; it expires at ``until`` (epoch seconds)."""

    amount: float
    until: float


class _Sum(BaseModel):
    """A person's month. ``changes`` counts the writes, so that no decision is based on an outdated sum."""

    cost: float = 0.0
    held: dict[str, _Held] = {}
    changes: int | None = None

    def without_void(self, now: float) -> dict[str, _Held]:
        return {key: each for key, each in self.held.items() if each.until > now}


class Spending:
    """Implements the ``Account`` protocol of :mod:`core.models.meter`: sums that every process adds to."""

    def __init__(self, truth: Truth, settings: Settings, clock: Clock) -> None:
        self._truth = truth
        self._settings = settings
        self._clock = clock

    async def ensure(self) -> None:
        await self._truth.collection(COLLECTION).ensure()

    async def of(self, user_id: str) -> Spent:
        known = await self._sum(user_id, self._id(user_id))
        return Spent(month=self._month(), limit=self._settings.model_spending, cost=known.cost)

    async def reserve(self, expected: float | None, seconds: float) -> Reservation | None:
        """Reserve the expected cost of a call for the paying user; without a limit, nothing is reserved.

        Raises:
            PalimpsestError: this month's limit is reached, or would be ("rate_limit").
        """
        user_id, limit = payer(), self._settings.model_spending
        if user_id is None or limit is None:
            return None
        amount, id = expected or 0.0, self._id(user_id)
        while True:
            known = await self._sum(user_id, id)
            held = known.without_void(self._clock())
            committed = known.cost + sum(each.amount for each in held.values())
            if committed >= limit or committed + amount > limit:
                raise limit_reached(limit)
            if not amount:
                return None
            reservation = Reservation(user_id, id, new_id("hold"))
            held[reservation.key] = _Held(amount=amount, until=self._clock() + seconds)
            if await self._hold(user_id, id, known, held):
                return reservation

    async def settle(self, reservation: Reservation | None, cost: float) -> None:
        """Record the actual cost. Never raises, because an answer must not fail over its bill."""
        user_id = reservation.user_id if reservation else payer()
        if user_id is None or not (cost or reservation):
            return
        try:
            await self._add(user_id, reservation, cost)
        except Exception:
            log.warning("what a model call has cost was not noted", exc_info=True)

    async def _hold(self, user_id: str, id: str, known: _Sum, held: dict[str, _Held]) -> bool:
        """Add ``held`` to the sum, if it is unchanged since it was ``known``; returns whether it was added."""
        sums = self._sums(user_id)
        rows: JsonValue = {key: each.model_dump() for key, each in held.items()}
        change = Change(set={"held": rows, "month": self._month()}, inc={"changes": 1})
        if await sums.update(id, change, where={"changes": known.changes}):
            return True
        if known.changes is not None or await sums.get(id):
            return False
        try:
            await sums.insert_many([{"_id": id, "month": self._month(), "cost": 0.0, "held": rows, "changes": 1}])
        except DuplicateError:
            return False
        return True

    async def _add(self, user_id: str, reservation: Reservation | None, cost: float) -> None:
        sums, id = self._sums(user_id), reservation.sum_id if reservation else self._id(user_id)
        void = [f"held.{reservation.key}"] if reservation else []
        more = Change(inc={"cost": cost, "changes": 1}, unset=void)
        if await sums.update(id, more):
            return
        try:
            await sums.insert_many([{"_id": id, "month": self._month(), "cost": cost, "changes": 1}])
        except DuplicateError:
            await sums.update(id, more)

    async def _sum(self, user_id: str, id: str) -> _Sum:
        return _Sum.model_validate(await self._sums(user_id).get(id) or {})

    def _sums(self, user_id: str) -> Collection:
        return ScopedTruth(self._truth, user_id).collection(COLLECTION)

    def _id(self, user_id: str) -> str:
        return f"{user_id}:{self._month()}"

    def _month(self) -> str:
        return f"{datetime.fromtimestamp(self._clock(), UTC):%Y-%m}"


def limit_reached(limit: float) -> PalimpsestError:
    return fail("rate_limit", "runs.spending.limit_reached", limit=limit)
