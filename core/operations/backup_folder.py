"""Manages the backup folder: makes, lists, restores and deletes backup files in the data directory.

A file's name shows who may use it: backups of all users are only for administrators, a user's backup is also for that
user.
"""

from __future__ import annotations

import asyncio
import logging
import re
import secrets
from collections.abc import Awaitable
from datetime import UTC, datetime
from pathlib import Path
from typing import Protocol, cast

from core.clock import HOUR, Clock
from core.errors import PalimpsestError, fail
from core.memory.maintenance.archive import Reader
from core.memory.maintenance.backup import BackupSummary
from core.operations.records import BackupFile, MadeBy
from core.settings import Settings
from core.store.files import folder_name

log = logging.getLogger(__name__)

EVERYONE = "everyone"
UNFINISHED = "*.part"
_NAME = re.compile(
    r"(backup|scheduled|received)-\d{8}-\d{6}-[0-9a-f]{8}-(?P<owner>everyone|[0-9a-f]{32})\.zip", re.ASCII
)


class Archives(Protocol):
    """Writes and reads the files; a user id of ``None`` means all users."""

    def export_backup(self, user_id: str | None, path: Path) -> Awaitable[BackupSummary]: ...

    def import_backup(self, user_id: str | None, path: Path, *, dry_run: bool = False) -> Awaitable[BackupSummary]: ...


def new_name(by: MadeBy, of: str | None, now: float) -> str:
    """A unique name for a backup."""
    moment = datetime.fromtimestamp(now, UTC).strftime("%Y%m%d-%H%M%S")
    return f"{by}-{moment}-{secrets.token_hex(4)}-{EVERYONE if of is None else folder_name(of)}.zip"


class BackupFolder:
    """The backup folder. ``asker`` is the user who makes the request and may use only their own backups, or ``None``
    for an administrator."""

    def __init__(self, settings: Settings, memory: Archives, clock: Clock) -> None:
        self._settings = settings
        self._folder = settings.folder / "backups"
        self._memory = memory
        self._clock = clock
        self._scheduled: asyncio.Task[None] | None = None
        self._one = asyncio.Lock()

    async def make(self, of: str | None, by: MadeBy = "backup") -> tuple[BackupFile, BackupSummary]:
        """Write a backup of one user, or of all. Raises ``PalimpsestError`` if it could not be written."""
        async with self._one:
            await asyncio.to_thread(self._folder.mkdir, parents=True, exist_ok=True, mode=0o700)
            path = self._folder / new_name(by, of, self._clock())
            summary = await self._memory.export_backup(of, path)
            return await asyncio.to_thread(_described, path), summary

    async def all(self, asker: str | None) -> list[BackupFile]:
        """The backups, newest first; unreadable ones are left out."""
        return await asyncio.to_thread(self._all, asker)

    async def whose(self, name: str, asker: str | None) -> str | None:
        """The user of a backup, ``None`` for all users. Raises the same errors as ``path_of``, and one if the file is
        not a backup."""
        return (await asyncio.to_thread(_described, self.path_of(name, asker))).of

    async def preview(self, name: str, asker: str | None, into: str | None) -> BackupSummary:
        """Report what ``restore`` would do. Raises the same errors as ``restore``."""
        return await self._memory.import_backup(into, self.path_of(name, asker), dry_run=True)

    async def restore(self, name: str, asker: str | None, into: str | None) -> BackupSummary:
        """Restore what is missing or older in this installation, as data of the user ``into``, or with ``None`` for all
        users.

        Raises:
            PalimpsestError: ``asker`` has no such backup, or it is damaged; nothing has changed.
        """
        return await self._memory.import_backup(into, self.path_of(name, asker))

    async def receive(self, path: Path, of: str) -> BackupFile:
        """Move a file that the user ``of`` has uploaded into the folder; a file that is not a backup is refused and
        deleted."""
        return await asyncio.to_thread(self._receive, path, of)

    def path_of(self, name: str, asker: str | None) -> Path:
        """The file's path. Raises ``PalimpsestError`` ("not_found") if there is no such file, or it belongs to another
        user."""
        path = self._folder / name
        if not _may_use(name, asker) or not path.is_file():
            raise fail("not_found", "operations.backups.unknown", name=name)
        return path

    async def keep_up(self) -> None:
        """Start the scheduled backup when it is due, and delete backups above the configured number. Does not wait for
        the backup to finish."""
        if not self._settings.backups.every_hours or (self._scheduled and not self._scheduled.done()):
            return
        made = [each for each in await self.all(None) if each.by == "scheduled"]
        if not made or self._clock() - made[0].made_at >= self._settings.backups.every_hours * HOUR:
            self._scheduled = asyncio.create_task(self._make_scheduled(), name="backup")

    async def start(self) -> None:
        """Delete the incomplete files of an interrupted backup."""
        await asyncio.to_thread(self._remove_unfinished)

    async def settle(self) -> None:
        """Wait for the running scheduled backup, if any."""
        if self._scheduled is not None:
            await asyncio.gather(self._scheduled, return_exceptions=True)

    async def stop(self) -> None:
        if self._scheduled is not None:
            self._scheduled.cancel()
        await self.settle()

    async def _make_scheduled(self) -> None:
        try:
            await self.make(None, "scheduled")
        except Exception:
            log.exception("the scheduled backup was not made; the next round tries again")
            return
        made = [each for each in await self.all(None) if each.by == "scheduled"]
        for each in made[self._settings.backups.keep :]:
            await asyncio.to_thread((self._folder / each.name).unlink, True)

    def _all(self, asker: str | None) -> list[BackupFile]:
        found = []
        for path in self._folder.glob("*.zip"):
            if not _may_use(path.name, asker):
                continue
            try:
                found.append(_described(path))
            except (OSError, PalimpsestError):
                log.warning("%s is no backup that can be read", path.name, exc_info=True)
        return sorted(found, key=lambda each: each.made_at, reverse=True)

    def _receive(self, path: Path, of: str) -> BackupFile:
        try:
            Reader(path).close()
            self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            kept = self._folder / new_name("received", of, self._clock())
            path.chmod(0o600)
            path.replace(kept)
        finally:
            path.unlink(missing_ok=True)
        return _described(kept)

    def _remove_unfinished(self) -> None:
        for path in self._folder.glob(UNFINISHED):
            if path.is_file():
                path.unlink(missing_ok=True)


def _may_use(name: str, asker: str | None) -> bool:
    found = _NAME.fullmatch(name)
    return found is not None and (asker is None or found["owner"] == folder_name(asker))


def _described(path: Path) -> BackupFile:
    """A backup's description. Raises ``PalimpsestError`` if the file does not have a backup's structure."""
    reader = Reader(path)
    reader.close()
    return BackupFile(
        name=path.name,
        by=cast(MadeBy, path.name.partition("-")[0]),
        of=reader.manifest.user_id,
        made_at=reader.manifest.created_at,
        bytes=path.stat().st_size,
    )
