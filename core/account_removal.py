"""Removes an account with all its data: from record store, index, files, conversation threads and images.

The account is closed first and its row is deleted last. So the next maintenance run finishes what a crash interrupted,
and a new user with the same name finds nothing. Running work is stopped but may still write a little, so removal is
repeated until nothing is found. At the end the stores' files are rewritten, because deleted data stays in them until
its space is reused.
"""

from __future__ import annotations

import asyncio
import logging
import shutil
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass

from core.accounts.accounts import COLLECTION as ACCOUNTS
from core.accounts.accounts import Accounts
from core.datasets.store import DATASET_FILES
from core.errors import PalimpsestError
from core.library.library import Library
from core.library.viewing.viewer import Viewer
from core.memory.items.writing import MemoryItems
from core.settings import Settings
from core.store.files import FileStore, folder_name
from core.store.index import Where
from core.store.scope import ScopedTruth
from core.store.truth import Truth

log = logging.getLogger(__name__)

ROUNDS = 5
"""Maximum number of removal rounds, because stopped work may still have written data; after that the next maintenance
run continues."""
CLEANED_FOLDERS = ("files", "uploads")

Cancel = Callable[[str, str], Awaitable[None]]
Forget = Callable[[str], Awaitable[None]]


@dataclass
class AccountRemoval:
    """Removes accounts. ``cancel`` stops a user's run. ``forget_thread`` deletes the agent's data on a conversation,
    and ``scrub`` erases this data from the file on disk. ``unindex`` deletes a user's points from the index."""

    _settings: Settings
    _truth: Truth
    _accounts: Accounts
    _library: Library
    _items: MemoryItems
    _files: FileStore
    _viewer: Viewer
    _cancel: Cancel
    _unindex: Callable[[Where], Awaitable[None]]
    _forget_thread: Forget
    _scrub: Callable[[], Awaitable[None]]

    async def remove(self, name: str) -> None:
        """Remove an account. Raises ``PalimpsestError`` if there is no such user, or the user is the only
        administrator."""
        await self._accounts.close(name)
        await self._finish(name)

    async def finish(self) -> None:
        """Continue removals that a crash or an error interrupted (maintenance)."""
        for name in await self._accounts.closed():
            await self._finish(name)

    async def _finish(self, name: str) -> None:
        await self._stop_work(name)
        for _ in range(ROUNDS):
            if not await self._purge(name):
                break
        else:
            log.warning("an account is removed in a later round: its work has not ended yet")
            return
        await self._viewer.tidy()
        await self._accounts.forget(name)
        await self._truth.scrub()
        await self._scrub()

    async def _stop_work(self, name: str) -> None:
        mine = ScopedTruth(self._truth, name)
        for run in await mine.collection("runs").find({"state": {"$ne": "ended"}}, fields=["_id"]):
            with suppress(PalimpsestError):
                await self._cancel(name, str(run["_id"]))
        for document in await mine.collection("documents").find({"state": {"$ne": "deleted"}}, fields=["_id"]):
            with suppress(PalimpsestError):
                await self._library.delete(name, str(document["_id"]))

    async def _purge(self, name: str) -> int:
        """Delete the user's data; returns how much was deleted. Files are deleted before the rows that name them, so
        that no file is orphaned."""
        mine = ScopedTruth(self._truth, name)
        for row in await mine.collection("documents").find(fields=["sha256"]):
            await self._files.delete(str(row["sha256"]), name, str(row["_id"]))
        for row in await mine.collection(DATASET_FILES).find(fields=["digest", "document_id"]):
            await self._files.delete(str(row["digest"]), name, str(row["document_id"]))
        for row in await mine.collection("conversations").find(fields=["_id"]):
            await self._forget_thread(str(row["_id"]))
        for row in await mine.collection("messages").find({"thread": {"$ne": None}}, fields=["thread"]):
            await self._forget_thread(str(row["thread"]))
        await self._items.remove(name, {})
        await self._unindex(Where(name))
        found = 0
        for collection in await self._truth.names():
            if collection != ACCOUNTS:
                found += await mine.collection(collection).delete({})
        for folder in CLEANED_FOLDERS:
            await asyncio.to_thread(
                shutil.rmtree, self._settings.folder / folder / folder_name(name), ignore_errors=True
            )
        return found
