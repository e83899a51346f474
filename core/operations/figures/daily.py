"""Stores daily figures in the record store: each day, one record for all users together and one per user.

Each process adds its own counts, so the records are correct with several writers. They survive a restart and are kept
for a configured time. A day is a UTC day.
"""

from __future__ import annotations

from contextlib import suppress
from datetime import UTC, datetime, timedelta

from pydantic import BaseModel, Field

from core.clock import Clock
from core.operations.figures.figures import Figures
from core.store.scope import rows_of
from core.store.truth import Change, Collection, DuplicateError, Json, Truth

EVERYONE = "figures_by_day"
"""The collection with the totals of all users; it does not contain user ids."""
PEOPLE = "figures_by_person"


class Day(BaseModel, populate_by_name=True):
    """A day's figures; ``day`` as "2026-11-25"; ``bytes``: the data's size at the last check that day, only in the
    totals."""

    day: str
    times: dict[str, _Kept] = Field(default_factory=dict)
    counts: dict[str, float] = Field(default_factory=dict)
    bytes: float | None = None

    @property
    def figures(self) -> Figures:
        times = {
            name: {"buckets": {key[1:]: count for key, count in kept.buckets.items()}, "total": kept.total}
            for name, kept in self.times.items()
        }
        return Figures.model_validate({"times": times, "counts": self.counts})


class _Kept(BaseModel):
    """A histogram as stored in the record store, whose field names must be strings."""

    buckets: dict[str, int] = {}
    total: float = 0.0


class DailyFigures:
    """Daily figures, which are kept for ``days`` days."""

    def __init__(self, truth: Truth, clock: Clock, days: int) -> None:
        self._truth = truth
        self._clock = clock
        self._days = days

    async def ensure(self) -> None:
        for collection in (EVERYONE, PEOPLE):
            await self._truth.collection(collection).ensure()

    @property
    def today(self) -> str:
        return self._day(0)

    async def add(self, figures: Figures, user_id: str | None) -> None:
        """Add figures to today's record of a user, or of all users with ``None``."""
        if not figures.is_empty:
            await self._add(user_id, Change(inc=_increments(figures)))

    async def note_bytes(self, bytes: int) -> None:
        """Record the data's current size."""
        await self._add(None, Change(set={"bytes": float(bytes)}))

    async def last(self, days: int, user_id: str | None) -> list[Day]:
        """The last days that have figures, including today, the earliest first."""
        found = await self._rows(user_id).find({"day": {"$gt": self._day(days)}}, sort=[("day", 1)])
        return [Day.model_validate(row) for row in found]

    async def compact(self) -> None:
        """Delete figures that are too old."""
        for collection in (EVERYONE, PEOPLE):
            await self._truth.collection(collection).delete({"day": {"$lte": self._day(self._days)}})

    async def _add(self, user_id: str | None, change: Change) -> None:
        rows, day = self._rows(user_id), self.today
        id = f"{user_id}:{day}" if user_id else day
        if await rows.update(id, change):
            return
        begun: Json = {"_id": id, "day": day, "times": {}, "counts": {}}
        with suppress(DuplicateError):
            await rows.insert_many([begun])
        await rows.update(id, change)

    def _rows(self, user_id: str | None) -> Collection:
        return rows_of(self._truth, user_id, EVERYONE if user_id is None else PEOPLE)

    def _day(self, back: int) -> str:
        return f"{datetime.fromtimestamp(self._clock(), UTC) - timedelta(days=back):%Y-%m-%d}"


def _increments(figures: Figures) -> dict[str, float]:
    added = {f"counts.{name}": amount for name, amount in figures.counts.items()}
    for name, histogram in figures.times.items():
        path = f"times.{name}"
        added[f"{path}.total"] = histogram.total
        added |= {f"{path}.buckets.b{bucket}": float(count) for bucket, count in histogram.buckets.items()}
    return added
