"""Runs the periodic maintenance duties every half minute, one after another; shared duties run in only one process."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator
from typing import TYPE_CHECKING

from core.runs.scheduler import Scheduler, attempt
from core.runs.shared_round import ONE_ROUND, SharedRound

if TYPE_CHECKING:
    from core.coordination.dispatch import Dispatch

SECONDS = 30.0

Duties = Callable[[], Iterator[Awaitable[object]]]


class Upkeep:
    """The maintenance task. ``own``: duties that each process has, including ``of_all``. ``shared``: duties that one
    process does for all processes, preferably a worker. A duty that fails is skipped until the next time."""

    def __init__(self, own: Duties, shared: Duties, dispatch: Dispatch | None, workers: int) -> None:
        self._own = own
        self._shared = shared
        self._round = SharedRound("upkeep", self._do_shared, dispatch, workers, SECONDS * ONE_ROUND)
        self._scheduler = Scheduler("upkeep", self._keep_up, SECONDS)

    async def start(self) -> None:
        await self._round.start()
        await self._scheduler.start()

    async def drain(self) -> None:
        """Leave shared duties to other processes from now on."""
        await self._round.drain()

    async def stop(self) -> None:
        await self._scheduler.stop()
        await self._round.stop()

    async def of_all(self) -> None:
        """Schedule the shared duties."""
        await self._round.due()

    async def _keep_up(self) -> None:
        await _do(self._own())

    async def _do_shared(self, _: str) -> None:
        await _do(self._shared())


async def _do(duties: Iterator[Awaitable[object]]) -> None:
    for duty in duties:
        await attempt("a part of the upkeep", duty)
