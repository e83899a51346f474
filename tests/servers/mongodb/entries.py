"""Reads index entries: finds the documents that match values of the index's first fields, in index order."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from typing import Any

from secantus import sortkey, storage

FEW = 16
"""Maximum number of index entries that are counted; if there are more, another index is tried."""


def encoded(values: Mapping[str, Any], keys: Mapping[str, Any]) -> bytes:
    """The prefix of index entries whose first fields have these values."""
    parts = [sortkey.encode_value_directed(values[each], int(keys[each])) for each in list(keys)[: len(values)]]
    return bytes(storage.COMPOUND_SEP.join(parts))


def ends_soon(self: storage.Storage, index: tuple[str, str, str], begins: bytes) -> bool:
    return next(itertools.islice(walk(self, index, begins), FEW, None), None) is None


def walk(
    self: storage.Storage, index: tuple[str, str, str], begins: bytes, *, backwards: bool = False
) -> Iterator[int]:
    """The documents of entries with this prefix, in order; no other entries may be read during the walk."""
    cursor = self._cursor(storage._IDX_ENTRIES_TABLE)
    step = cursor.prev if backwards else cursor.next
    cursor.set_key(*index, _after(begins) if backwards else begins)
    found = cursor.search_near()
    if found == storage.wt.WT_NOTFOUND or ((found >= 0 if backwards else found < 0) and step() != 0):
        return
    while True:
        *of, entry = cursor.get_key()
        if tuple(of) != index or not bytes(entry).startswith(begins):
            return
        record: int | None = storage._unpack_entry(bytes(entry))[1]
        if record is not None:
            yield record
        if step() != 0:
            return


def _after(begins: bytes) -> bytes:
    """Returns the smallest key that is greater than all entries with this prefix."""
    kept = begins.rstrip(b"\xff")
    return kept[:-1] + bytes([kept[-1] + 1])
