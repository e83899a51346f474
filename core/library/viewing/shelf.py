"""Caches page images on disk by document, page and width; limited in size, and written atomically."""

from __future__ import annotations

import asyncio
import contextlib
import os
import shutil
import time
from collections.abc import Awaitable, Callable, Collection
from pathlib import Path
from uuid import uuid4

PART = ".part"
_STALE_SECONDS = 3600.0

Make = Callable[[Path], Awaitable[object]]
"""A function that creates the requested image at the given path."""


class PictureShelf:
    """The image cache, with one folder per document, named by the document's id."""

    def __init__(self, folder: Path, most_bytes: int) -> None:
        self._folder = folder
        self._most_bytes = most_bytes
        self._making: dict[Path, asyncio.Lock] = {}

    def folder(self, document_id: str) -> Path:
        return self._folder / document_id

    async def get(self, document_id: str, name: str, make: Make) -> bytes:
        """The cached file ``name``, created first if it is missing; raises what ``make`` raises.

        It is created under a temporary name and then renamed, so that a killed process leaves no incomplete file.
        """
        path = self.folder(document_id) / name
        lock = self._making.setdefault(path, asyncio.Lock())
        try:
            async with lock:
                kept = await asyncio.to_thread(_read_and_touch, path)
                if kept is not None:
                    return kept
                arriving = path.with_name(f"{name}.{uuid4().hex}{PART}")
                await asyncio.to_thread(path.parent.mkdir, parents=True, exist_ok=True, mode=0o700)
                try:
                    await make(arriving)
                    return await asyncio.to_thread(_move_into_place, arriving, path)
                finally:
                    await asyncio.to_thread(arriving.unlink, missing_ok=True)
        finally:
            if not lock.locked():
                self._making.pop(path, None)

    async def documents(self) -> list[str]:
        """Ids of the documents that have cached images."""
        return await asyncio.to_thread(_folder_names, self._folder)

    async def remove(self, document_ids: Collection[str]) -> None:
        for document_id in document_ids:
            await asyncio.to_thread(shutil.rmtree, self.folder(document_id), ignore_errors=True)

    async def trim(self) -> None:
        """Remove incomplete files, and the least recently viewed ones if the cache is too large."""
        await asyncio.to_thread(_trim, self._folder, self._most_bytes, time.time() - _STALE_SECONDS)


def _read_and_touch(path: Path) -> bytes | None:
    try:
        kept = path.read_bytes()
        os.utime(path)
    except FileNotFoundError:
        return None
    return kept or None


def _move_into_place(arriving: Path, path: Path) -> bytes:
    made = arriving.read_bytes()
    arriving.replace(path)
    return made


def _folder_names(folder: Path) -> list[str]:
    return [entry.name for entry in folder.iterdir() if entry.is_dir()] if folder.is_dir() else []


def _trim(folder: Path, most_bytes: int, stale: float) -> None:
    files: list[tuple[float, int, Path]] = []
    for path in folder.glob("*/*"):
        with contextlib.suppress(OSError):
            seen = path.stat()
            if path.suffix == PART and seen.st_mtime < stale:
                path.unlink()
            else:
                files.append((seen.st_mtime, seen.st_size, path))
    total = sum(size for _, size, _ in files)
    for _, size, path in sorted(files):
        if total <= most_bytes:
            break
        with contextlib.suppress(OSError):
            path.unlink()
        total -= size
