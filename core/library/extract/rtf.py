"""RTF: paragraphs and tables."""

from __future__ import annotations

import re
from pathlib import Path

from striprtf.striprtf import rtf_to_text

from core.library.extract import problems
from core.library.extract.table import table_block
from core.library.extract.text import normalise, normalise_line
from core.library.extracted import Block, Extracted
from core.settings import Settings

MIME = "application/rtf"
_CODE_PAGE = re.compile(rb"\\ansicpg(\d{3,5})")
# Windows code pages of the font character sets that RTF numbers.
_CODE_PAGES = {
    128: 932, 129: 949, 134: 936, 136: 950, 161: 1253, 162: 1254, 163: 1258, 177: 1255, 178: 1256, 186: 1257,
    204: 1251, 222: 874, 238: 1250,
}  # fmt: skip
_TWO_BYTES = ("cp932", "cp936", "cp949", "cp950")
_FONT = re.compile(r"\\f(\d{1,5})(?![\d])[^;{}]{0,200}?\\fcharset(\d{1,3})")
_TOKEN = re.compile(r"[{}]|\\f(\d{1,5}) ?(?!\d)|\\plain(?![a-z])|(?:\\'[0-9a-fA-F]{2})+")
_INFO = re.compile(rb"\{\\(title|author) ([^{}]{1,500})\}")
_BINARY = re.compile(rb"\{\\\*?\\?(?:pict|objdata)\b[^{}]*\}")


def extract_rtf(path: Path, filename: str, settings: Settings) -> Extracted:
    """Raises ``PalimpsestError`` when the markup cannot be followed."""
    data = _BINARY.sub(b"", path.read_bytes())
    found = _CODE_PAGE.search(data[:2000])
    encoding = f"cp{found.group(1).decode()}" if found else "cp1252"
    try:
        "".encode(encoding)
    except LookupError:
        encoding = "cp1252"
    source = _by_font(data.decode("latin-1"), encoding)
    try:
        text = _converted(source, encoding)
    except MemoryError:
        raise
    except Exception as error:  # the converter lets whatever its tables raise through
        raise problems.corrupt(filename, "RTF") from error
    information = {key.decode(): value for key, value in _INFO.findall(data[:20_000])}
    return Extracted(
        blocks=_blocks(text),
        mime=MIME,
        title=_information(information.get("title"), encoding),
        author=_information(information.get("author"), encoding),
    )


def _by_font(source: str, encoding: str) -> str:
    """Letters above ASCII as Unicode, by the character set of the font they are in.

    The converter mixes up fonts that name no set, and believes fonts that name the Western one over the document.
    """
    code_pages = {
        number: f"cp{_CODE_PAGES[int(kind)]}" for number, kind in _FONT.findall(source) if int(kind) in _CODE_PAGES
    }
    current, groups = encoding, []
    parts: list[str] = []
    position = 0
    for found in _TOKEN.finditer(source):
        parts.append(source[position : found.start()])
        position = found.end()
        token = found.group()
        if token == "{":
            groups.append(current)
        elif token == "}":
            current = groups.pop() if groups else encoding
        elif token.startswith("\\'"):
            token = token if current in _TWO_BYTES else _as_unicode(token, current)
        else:
            current = code_pages.get(found.group(1) or "", encoding)
        parts.append(token)
    return "".join([*parts, source[position:]])


def _as_unicode(escapes: str, encoding: str) -> str:
    text = bytes.fromhex(escapes.replace("\\'", "")).decode(encoding, errors="replace")
    units = text.encode("utf-16-le")
    codes = (int.from_bytes(units[i : i + 2], "little", signed=True) for i in range(0, len(units), 2))
    return "{\\uc1" + "".join(f"\\u{code}?" for code in codes) + "}"


def _information(value: bytes | None, encoding: str) -> str | None:
    if value is None:
        return None
    return normalise_line(_converted("{\\rtf1 " + value.decode("latin-1") + "}", encoding)) or None


def _converted(source: str, encoding: str) -> str:
    text: str = rtf_to_text(source, encoding=encoding, errors="replace")  # type: ignore[no-untyped-call]
    return text


def _blocks(text: str) -> list[Block]:
    """The converter writes a table row as a line of cells that ends with a bar."""
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
