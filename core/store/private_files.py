"""The data directory is its owner's alone: *a folder* → folders 0700 and files 0600, whatever the umask was.

The process that serves takes rights from everybody else before anything is written, so that what engines make is
private too; what lies there from before is set right once, at the start.
"""

from __future__ import annotations

import logging
import os
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
