"""Writes Outlook messages for the tests: the OLE container and its properties."""

from __future__ import annotations

import struct
from dataclasses import dataclass, field
from itertools import pairwise

SECTOR = 512
MINI = 64
CUTOFF = 4096
_FREE, _END, _FAT = 0xFFFFFFFF, 0xFFFFFFFE, 0xFFFFFFFD


@dataclass
class Folder:
    """A storage; ``text``, ``data`` and ``number`` add a property by its number."""

    streams: dict[str, bytes] = field(default_factory=dict)
    folders: dict[str, Folder] = field(default_factory=dict)
    header: int = 32
    _rows: bytes = b""

    def text(self, number: int, value: str) -> Folder:
        return self._long(number, 0x001F, value.encode("utf-16-le"))

    def data(self, number: int, value: bytes) -> Folder:
        return self._long(number, 0x0102, value)

    def number(self, number: int, value: int) -> Folder:
        self._rows += struct.pack("<HHIII", 0x0003, number, 6, value, 0)
        return self

    def date(self, number: int, since_1601: int) -> Folder:
        """Adds a date; ``since_1601`` in seconds."""
        self._rows += struct.pack("<HHIQ", 0x0040, number, 6, since_1601 * 10_000_000)
        return self

    def folder(self, name: str, header: int) -> Folder:
        self.folders[name] = Folder(header=header)
        return self.folders[name]

    def _long(self, number: int, kind: int, value: bytes) -> Folder:
        self.streams[f"__substg1.0_{number:04X}{kind:04X}"] = value
        self._rows += struct.pack("<HHIII", kind, number, 6, len(value), 0)
        return self

    def all_streams(self) -> dict[str, bytes]:
        return {**self.streams, "__properties_version1.0": b"\0" * self.header + self._rows}

    def packed(self) -> bytes:
        return _container(self)


def _container(root: Folder) -> bytes:
    """An OLE container by [MS-CFB], version 3."""
    entries: list[list[object]] = []
    contents: list[tuple[int, bytes]] = []

    def add(name: str, kind: int, content: bytes = b"") -> int:
        entries.append([name, kind, _FREE, _FREE, _FREE, _END, len(content)])
        if content:
            contents.append((len(entries) - 1, content))
        return len(entries) - 1

    def fill(number: int, folder: Folder) -> None:
        inner = [add(name, 2, content) for name, content in folder.all_streams().items()]
        for name, each in folder.folders.items():
            child = add(name, 1)
            fill(child, each)
            inner.append(child)
        for one, following in pairwise(inner):
            entries[one][3] = following
        entries[number][4] = inner[0]

    fill(add("Root Entry", 5), root)
    large, small = _Sectors(SECTOR), _Sectors(MINI)
    for number, content in contents:
        entries[number][5] = (small if len(content) < CUTOFF else large).add(content)
    entries[0][5], entries[0][6] = large.add(small.body), len(small.body)
    minis = large.add(struct.pack(f"<{len(small.table)}I", *small.table))
    first = large.add(b"".join(_entry(*each) for each in entries))  # type: ignore[arg-type]
    fats = 1
    while fats * SECTOR // 4 < len(large.table) + fats:
        fats += 1
    places = [len(large.table) + each for each in range(fats)]
    table = large.table + [_FAT] * fats
    packed = struct.pack(f"<{len(table)}I", *table).ljust(fats * SECTOR, b"\xff")
    header = struct.pack(
        "<8s16xHHHHH6xIIIIIIIII",
        b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", 0x3E, 3, 0xFFFE, 9, 6, 0, fats, first, 0, CUTOFF, minis,
        -(-4 * len(small.table) // SECTOR), _END, 0,
    )  # fmt: skip
    head = header + struct.pack("<109I", *places, *[_FREE] * (109 - fats))
    return head.ljust(SECTOR, b"\0") + large.body + packed


class _Sectors:
    """Contents in consecutive sectors of one size, and the allocation table that chains the sectors."""

    def __init__(self, size: int) -> None:
        self._size = size
        self.table: list[int] = []
        self.body = b""

    def add(self, content: bytes) -> int:
        """Adds content and returns the number of its first sector."""
        first, count = len(self.table), max(-(-len(content) // self._size), 1)
        self.table += [*range(first + 1, first + count), _END]
        self.body += content.ljust(count * self._size, b"\0")
        return first


def _entry(name: str, kind: int, left: int, right: int, child: int, start: int, size: int) -> bytes:
    encoded = name.encode("utf-16-le") + b"\0\0"
    return struct.pack("<64sHBBIII16xIQQIQ", encoded, len(encoded), kind, 1, left, right, child, 0, 0, 0, start, size)
