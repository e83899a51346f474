"""Locks the data directory, which holds all embedded stores, for one process, and publishes that process's address."""

from __future__ import annotations

import os
import secrets
import sys
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO, NamedTuple

from core.errors import PalimpsestError, fail

LOCK = "palimpsest.lock"
TOKEN = "palimpsest.token"
TOKEN_PREFIX = "pal_local_"
_PASSING = "passing"
_LOCKED_BYTE = 1 << 20
"""Lock position after the address, because Windows prevents other processes from reading locked bytes."""


class Holder(NamedTuple):
    """The process that holds the data directory: its ``address``, and the ``token`` by which it recognises the
    directory's owner.

    ``passing``: a command that serves while it works, and will soon end by itself.
    """

    address: str
    token: str
    passing: bool = False


class DataDirectoryLock:
    """Held until ``release``, or until the process ends in any way.

    ``token`` is new with each lock. Once an address is published, it is stored next to the lock, readable only by the
    directory's owner.
    """

    def __init__(self, folder: Path, file: BinaryIO) -> None:
        self.folder = folder
        self.token = TOKEN_PREFIX + secrets.token_urlsafe(32)
        self._file = file

    def announce(self, address: str, *, passing: bool = False) -> None:
        """Publish this process's address, and the token that gives the directory's owner access."""
        _write_private(self.folder / TOKEN, self.token)
        self._file.seek(0)
        self._file.truncate(0)
        self._file.write("\n".join([address, *([_PASSING] if passing else [])]).encode())
        self._file.flush()

    def release(self) -> None:
        """Let another process take the lock; calling it again has no effect."""
        if not self._file.closed:
            (self.folder / TOKEN).unlink(missing_ok=True)
            self._file.truncate(0)
            self._file.close()

    def __enter__(self) -> DataDirectoryLock:
        return self

    def __exit__(self, *_: object) -> None:
        self.release()


def try_data_directory(folder: Path) -> DataDirectoryLock | None:
    """Create ``folder`` with access for its owner only and lock it; ``None`` if another process holds it (see
    ``taken``).

    Raises:
        PalimpsestError: it cannot be created or written ("auth").
    """
    folder = folder.expanduser()
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        # Not "a": the address is written at the beginning. Not "w": the first process's address must survive the second
        # one.
        file = os.fdopen(os.open(folder / LOCK, os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0), 0o600), "r+b")
    except OSError as error:
        raise fail("auth", "store.home.not_writable", detail=str(error), folder=folder) from error
    if not _lock(file):
        file.close()
        return None
    file.truncate(0)
    return DataDirectoryLock(folder, file)


def find_holder(folder: Path) -> Holder | None:
    """The process that holds the folder, if it published its address; it may have ended since."""
    folder = folder.expanduser()
    with suppress(OSError):
        address, _, passing = (folder / LOCK).read_text(encoding="utf-8").strip().partition("\n")
        token = (folder / TOKEN).read_text(encoding="utf-8").strip()
        if address and token:
            return Holder(address, token, passing == _PASSING)
    return None


def taken(folder: Path) -> PalimpsestError:
    """The error when another process holds the folder."""
    folder = folder.expanduser()
    holder = find_holder(folder)
    where = holder.address if holder else "?"
    return fail("validation", "store.home.taken", detail=f"{folder} is locked by {where}", where=where, folder=folder)


if sys.platform == "win32":
    import msvcrt

    def _lock(file: BinaryIO) -> bool:
        file.seek(_LOCKED_BYTE)
        try:
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        finally:
            file.seek(0)
        return True

else:
    import fcntl

    def _lock(file: BinaryIO) -> bool:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return False
        return True


def _write_private(path: Path, text: str) -> None:
    """Write a new file, because one left by a dead process may have been readable by others."""
    path.unlink(missing_ok=True)
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
        file.write(text)
