"""Keeps local copies of Parquet files for queries, named by their digests, up to a total size."""

from __future__ import annotations

import asyncio
import contextlib
import os
import shutil
import time
from pathlib import Path
from uuid import uuid4

from core.store.files import FileStore, is_sha256

MOST_BYTES = 2 * 1024**3
"""Maximum total size of the copies; those that were not used for the longest time are removed first."""
IN_USE_SECONDS = 300.0
"""A copy that was used within this time is not removed."""


class LocalCopies:
    """The copies in ``folder`` of files in a file store."""

    def __init__(self, folder: Path, files: FileStore, most: int = MOST_BYTES) -> None:
        self.folder, self._files, self._most = folder, files, most

    async def fetch(self, digest: str, user_id: str) -> Path:
        """Returns the path of a copy, which is made if it is missing.

        Raises:
            PalimpsestError: the user has no such file ("not_found").
        """
        path = self.folder / digest
        if await asyncio.to_thread(_used, path):
            return path
        async with self._files.open(digest, user_id) as source:
            await self.keep(source, digest)
        return path

    async def keep(self, source: Path, digest: str) -> None:
        """Copies a file to the folder, and removes old copies if they are too large together."""
        await asyncio.to_thread(self._keep, source, digest)

    def remove_others(self, digests: set[str]) -> None:
        """Removes all copies but these, except those made a moment ago. Blocks: call it in a thread."""
        for path in self._copies():
            if path.name not in digests and not _is_in_use(path):
                path.unlink(missing_ok=True)

    def _keep(self, source: Path, digest: str) -> None:
        self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        arriving = self.folder / f"arriving-{uuid4().hex}"
        try:
            shutil.copyfile(source, arriving)
            arriving.replace(self.folder / digest)
        finally:
            arriving.unlink(missing_ok=True)
        self._make_room()

    def _make_room(self) -> None:
        copies = sorted(self._copies(), key=_last_used)
        size = sum(_size(path) for path in copies)
        for path in copies:
            if size <= self._most or _is_in_use(path):
                return
            size -= _size(path)
            path.unlink(missing_ok=True)

    def _copies(self) -> list[Path]:
        if not self.folder.is_dir():
            return []
        return [path for path in self.folder.iterdir() if is_sha256(path.name)]


def _used(path: Path) -> bool:
    """Whether the file exists; its time of use is then updated."""
    with contextlib.suppress(OSError):
        os.utime(path)
        return True
    return False


def _last_used(path: Path) -> float:
    with contextlib.suppress(OSError):
        return path.stat().st_mtime
    return 0.0


def _is_in_use(path: Path) -> bool:
    return time.time() - _last_used(path) < IN_USE_SECONDS


def _size(path: Path) -> int:
    with contextlib.suppress(OSError):
        return path.stat().st_size
    return 0
