"""Holds the catalogue in memory: loads it from disk, builds it if missing, and rebuilds it when it is too old."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass
from pathlib import Path

from pydantic import BaseModel

from core.clock import DAY, Clock
from core.errors import fail
from core.tools.datagov.build import Progress, add_columns, build_catalogue, silent
from core.tools.datagov.index import CatalogueIndex, index_of
from core.tools.datagov.map_files import MapFiles
from core.tools.datagov.portal import Portal
from core.tools.datagov.records import ResourceMap
from core.tools.datagov.shipped import FILE as SHIPPED
from core.tools.datagov.shipped import unpack

log = logging.getLogger(__name__)

PATIENCE = 5.0
"""Maximum wait in seconds of a question for the first map; a portal of a few data sets is read in this time."""


class CatalogueState(BaseModel):
    """The catalogue's state for pages. ``built_at`` is in epoch seconds, ``None`` if there is no map yet. Columns are
    known for ``looked_at`` of ``resources``. ``announced`` is the portal's own count of data sets. While
    ``building``, ``done`` of ``to_do`` resources have been examined."""

    address: str
    built_at: float | None = None
    old: bool = False
    datasets: int = 0
    announced: int | None = None
    resources: int = 0
    looked_at: int = 0
    building: bool = False
    done: int = 0
    to_do: int = 0


@dataclass(frozen=True)
class Searchable:
    """A catalogue map and its search index."""

    map: ResourceMap
    index: CatalogueIndex


class Catalogue:
    """The catalogue. A map older than ``days`` days is rebuilt in the background; the old one is used until then."""

    def __init__(self, portal: Portal, files: MapFiles, clock: Clock, days: float, shipped: Path = SHIPPED) -> None:
        self._portal = portal
        self._shipped = shipped
        self._files = files
        self._clock = clock
        self._days = days
        self._current: Searchable | None = None
        self._building = asyncio.Lock()
        self._task: asyncio.Task[None] | None = None
        self._looked = (0, 0)

    async def start(self) -> None:
        """Load the newest map, built here or shipped with the workbench; the portal is not called."""
        stored = await asyncio.to_thread(lambda: [self._files.load(), unpack(self._shipped)])
        loaded = [each for each in stored if each is not None and each.address == self._portal.address]
        if loaded:
            self._current = await _searchable(max(loaded, key=lambda known: known.built_at))

    async def stop(self) -> None:
        task, self._task = self._task, None
        if task is not None:
            task.cancel()
            await asyncio.wait({task})
        await self._portal.close()

    @property
    def state(self) -> CatalogueState:
        done, to_do = self._looked
        building = self._building.locked()
        state = CatalogueState(address=self._portal.address, building=building, done=done, to_do=to_do)
        if self._current is not None:
            known = self._current.map
            stored = [one for each in known.datasets for one in each.resources if one.stored]
            state.built_at, state.old = known.built_at, self.is_old(known)
            state.datasets, state.announced = len(known.datasets), known.announced
            state.resources, state.looked_at = len(stored), sum(one.columns is not None for one in stored)
        return state

    def is_old(self, known: ResourceMap) -> bool:
        return self._clock() - known.built_at > self._days * DAY

    async def current(self) -> Searchable:
        """The catalogue to search. If there is no map, its build starts in the background; only a complete map answers.

        Raises:
            PalimpsestError: there is no map yet, because it is being built or the portal is not available.
        """
        current = self._current or await self._first(PATIENCE)
        if self._task is None or self._task.done():
            if self.is_old(current.map):
                self._task = asyncio.create_task(self._build_later(), name="the map of open data")
            elif self.state.looked_at == 0 < self.state.resources:
                self._task = asyncio.create_task(self._look_later(), name="the columns of open data")
        return current

    async def _first(self, seconds: float | None) -> Searchable:
        """The first map, after at most ``seconds`` (``None``: without a limit). A build that failed after the last
        question is reported first; the next question starts another one."""
        task = self._task or asyncio.create_task(self._build_first(), name="the first map of open data")
        self._task = task
        await asyncio.wait({task}, timeout=seconds)
        if task.done():
            self._task = None
            task.result()
        if self._current is None:
            done, to_do = self._looked
            raise fail("not_found", "tools.datagov.being_built", done=done, to_do=to_do or "?")
        return self._current

    async def whole(self) -> Searchable:
        """The catalogue to search, after all builds that are running.

        Raises:
            PalimpsestError: there is no map, and the portal is not available.
        """
        if self._current is None:
            await self._first(None)
        await self.current()
        await self.settled()
        return await self.current()

    async def build(self, progress: Progress = silent) -> CatalogueState:
        """Rebuild the map and wait for it, as the command does; unchanged resources are not examined again.

        Raises:
            PalimpsestError: the portal is not available; the old map is kept.
        """
        async with self._building:
            before = self._current.map if self._current else None
            fresh = await build_catalogue(self._portal, self._clock, before)
            if before is not None:
                await self._take(fresh)
            await self._look(fresh, progress)
        return self.state

    async def settled(self) -> None:
        """Wait for background builds to finish."""
        if self._task is not None:
            await asyncio.shield(self._task)

    async def _build_first(self) -> None:
        await self.build()

    async def _build_later(self) -> None:
        try:
            await self.build()
        except Exception as error:
            log.warning("the map of open data stays as it is: %s", error)

    async def _look_later(self) -> None:
        try:
            async with self._building:
                if self._current is not None:
                    await self._look(self._current.map, silent)
        except Exception as error:
            log.warning("columns of open data stay unknown: %s", error)

    async def _look(self, known: ResourceMap, progress: Progress) -> None:
        def counted(done: int, to_do: int) -> None:
            self._looked = (done, to_do)
            progress(done, to_do)

        try:
            await self._take(await add_columns(known, self._portal, counted))
        finally:
            self._looked = (0, 0)

    async def _take(self, fresh: ResourceMap) -> None:
        searchable = await _searchable(fresh)
        self._current = searchable
        try:
            await asyncio.to_thread(self._files.save, searchable.map, searchable.index)
        except OSError as error:
            log.warning("the map of open data is kept in memory alone: %s", error)


async def _searchable(known: ResourceMap) -> Searchable:
    return Searchable(known, await asyncio.to_thread(index_of, known))
