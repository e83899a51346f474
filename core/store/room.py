"""Room on the disk of the data directory: *settings* → how much is free, and a refusal where it is too little."""

from __future__ import annotations

import shutil

from core.errors import fail
from core.settings import Settings

MEGABYTE = 1024 * 1024


def free_room(settings: Settings) -> int:
    """Bytes; of the folder that the data directory is to be made in, where it is not there yet."""
    existing = next(each for each in (settings.folder, *settings.folder.parents) if each.exists())
    return shutil.disk_usage(existing).free


def refuse_without_room(settings: Settings, size: int = 0) -> None:
    """Raises ``PalimpsestError``: a file of ``size`` bytes would leave less than half of what is called little."""
    free = free_room(settings)
    if free - size < settings.limits.disk_low_bytes / 2:
        raise fail("server", "store.room.none", free=free // MEGABYTE)
