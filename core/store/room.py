"""Checks the disk space for the data directory: *settings* → the free space, and an error if there is too little."""

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
"""Reserved space that is given up when the disk is full: for the records of deletions, and for a start."""
WORK_BYTES = 2 * RESERVE_BYTES
"""With less than this, no question is answered and nothing is added to the index; the rest is for deletions."""
DELETION_BYTES = MEGABYTE
"""Free space that the index needs in order to delete."""
START_BYTES = 8 * MEGABYTE
"""Space needed for a start: the engines extend mapped files, and a page that cannot be written crashes the process."""


def free_room(settings: Settings) -> int:
    """Free bytes; if the data directory does not exist yet, those of the folder in which it will be created."""
    existing = next(each for each in (settings.folder, *settings.folder.parents) if each.exists())
    return shutil.disk_usage(existing).free


def least_room(settings: Settings) -> float:
    """Bytes that must stay free."""
    return settings.limits.disk_low_bytes / 2


def refuse_without_room(settings: Settings, size: int = 0) -> None:
    """Raises ``NoRoomError``: a file of ``size`` bytes would leave less than half of the low-space threshold."""
    free = free_room(settings)
    if free - size < least_room(settings):
        raise no_file_fits(free)


def no_file_fits(free: int) -> NoRoomError:
    return no_room("store.room.none", free=free // MEGABYTE)


def refuse_work_without_room(settings: Settings) -> None:
    """Raises ``NoRoomError``: the remaining space is for deletions. Records on a separate server need no space here."""
    if not settings.mongodb_uri and free_room(settings) < WORK_BYTES:
        raise no_room("errors.no_room")


def refuse_start_without_room(settings: Settings) -> None:
    """Use the reserve if it is needed. This call blocks.

    Raises:
        NoRoomError: there is too little space to open the stores. Nothing was changed.
    """
    if free_room(settings) < START_BYTES:
        Reserve(settings).give_up()
    if (free := free_room(settings)) < START_BYTES:
        needed = START_BYTES // MEGABYTE
        raise no_room("store.room.start", folder=settings.folder, free=f"{free / MEGABYTE:.1f}", needed=needed)


class Reserve:
    """A file that reserves space for the time when the disk is full. Blocks: call it in a thread."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._path = settings.folder / RESERVE

    def keep(self) -> None:
        """Create the reserve while there is space; its failure never stops other work."""
        if self._path.exists() or free_room(self._settings) < self._settings.limits.disk_low_bytes / 2 + RESERVE_BYTES:
            return
        try:
            with os.fdopen(os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
                # A compressing disk would reserve nothing for zeros; it compresses far less than a megabyte at a time.
                part = os.urandom(MEGABYTE)
                for _ in range(RESERVE_BYTES // MEGABYTE):
                    file.write(part)
        except OSError:
            self.give_up()

    def give_up(self) -> bool:
        """Release the reserve; whether there was one."""
        try:
            self._path.unlink()
        except OSError:
            return False
        log.warning("the disk is full: the room that was kept for this is given up")
        return True

    def require(self, size: int) -> None:
        """Raises ``NoRoomError``: fewer than ``size`` bytes are free. For a size as small as a deletion needs, the
        reserve is released first."""
        if free_room(self._settings) >= size:
            return
        if size >= WORK_BYTES or not self.give_up() or free_room(self._settings) < size:
            raise no_room("errors.no_room")
