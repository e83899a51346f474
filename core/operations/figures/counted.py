"""Combines all counts in one object: they are kept in memory, and written to the record store in the background."""

from __future__ import annotations

import asyncio
import logging
import re
from collections import deque
from contextlib import suppress

from core.clock import HOUR, Clock
from core.errors import ReadOnlyError
from core.memory.maintenance.metrics import Count, Metrics
from core.operations.figures.counting import RunCounting
from core.operations.figures.daily import DailyFigures
from core.operations.figures.exposition import FiguresExposition
from core.operations.figures.figures import Figures, together
from core.operations.figures.killed import KilledProcesses
from core.operations.figures.levels import unusual
from core.operations.records import Finding
from core.operations.run_errors import RunErrors
from core.runs.ledger import RunLedger
from core.settings import Settings
from core.store.storage import storage_of
from core.store.truth import Truth

log = logging.getLogger(__name__)

DAYS_LOOKED_AT = 8
_NO_LETTER = re.compile(r"[^A-Za-z0-9]+")
MOST_SPANS = 512
KEPT_COUNTS: tuple[Count, ...] = ("searches", "fallbacks", "promotions", "merges", "repairs", "outcomes")
"""Counts of memory and search events that are stored per day."""


class Counted:
    """All counts; ``keep`` writes the new ones in the background, so no other work waits for it."""

    def __init__(self, truth: Truth, metrics: Metrics, ledger: RunLedger, clock: Clock, settings: Settings) -> None:
        self._settings = settings
        self._killed = KilledProcesses()
        self._hour_began = -HOUR
        self.errors = RunErrors(truth, ledger, clock)
        self.daily = DailyFigures(truth, clock, settings.figures_days)
        self._runs = RunCounting()
        self._metrics = metrics
        self._clock = clock
        self._total = Figures()
        self._beside = Figures()
        self._known: dict[Count, int] = {}
        self._spans: deque[tuple[float, Figures]] = deque(maxlen=MOST_SPANS)
        ledger.listen(self._runs.heard)
        metrics.export(FiguresExposition(lambda: self.since_start))

    def tool(self, category: str, happened: str, milliseconds: float | None) -> None:
        """Record an event of a tool call; ``milliseconds`` if a call was made."""
        category = _NO_LETTER.sub("_", category).strip("_").lower() or "other"
        self._beside.count(f"tool_calls:{happened}")
        if milliseconds is not None:
            self._beside.count(f"tools:{category}")
            self._beside.time(f"tool:{category}", milliseconds / 1000)

    def out_of_memory(self, of: str, times: int = 1) -> None:
        self._beside.count(f"memory:{of}", times)

    @property
    def since_start(self) -> Figures:
        """This process's figures since its start."""
        return together([self._total, self._beside, *self._runs.waiting()])

    def last_hour(self) -> Figures:
        """This process's figures of the last hour."""
        since = self._clock() - HOUR
        spans = [each for at, each in self._spans if at > since]
        return together([*spans, self._beside, *self._runs.waiting()])

    async def ensure(self) -> None:
        await self.daily.ensure()
        await self.errors.ensure()

    async def unusual(self) -> list[Finding]:
        """Findings on unusual values; if there are none, one finding that says so."""
        return unusual(self.last_hour(), await self.daily.last(DAYS_LOOKED_AT, None), self.daily.today)

    async def keep_up(self) -> None:
        """Record values that change outside runs; called regularly."""
        self.out_of_memory("process", await asyncio.to_thread(self._killed.since_last))
        await self.keep()
        await self.errors.keep()
        if self._clock() - self._hour_began >= HOUR:
            self._hour_began = self._clock()
            storage = await asyncio.to_thread(storage_of, self._settings)
            with suppress(ReadOnlyError):
                await self.daily.note_bytes(sum(storage.kinds.values()))
                await self.daily.compact()

    async def keep(self) -> None:
        """Write new counts. If writing fails, they are missing in the daily figures but still in memory."""
        people, beside = self._runs.taken(), self._beside
        self._beside = Figures()
        for name in KEPT_COUNTS:
            now = self._metrics.count_of(name)
            beside.count(f"happened:{name}", now - self._known.get(name, 0))
            self._known[name] = now
        everyone = together([beside, *people.values()])
        self._total.add(everyone)
        self._spans.append((self._clock(), everyone))
        await self._write(everyone, None)
        for user_id, figures in people.items():
            await self._write(figures, user_id)

    async def _write(self, figures: Figures, user_id: str | None) -> None:
        try:
            await self.daily.add(figures, user_id)
        except Exception:
            log.warning("figures of this half minute were not kept", exc_info=True)
