"""CSV in any of its dialects, as one table."""

from __future__ import annotations

from pathlib import Path

from core.library.extract.csv import read_rows, sniff_delimiter
from core.library.extract.text import decode
from core.library.viewing.renditions.grid import MOST_ROWS, table

_MOST_CHARACTERS = 4_000_000


def render(path: Path) -> str:
    text = decode(path.read_bytes()).replace("\x00", "")[:_MOST_CHARACTERS]
    lines = text.replace("\r\n", "\n").replace("\r", "\n")
    return table(read_rows(lines, sniff_delimiter(lines))[: MOST_ROWS + 1])
