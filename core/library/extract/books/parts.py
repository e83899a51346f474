"""Reads a part of a file as if it were a separate file."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path

from core.library.extract.html import extract_html
from core.library.extract.md import extract_md
from core.library.extracted import Extracted
from core.settings import Settings


def read_html(text: str, settings: Settings) -> Extracted:
    """Read HTML. Raises ``PalimpsestError`` as the HTML reader does."""
    return _read(extract_html, "part.html", text, settings)


def read_markdown(text: str, settings: Settings) -> Extracted:
    """Read Markdown; front matter is allowed, though parts normally have none."""
    return _read(extract_md, "part.md", text, settings)


def _read(reader: Callable[[Path, str, Settings], Extracted], name: str, text: str, settings: Settings) -> Extracted:
    with tempfile.TemporaryDirectory(prefix="palimpsest-part-") as folder:
        path = Path(folder) / name
        path.write_text(text, encoding="utf-8", errors="replace")
        return reader(path, name, settings)
