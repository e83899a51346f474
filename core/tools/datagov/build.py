"""Builds the resource map: *a portal, the map there was* → its catalogue, with the columns of what can be asked for.

This is what ``palimpsest datagov build`` calls. What has not changed since the last map keeps what was known of it, so
that only what is new is looked at; whatever cannot be had is left unknown, and the catalogue is kept all the same.
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
"""Data sets asked for at once."""
MOST_PAGES = 500
AT_ONCE = 4
"""Resources that are looked at at the same time: the portal is everybody's."""
MOST_FAILURES = 5
"""In a row, after which no further resource is looked at now."""

Progress = Callable[[int, int], None]
"""Told how many of how many resources have been looked at."""


def silent(done: int, of: int) -> None:
    """For callers who do not watch."""


async def build_catalogue(portal: Portal, clock: Clock, before: ResourceMap | None = None) -> ResourceMap:
    """All data sets with their resources, in a few calls; of columns only what ``before`` knew of unchanged files.

    Pages are asked for until one brings nothing new: what a portal counts is not always what it has.

    Raises:
        PalimpsestError: the portal cannot be asked.
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
    """The same map, with the columns and the count of rows of every resource that can be asked for them."""
    wanted = [one for each in catalogue.datasets for one in each.resources if one.stored and one.columns is None]
    looking = _Looking(portal, len(wanted), progress)
    looked = {one.id: one for one in await asyncio.gather(*(looking.at(one) for one in wanted))}
    return catalogue.with_resources(lambda one: looked.get(one.id, one))


class _Looking:
    """At resources, some at a time, until too many in a row cannot be had."""

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
