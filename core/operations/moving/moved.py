"""That the records of a data directory were carried elsewhere, noted beside them: what follows here is not there."""

from __future__ import annotations

import json
from pathlib import Path

from pydantic import BaseModel, ValidationError

FILE = "moved.json"


class Moved(BaseModel):
    """``to``: an address without names and passwords; ``at``: seconds since the epoch."""

    to: str
    at: float


def note_moved(folder: Path, moved: Moved) -> None:
    """Blocks."""
    (folder / FILE).write_text(json.dumps(moved.model_dump()), encoding="utf-8")


def moved_of(folder: Path) -> Moved | None:
    """Blocks."""
    try:
        return Moved.model_validate_json((folder / FILE).read_text(encoding="utf-8"))
    except (OSError, ValidationError):
        return None
