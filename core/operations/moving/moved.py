"""Records that a data directory's data was moved elsewhere, so that it is not used any more."""

from __future__ import annotations

import json
from pathlib import Path

from pydantic import BaseModel, ValidationError

FILE = "moved.json"


class Moved(BaseModel):
    """A finished move. ``to``: the target's address without user name and password; ``at``: seconds since the epoch."""

    to: str
    at: float


def note_moved(folder: Path, moved: Moved) -> None:
    """Blocking; call it in a thread."""
    (folder / FILE).write_text(json.dumps(moved.model_dump()), encoding="utf-8")


def moved_of(folder: Path) -> Moved | None:
    """Blocking; call it in a thread."""
    try:
        return Moved.model_validate_json((folder / FILE).read_text(encoding="utf-8"))
    except (OSError, ValidationError):
        return None
