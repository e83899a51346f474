"""Room on the disk of the data directory: *settings* → how much is free, and a refusal where it is too little."""

from __future__ import annotations

import logging
import os
import shutil

from core.errors import NoRoomError, no_room
from core.settings import Settings

log = logging.getLogger(__name__)

MEGABYTE = 1024 * 1024
RESERVE = "reserve"
RESERVE_BYTES = 16 * MEGABYTE
"""Given up when the disk is full: room for the records of what is deleted, and for a start."""
WORK_BYTES = 2 * RESERVE_BYTES
"""Below this no question is answered and nothing is added to the index; what is left is for deletions."""
DELETION_BYTES = MEGABYTE
"""The index needs this to delete."""
START_BYTES = 8 * MEGABYTE
"""A start needs this: the engines extend files that they map, and a page without room ends the process."""


def free_room(settings: Settings) -> int:
    """Bytes; of the folder that the data directory is to be made in, where it is not there yet."""
    existing = next(each for each in (settings.folder, *settings.folder.parents) if each.exists())
    return shutil.disk_usage(existing).free


def least_room(settings: Settings) -> float:
    """Bytes that stay free whatever is taken in."""
    return settings.limits.disk_low_bytes / 2


def refuse_without_room(settings: Settings, size: int = 0) -> None:
    """Raises ``NoRoomError``: a file of ``size`` bytes would leave less than half of what is called little."""
    free = free_room(settings)
    if free - size < least_room(settings):
        raise no_file_fits(free)


def no_file_fits(free: int) -> NoRoomError:
    return no_room("store.room.none", free=free // MEGABYTE)


def refuse_work_without_room(settings: Settings) -> None:
    """Raises ``NoRoomError``: what is left is for deletions. Records on a server of their own need no room here."""
    if not settings.mongodb_uri and free_room(settings) < WORK_BYTES:
        raise no_room("errors.no_room")


def refuse_start_without_room(settings: Settings) -> None:
    """Make room from the reserve if it is needed. Blocks.

    Raises:
        NoRoomError: there is too little room to open the stores. Nothing was changed.
    """
    if free_room(settings) < START_BYTES:
        Reserve(settings).give_up()
    if (free := free_room(settings)) < START_BYTES:
        needed = START_BYTES // MEGABYTE
        raise no_room("store.room.start", folder=settings.folder, free=f"{free / MEGABYTE:.1f}", needed=needed)


class Reserve:
    """A file that holds room for the day when the disk is full. Blocks: call it in a thread."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._path = settings.folder / RESERVE

    def keep(self) -> None:
        """Lay it by while there is room; never in the way of anything."""
        if self._path.exists() or free_room(self._settings) < self._settings.limits.disk_low_bytes / 2 + RESERVE_BYTES:
            return
        try:
            with os.fdopen(os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
                # A disk that packs would give nothing for zeros; it packs far less than a megabyte at a time.
                part = os.urandom(MEGABYTE)
                for _ in range(RESERVE_BYTES // MEGABYTE):
                    file.write(part)
        except OSError:
            self.give_up()

    def give_up(self) -> bool:
        """Whether there was any."""
        try:
            self._path.unlink()
        except OSError:
            return False
        log.warning("the disk is full: the room that was kept for this is given up")
        return True

    def require(self, size: int) -> None:
        """Raises ``NoRoomError``: fewer than ``size`` bytes are free. For as little as a deletion needs, the reserve is
        given up first."""
        if free_room(self._settings) >= size:
            return
        if size >= WORK_BYTES or not self.give_up() or free_room(self._settings) < size:
            raise no_room("errors.no_room")
