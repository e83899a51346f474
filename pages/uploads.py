"""Files on their way from where they were received into our file store."""

from __future__ import annotations

from pathlib import Path

from core.errors import fail
from core.settings import Settings


def upload_folder(settings: Settings) -> Path:
    """Where uploads are kept until we take them over, the interface's and our own."""
    return settings.folder / "uploads"


def received(path: str, settings: Settings) -> Path:
    """The uploaded file at ``path``.

    Raises:
        PalimpsestError: it is gone, or it is not an upload at all.
    """
    resolved = Path(path).resolve()
    if upload_folder(settings).resolve() not in resolved.parents or not resolved.is_file():
        raise fail("not_found", "pages.uploads.received")
    return resolved
