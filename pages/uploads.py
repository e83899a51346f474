"""Files on their way from the interface's own folder into our file store."""

from __future__ import annotations

import tempfile
from pathlib import Path

from gradio.utils import get_upload_folder

from core.errors import fail


def upload_folder() -> Path:
    """Where the interface keeps uploads until we take them over."""
    return Path(get_upload_folder() or Path(tempfile.gettempdir()) / "gradio").resolve()


def received(path: str) -> Path:
    """The uploaded file at ``path``.

    Raises:
        PalimpsestError: it is gone, or it is not an upload at all.
    """
    resolved = Path(path).resolve()
    if upload_folder() not in resolved.parents or not resolved.is_file():
        raise fail("not_found", "pages.uploads.received")
    return resolved
