"""Parses the records of binary workbooks ([MS-XLSB] 2.1.4): *a part* → each record's kind and content."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from enum import IntEnum
from typing import IO

_MOST_RECORD = 16 * 1024 * 1024
_PIECE = 1 << 20


class Kind(IntEnum):
    """The record kinds that are read, by their numbers."""

    ROW = 0
    RK = 2
    ERROR = 3
    BOOLEAN = 4
    REAL = 5
    TEXT = 6
    SHARED = 7
    FORMULA_TEXT = 8
    FORMULA_NUMBER = 9
    FORMULA_BOOLEAN = 10
    FORMULA_ERROR = 11
    SHARED_ITEM = 19
    FONT = 43
    FORMAT = 44
    STYLE = 47
    COLUMNS = 60
    RICH_TEXT = 62
    BOOK_PROPERTIES = 153
    SHEET = 156
    MERGED = 176
    CELL_STYLES = 617
    END_CELL_STYLES = 618
    COMMENT_AUTHOR = 632
    COMMENT = 635
    COMMENT_TEXT = 637


def records(part: IO[bytes]) -> Iterator[tuple[int, bytes]]:
    """All records of a part, in order.

    Raises:
        ValueError: the part ends inside a record, or a record is absurdly long.
    """
    held, place = b"", 0
    while True:
        if place + 6 > len(held):
            held, place = held[place:] + part.read(_PIECE), 0
            if not held:
                return
        try:
            kind, place = _number(held, place, 2)
            size, place = _number(held, place, 4)
        except IndexError:
            raise ValueError("the part ends within a record") from None
        if size > _MOST_RECORD:
            raise ValueError("a record is too long")
        while place + size > len(held):
            more = part.read(max(_PIECE, size))
            if not more:
                raise ValueError("the part ends within a record")
            held, place = held[place:] + more, 0
        yield kind, held[place : place + size]
        place += size


def _number(data: bytes, place: int, longest: int) -> tuple[int, int]:
    """Returns (a number with seven bits per byte, lowest first; the position after it)."""
    number = 0
    for index in range(longest):
        byte = data[place]
        place += 1
        number |= (byte & 0x7F) << (7 * index)
        if not byte & 0x80:
            break
    return number, place


def whole(data: bytes, place: int, size: int = 4) -> int:
    """An unsigned number; 0 beyond the end."""
    return int.from_bytes(data[place : place + size], "little")


def real(data: bytes, place: int) -> float:
    """A floating-point number.

    Raises:
        struct.error: the content ends before it.
    """
    return float(struct.unpack_from("<d", data, place)[0])


def packed(data: bytes, place: int) -> int | float:
    """A number in the short 30-bit form: an integer or the high bits of a floating-point number, possibly in
    hundredths."""
    bits = whole(data, place)
    number: int | float
    if bits & 2:
        number = (bits >> 2) - (1 << 30 if bits & 0x80000000 else 0)
    else:
        number = float(struct.unpack("<d", bytes(4) + (bits & 0xFFFFFFFC).to_bytes(4, "little"))[0])
    return number / 100 if bits & 1 else number


def wide_text(data: bytes, place: int) -> tuple[str, int]:
    """Returns (a text, the position after it); empty if there is none."""
    length = whole(data, place)
    place += 4
    if length == 0xFFFFFFFF:
        return "", place
    end = place + 2 * min(length, len(data))
    return data[place:end].decode("utf-16-le", "replace"), end


def rich_runs(data: bytes, place: int) -> tuple[str, list[tuple[int, int]]]:
    """Returns (a text, the start positions of its runs and their fonts)."""
    text, end = wide_text(data, place + 1)
    if not data[place : place + 1] or not data[place] & 1:
        return text, []
    count = min(whole(data, end), len(data) // 4)
    runs = ((whole(data, end + 4 + 4 * index, 2), whole(data, end + 6 + 4 * index, 2)) for index in range(count))
    return text, list(runs)
