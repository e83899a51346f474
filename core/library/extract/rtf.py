"""Reads RTF files: paragraphs and tables."""

from __future__ import annotations

import re
from pathlib import Path

from striprtf.striprtf import rtf_to_text

from core.library.extract import problems
from core.library.extract.office.rich_text import prepared, shown_text
from core.library.extract.table import table_block
from core.library.extract.text import normalise, normalise_line
from core.library.extracted import Block, Extracted
from core.settings import Settings

MIME = "application/rtf"
_CODE_PAGE = re.compile(rb"\\ansicpg(\d{3,5})")
_INFO = re.compile(rb"\{\\(title|author) ([^{}]{1,500})\}")
_BINARY = re.compile(rb"\{\\\*?\\?(?:pict|objdata)\b[^{}]*\}")


def extract_rtf(path: Path, filename: str, settings: Settings) -> Extracted:
    """Extract the file. Raises ``PalimpsestError`` when the markup cannot be parsed."""
    data = _BINARY.sub(b"", path.read_bytes())
    found = _CODE_PAGE.search(data[:2000])
    encoding = f"cp{found.group(1).decode()}" if found else "cp1252"
    try:
        "".encode(encoding)
    except LookupError:
        encoding = "cp1252"
    source = prepared(data.decode("latin-1"), encoding)
    try:
        text, hidden = shown_text(_converted(source, encoding), settings.reading.hidden)
    except MemoryError:
        raise
    except Exception as error:  # the converter does not catch errors in its own tables
        raise problems.corrupt(filename, "RTF") from error
    information = {key.decode(): value for key, value in _INFO.findall(data[:20_000])}
    return Extracted(
        blocks=_blocks(text),
        mime=MIME,
        title=_information(information.get("title"), encoding),
        author=_information(information.get("author"), encoding),
        notes=[problems.hidden_text(hidden)] if hidden else [],
    )


def _information(value: bytes | None, encoding: str) -> str | None:
    if value is None:
        return None
    return normalise_line(_converted("{\\rtf1 " + value.decode("latin-1") + "}", encoding)) or None


def _converted(source: str, encoding: str) -> str:
    text: str = rtf_to_text(source, encoding=encoding, errors="replace")  # type: ignore[no-untyped-call]
    return text


def _blocks(text: str) -> list[Block]:
    """Builds blocks; the converter writes a table row as a line of cells that ends with a bar."""
    blocks: list[Block] = []
    rows: list[list[str]] = []
    for line in [*text.replace("\r", "").split("\n"), ""]:
        if line.rstrip().endswith("|") and line.strip("| \t"):
            rows.append([cell.strip() for cell in line.rstrip()[:-1].split("|")])
            continue
        table = table_block(rows, cautious=True) if rows else None
        if table:
            blocks.append(table)
        rows = []
        paragraph = normalise(line)
        if paragraph:
            blocks.append(Block(text=paragraph))
    return blocks
