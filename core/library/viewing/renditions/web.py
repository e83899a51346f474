"""HTML as it is written; scripts, styles and pictures go when it is sanitised."""

from __future__ import annotations

from pathlib import Path

from core.library.extract.text import decode
from core.library.viewing.renditions.grid import CUT

MOST_CHARACTERS = 3_000_000


def render(path: Path) -> str:
    text = decode(path.read_bytes())
    return text[:MOST_CHARACTERS] + (CUT if len(text) > MOST_CHARACTERS else "")
