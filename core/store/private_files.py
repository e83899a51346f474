"""The data directory is its owner's alone: *a folder* → folders 0700 and files 0600, whatever the umask was.

The process that serves takes rights from everybody else before anything is written, so that what engines make is
private too; what lies there from before is set right once, at the start.
"""

from __future__ import annotations

import logging
import os
import secrets
import stat
from pathlib import Path

log = logging.getLogger(__name__)

OTHERS = 0o077


def keep_private(folder: Path) -> None:
    """Off the event loop, before the engines are started. Windows keeps rights of another kind, and is left alone."""
    if os.name != "posix":
        return
    os.umask(OTHERS)
    folder.mkdir(parents=True, exist_ok=True)
    changed = sum(_set_right(Path(each)) for each in [folder, *folder.rglob("*")])
    if changed:
        log.warning("%d files and folders in %s could be read by others; now they cannot", changed, folder)


def create_private(file: Path, content: bytes) -> bytes:
    """What is in ``file``, which is written whole or not at all; of several processes that begin at once the first
    one's content stays."""
    file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    draft = file.with_name(f"{file.name}.{os.getpid()}.{secrets.token_hex(4)}")
    with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as handle:
        handle.write(content)
        handle.flush()
        os.fsync(handle.fileno())
    try:
        os.link(draft, file)
    except FileExistsError:
        pass
    finally:
        draft.unlink()
    return file.read_bytes()


def _set_right(path: Path) -> bool:
    try:
        found = path.lstat().st_mode
        if stat.S_ISLNK(found) or not found & OTHERS:
            return False
        path.chmod(stat.S_IMODE(found) & ~OTHERS)
    except FileNotFoundError:
        return False  # a file of work that ended meanwhile
    except PermissionError:
        log.warning("%s is another's, and its rights stay as they are", path)
        return False
    return True
