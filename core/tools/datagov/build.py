"""Builds a portal's catalogue map: a list of all data sets, with the columns of their readable resources.

``palimpsest datagov build`` calls this. Entries that have not changed since the old map are reused, so only new ones
are examined. If a resource's columns are not available, they stay unknown, and the catalogue is kept anyway.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable

from core.clock import Clock
from core.errors import PalimpsestError
from core.tools.datagov.ckan import PackagePage, StorePage
from core.tools.datagov.portal import Portal
from core.tools.datagov.records import Dataset, Resource, ResourceMap

log = logging.getLogger(__name__)

PAGE = 100
"""Number of data sets per request."""
MOST_PAGES = 500
AT_ONCE = 4
"""Number of resources examined at the same time; it is small because the portal is public."""
MOST_FAILURES = 5
"""Number of consecutive failures after which no more resources are examined in this build."""

Progress = Callable[[int, int], None]
"""A progress callback: the number of resources examined, and the number of all."""


def silent(done: int, of: int) -> None:
    """A callback for callers that need no progress; it does nothing."""


async def build_catalogue(portal: Portal, clock: Clock, before: ResourceMap | None = None) -> ResourceMap:
    """All data sets with their resources, in a few calls. Columns are only included for files unchanged since
    ``before``.

    Pages are requested until one has nothing new, because the portal's own count is not always correct.

    Raises:
        PalimpsestError: the portal is not available.
    """
    known = {one.id: one for each in before.datasets for one in each.resources} if before else {}
    found: dict[str, Dataset] = {}
    announced = 0
    for page in range(MOST_PAGES):
        listed = await portal.action(
            "package_search", PackagePage, q="*:*", rows=PAGE, start=page * PAGE, sort="metadata_modified desc"
        )
        announced = max(announced, listed.count)
        fresh = {each.id: each for each in listed.results if each.id not in found}
        if not fresh:
            break
        records = {identifier: each.record() for identifier, each in fresh.items()}
        found |= {id: each.with_resources(lambda one: _kept(one, known.get(one.id))) for id, each in records.items()}
    return ResourceMap(address=portal.address, built_at=clock(), announced=announced, datasets=list(found.values()))


def _kept(one: Resource, before: Resource | None) -> Resource:
    if before is None or before.columns is None or not one.stored or before.changed != one.changed:
        return one
    return one.looked_at(before.columns, before.rows)


async def add_columns(catalogue: ResourceMap, portal: Portal, progress: Progress = silent) -> ResourceMap:
    """The map with columns and row counts of all resources that provide them."""
    wanted = [one for each in catalogue.datasets for one in each.resources if one.stored and one.columns is None]
    looking = _Looking(portal, len(wanted), progress)
    looked = {one.id: one for one in await asyncio.gather(*(looking.at(one) for one in wanted))}
    return catalogue.with_resources(lambda one: looked.get(one.id, one))


class _Looking:
    """Examines resources, several at the same time, until too many fail in a row."""

    def __init__(self, portal: Portal, of: int, progress: Progress) -> None:
        self._portal = portal
        self._of = of
        self._progress = progress
        self._turns = asyncio.Semaphore(AT_ONCE)
        self._failed = 0
        self._done = 0

    async def at(self, one: Resource) -> Resource:
        async with self._turns:
            if self._failed >= MOST_FAILURES:
                return one
            try:
                page = await self._portal.action("datastore_search", StorePage, resource_id=one.id, limit=0)
            except PalimpsestError as error:
                log.info("the columns of %s stay unknown: %s", one.id, error)
                self._failed += 1
                return one
            self._failed = 0
            self._done += 1
            self._progress(self._done, self._of)
            return one.looked_at(page.columns, page.total)
