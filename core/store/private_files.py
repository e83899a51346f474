"""Keeps the data directory private to its owner: *a folder* → folders 0700 and files 0600, for any umask.

The serving process removes other users' rights before anything is written, so that files made by the engines are
private too. Existing files are corrected once, at the start.
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
    """Make the folder private. Call it outside the event loop, before the engines start. Does nothing on Windows, which
    has another kind of permissions."""
    if os.name != "posix":
        return
    os.umask(OTHERS)
    folder.mkdir(parents=True, exist_ok=True)
    changed = sum(_set_right(Path(each)) for each in [folder, *folder.rglob("*")])
    if changed:
        log.warning("%d files and folders in %s could be read by others; now they cannot", changed, folder)


def create_private(file: Path, content: bytes) -> bytes:
    """The content of ``file``, which is written completely or not at all. If several processes start together, the
    first one's content stays."""
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
        return False  # a temporary file that was removed in the meantime
    except PermissionError:
        log.warning("%s is another's, and its rights stay as they are", path)
        return False
    return True
