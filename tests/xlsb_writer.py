"""Writes the parts of a binary workbook (XLSB), for which no library has a writer."""

from __future__ import annotations

import io
import struct
import zipfile

from core.library.extract.workbooks.binary_records import Kind

TYPES = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/"


def record(kind: int, *content: bytes) -> bytes:
    """A record of a part."""
    data = b"".join(content)
    size, head = len(data), bytearray()
    for number in (kind, size):
        while number > 0x7F:
            head.append(number & 0x7F | 0x80)
            number >>= 7
        head.append(number)
    assert size < 1 << 28
    return bytes(head) + data


def text(written: str) -> bytes:
    """A text with its length."""
    return struct.pack("<I", len(written)) + written.encode("utf-16-le")


def row(number: int, hidden: bool = False) -> bytes:
    """The beginning of a row, counted from 0."""
    return record(Kind.ROW, struct.pack("<IIHBB", number, 0, 300, 0, 0x10 * hidden), bytes(5))


def cell(kind: int, column: int, style: int, value: bytes) -> bytes:
    """A cell of the row before it."""
    return record(kind, struct.pack("<II", column, style), value)


def words(column: int, written: str) -> bytes:
    """A cell with a text."""
    return cell(Kind.TEXT, column, 0, text(written))


def rels(*pairs: tuple[str, str]) -> str:
    """The relations of a part: their kinds and targets, with the ids r0, r1 and so on."""
    inner = "".join(
        f'<Relationship Id="r{at}" Type="{TYPES}{kind}" Target="{to}"/>' for at, (kind, to) in enumerate(pairs)
    )
    return f"<Relationships>{inner}</Relationships>"


def zipped(parts: dict[str, bytes | str]) -> bytes:
    """The workbook with these parts."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, data in parts.items():
            archive.writestr(name, data)
    return out.getvalue()
