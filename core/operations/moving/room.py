"""Checks before a move that the target has enough space; raises an error before anything is written."""

from __future__ import annotations

import asyncio

from core.errors import fail
from core.operations.moving.places import Place
from core.store.mongo import MongoTruth
from core.store.room import MEGABYTE, free_room
from core.store.storage import Kind, storage_of

SPARE = 1.5
"""Factor on the data's size, for indexes and for space that the stores reserve."""
MOVED: tuple[Kind, ...] = ("records", "conversations", "originals")


async def refuse_without_room(source: Place, target: Place) -> None:
    """Raise ``PalimpsestError`` if the space is not enough. A server that does not report its free space is assumed to
    have enough."""
    needed = int(SPARE * await _taken(source))
    free = await _free(target)
    if free is not None and free < needed:
        raise fail("server", "moving.no_room", target=target.address, needed=needed // MEGABYTE, free=free // MEGABYTE)


async def _taken(place: Place) -> int:
    """Bytes used by records, files and threads."""
    if isinstance(place.truth, MongoTruth):
        return int((await place.truth.statistics()).get("dataSize") or 0)
    kinds = (await asyncio.to_thread(storage_of, place.settings)).kinds
    return sum(kinds.get(kind, 0) for kind in MOVED)


async def _free(place: Place) -> int | None:
    if not isinstance(place.truth, MongoTruth):
        return await asyncio.to_thread(free_room, place.settings)
    told = await place.truth.statistics()
    total, used = told.get("fsTotalSize"), told.get("fsUsedSize")
    return int(total - used) if total and used is not None else None
