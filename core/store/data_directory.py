"""The folder that everything embedded lives in, opened by one process at a time."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import BinaryIO

from core.errors import PalimpsestError, fail

LOCK = "palimpsest.lock"
_LOCKED_BYTE = 1 << 20
"""Beyond the address: Windows keeps others from reading the bytes that are locked."""


class DataDirectoryLock:
    """Held until ``release``, or until the process ends in whatever way."""

    def __init__(self, folder: Path, file: BinaryIO) -> None:
        self.folder = folder
        self._file = file

    def release(self) -> None:
        """Let another process in; calling it again changes nothing."""
        if not self._file.closed:
            self._file.truncate(0)
            self._file.close()

    def __enter__(self) -> DataDirectoryLock:
        return self

    def __exit__(self, *_: object) -> None:
        self.release()


def open_data_directory(folder: Path, address: str) -> DataDirectoryLock:
    """Create ``folder`` for its owner alone, lock it and note ``address`` for whoever comes second.

    Raises:
        PalimpsestError: another process has it ("validation"; the text names its address), or the folder cannot be
            created or written ("auth").
    """
    folder = folder.expanduser()
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        # Not "a": the address is written at the beginning. Not "w": the first one's address must survive the second.
        file = os.fdopen(os.open(folder / LOCK, os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0), 0o600), "r+b")
    except OSError as error:
        raise fail("auth", "store.home.not_writable", detail=str(error), folder=folder) from error
    if not _lock(file):
        first = file.read(4096).decode(errors="replace").strip()
        file.close()
        raise _directory_taken(folder, first)
    file.truncate(0)
    file.write(address.encode())
    file.flush()
    return DataDirectoryLock(folder, file)


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


def _directory_taken(folder: Path, address: str) -> PalimpsestError:
    where = address or "?"
    return fail("validation", "store.home.taken", detail=f"{folder} is locked by {where}", where=where, folder=folder)
