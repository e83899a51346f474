"""Converts CSV files of any dialect to one HTML table."""

from __future__ import annotations

from pathlib import Path

from core.library.extract.csv import read_rows, sniff_delimiter
from core.library.extract.text import decode
from core.library.viewing.renditions.grid import MOST_ROWS, table

_MOST_BYTES = 4_000_000


def render(path: Path, encoding: str = "") -> str:
    with path.open("rb") as file:
        data = file.read(_MOST_BYTES)
    if len(data) == _MOST_BYTES:
        data = (
            data[: data.rfind(b"\n") + 1] or data
        )  # A character that is cut in half would break the detection of the encoding.
    text = decode(data, chosen=encoding).replace("\x00", "")
    lines = text.replace("\r\n", "\n").replace("\r", "\n")
    return table(read_rows(lines, sniff_delimiter(lines))[: MOST_ROWS + 1])
