"""Room on the disk of the data directory: *settings* → how much is free, and a refusal where it is too little."""

from __future__ import annotations

import logging
import os
import shutil

from core.errors import fail
from core.settings import Settings

log = logging.getLogger(__name__)

MEGABYTE = 1024 * 1024
RESERVE = "reserve"
RESERVE_BYTES = 16 * MEGABYTE
"""Given up when the disk is full: room for the records of what is deleted, and for a start."""


def free_room(settings: Settings) -> int:
    """Bytes; of the folder that the data directory is to be made in, where it is not there yet."""
    existing = next(each for each in (settings.folder, *settings.folder.parents) if each.exists())
    return shutil.disk_usage(existing).free


def refuse_without_room(settings: Settings, size: int = 0) -> None:
    """Raises ``PalimpsestError``: a file of ``size`` bytes would leave less than half of what is called little."""
    free = free_room(settings)
    if free - size < settings.limits.disk_low_bytes / 2:
        raise fail("server", "store.room.none", free=free // MEGABYTE)


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

    def make_room(self) -> None:
        """For a start on a full disk."""
        if free_room(self._settings) < RESERVE_BYTES:
            self.give_up()
