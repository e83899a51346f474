"""Plain text, line by line."""

from __future__ import annotations

from html import escape
from pathlib import Path

from core.library.extract.text import decode
from core.library.viewing.renditions.grid import CUT
from core.library.viewing.renditions.web import MOST_CHARACTERS


def render(path: Path) -> str:
    text = decode(path.read_bytes())
    return f"<pre>{escape(text[:MOST_CHARACTERS])}</pre>" + (CUT if len(text) > MOST_CHARACTERS else "")
