"""Files on their way into our file store: *an upload* → a path that is its owner's alone."""

from __future__ import annotations

import hashlib
import secrets
import shutil
import time
from pathlib import Path

from core.errors import fail
from core.settings import Settings

ABANDONED = 86_400.0
"""Seconds after which a file that nobody took over goes."""


def upload_folder(settings: Settings) -> Path:
    """Where uploads are kept until we take them over, the interface's and our own."""
    return (settings.folder / "uploads").resolve()


def new_place(user_id: str, settings: Settings) -> Path:
    """A folder for one upload of this user, which is not there yet."""
    return _folder_of(user_id, settings) / secrets.token_hex(16)


def written(user_id: str, name: str, content: bytes, settings: Settings) -> Path:
    """A file of ours as if this user had sent it."""
    place = new_place(user_id, settings)
    place.mkdir(parents=True)
    path = place / name
    path.write_bytes(content)
    return path


def received(user_id: str, path: str, settings: Settings) -> Path:
    """The file at ``path`` that this user uploaded.

    Raises:
        PalimpsestError: it is gone, it is another's, or it is not an upload at all.
    """
    resolved = Path(path).resolve()
    if _folder_of(user_id, settings) not in resolved.parents or not resolved.is_file():
        raise fail("not_found", "pages.uploads.received")
    return resolved


def remove_abandoned(folder: Path, now: float | None = None) -> None:
    """Uploads that were neither taken over nor thrown away, and the folders of those that were."""
    oldest = (time.time() if now is None else now) - ABANDONED
    for each in [*folder.glob("*/*")]:
        if each.is_dir() and each.stat().st_mtime < oldest:
            shutil.rmtree(each, ignore_errors=True)


def _folder_of(user_id: str, settings: Settings) -> Path:
    """By a digest, because a name may hold what no folder's may."""
    return upload_folder(settings) / hashlib.sha256(user_id.encode()).hexdigest()[:32]
