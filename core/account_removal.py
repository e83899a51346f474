"""An account goes with all that it holds: *a name* → nothing of it in truth, index, files, threads and pictures.

The account is closed first and its row goes last, so that what a crash left is finished at the next upkeep, and nobody
who is given the same name meanwhile finds anything. Work that is under way is stopped and may still write a little;
whatever has the name on it is removed until nothing is found any more. At the end the stores are written anew, because
what is deleted stays in their files until its place is used again.
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
"""Looks for what work that was stopped has written meanwhile; then it is left to the next upkeep."""
CLEANED_FOLDERS = ("files", "uploads")

Cancel = Callable[[str, str], Awaitable[None]]
Forget = Callable[[str], Awaitable[None]]


@dataclass
class AccountRemoval:
    """``cancel`` stops a run of somebody, ``forget_thread`` removes what the agent knows of a conversation, ``scrub``
    leaves no trace of that in its file, ``unindex`` takes somebody's points out of the index."""

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
        """Raises ``PalimpsestError``: there is nobody of that name, or nobody else is administrator."""
        await self._accounts.close(name)
        await self._finish(name)

    async def finish(self) -> None:
        """Go on with those that a crash or a failure left half done (maintenance)."""
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
        """How much there was. Files before the rows that name them, so that none is left that nothing names."""
        mine = ScopedTruth(self._truth, name)
        for row in await mine.collection("documents").find(fields=["sha256"]):
            await self._files.delete(str(row["sha256"]), name, str(row["_id"]))
        for row in await mine.collection("conversations").find(fields=["_id"]):
            await self._forget_thread(str(row["_id"]))
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
