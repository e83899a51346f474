"""Measures the disk space that data take on this machine: *settings* → bytes by kind, and the free disk space."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

from pydantic import BaseModel

from core.settings import Settings

Kind = Literal["originals", "pages", "records", "conversations", "index", "backups", "other"]
_KINDS: dict[str, Kind] = {
    "files": "originals",
    "uploads": "originals",
    "pages": "pages",
    "truth.sqlite": "records",
    "checkpoints.sqlite": "conversations",
    "index": "index",
    "backups": "backups",
}
"""By the first part of a path in the data directory; SQLite adds ``-wal`` and ``-shm`` to its file's name."""


BLOCK = 512
"""The size in bytes of the blocks in which operating systems count file sizes."""


class Storage(BaseModel):
    """Disk use in bytes. ``servers``: data stored and counted elsewhere."""

    folder: str
    kinds: dict[Kind, int]
    free: int
    servers: list[str]


def storage_of(settings: Settings) -> Storage:
    """Reads the folder's sizes; call it outside the event loop."""
    kinds: dict[Kind, int] = {}
    for name, size in _files(settings.folder):
        kind = _KINDS.get(name.removesuffix("-wal").removesuffix("-shm"), "other")
        kinds[kind] = kinds.get(kind, 0) + size
    servers = [name for name, used in (("MongoDB", settings.mongodb_uri), ("Qdrant", settings.qdrant_url)) if used]
    return Storage(
        folder=str(settings.folder), kinds=kinds, free=shutil.disk_usage(settings.folder).free, servers=servers
    )


def _room(path: Path) -> int:
    """The disk space that a file uses; the index reserves more than it has written."""
    found = path.stat()
    blocks: int | None = getattr(found, "st_blocks", None)
    return found.st_size if blocks is None else blocks * BLOCK


def _files(folder: Path) -> Iterator[tuple[str, int]]:
    for path in folder.rglob("*"):
        try:
            if path.is_file() and not path.is_symlink():
                yield path.relative_to(folder).parts[0], _room(path)
        except FileNotFoundError:
            continue  # a temporary file that was removed in the meantime
