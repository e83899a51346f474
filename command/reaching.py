"""Finds the server that holds the data directory, or starts one for the time of this command."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from urllib.parse import urlsplit

from core.settings import Settings
from core.store.data_directory import DataDirectoryLock, Holder, find_holder, taken, try_data_directory

log = logging.getLogger(__name__)

PATIENCE = 90.0
"""Seconds to wait for another process that holds the data directory to publish its address or to release the directory.
"""
STEP = 0.1


@asynccontextmanager
async def reached(settings: Settings, *, lasting: bool = False, mending: bool = False) -> AsyncIterator[Holder]:
    """The server's address, with the rights of the data directory's owner. ``lasting``: this command keeps running, so
    a server that it starts also serves the pages. ``mending``: if the records cannot be read, they are set aside and
    new ones are created.

    Raises:
        PalimpsestError: another process holds the directory and does not answer, or the directory cannot be used.
    """
    found = await _lock_or_holder(settings)
    if isinstance(found, Holder):
        yield found
        return
    with found as lock:
        from command.hosting import hosted
        from core.store.migrations.upgrade import upgrade
        from core.store.room import refuse_start_without_room
        from core.store.truth_file import refuse_unreadable, set_aside

        await asyncio.to_thread(refuse_start_without_room, settings)
        if mending:
            await asyncio.to_thread(set_aside, settings)
        await asyncio.to_thread(refuse_unreadable, settings)
        await asyncio.to_thread(upgrade, settings)
        async with hosted(settings, lock, with_pages=lasting, passing=not lasting) as address:
            log.info("the data directory is served at %s", address)
            yield Holder(address, lock.token, passing=not lasting)


async def _lock_or_holder(settings: Settings) -> DataDirectoryLock | Holder:
    ends = asyncio.get_running_loop().time() + PATIENCE
    while True:
        lock = try_data_directory(settings.folder)
        if lock:
            return lock
        holder = find_holder(settings.folder)
        if holder and await answers(holder):
            return holder
        if asyncio.get_running_loop().time() > ends:
            raise taken(settings.folder)
        await asyncio.sleep(STEP)


async def answers(holder: Holder) -> bool:
    """Whether a server accepts connections at the holder's address."""
    address = urlsplit(holder.address)
    try:
        _, writer = await asyncio.open_connection(address.hostname, address.port)
    except OSError:
        return False
    writer.close()
    return True
