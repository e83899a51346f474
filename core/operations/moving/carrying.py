"""Copies one kind of data (such as records, files or index points) from one place to another, and compares the two.

A shelf is all data of one kind in one place. Both shelves return their rows by ascending keys, so that they can be
compared row by row. Rows that already exist are not written again, so a repeated run continues an interrupted one.
"""

from __future__ import annotations

import hashlib
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

import numpy as np

from core.operations.moving.records import Comparison
from core.store.index import Vector

T = TypeVar("T")
BATCH = 256
ROUNDING = 1e-6
"""Maximum difference between the two stores' values of a number in a vector."""

Note = Callable[[int], None]
"""A progress callback: the number of rows processed."""


@dataclass(frozen=True)
class Row(Generic[T]):
    """A row. ``digest`` covers everything that must be equal in both places; ``vector`` has numbers that a store may
    round."""

    key: str
    content: T
    digest: bytes
    vector: Vector | None = None

    def same(self, other: Row[T]) -> bool:
        if self.digest != other.digest or (self.vector is None) != (other.vector is None):
            return False
        if self.vector is None or other.vector is None:
            return True
        return self.vector.shape == other.vector.shape and bool(
            np.allclose(self.vector, other.vector, rtol=0.0, atol=ROUNDING)
        )


class Shelf(Protocol[T]):
    """All data of one kind in one place."""

    name: str

    def rows(self) -> AsyncIterator[Row[T]]:
        """Rows by ascending keys."""

    async def put(self, rows: Sequence[Row[T]]) -> None:
        """Insert rows, or replace those with the same key."""

    async def remove(self, keys: Sequence[str]) -> None: ...

    async def proof(self, row: Row[T]) -> Row[T]:
        """The row with a digest of its complete content, including data that ``rows`` does not read."""
        return row


async def carry(source: Shelf[T], target: Shelf[T], note: Note) -> int:
    """Make ``target`` contain exactly the rows of ``source``; returns how many rows were written or removed."""
    waiting: list[Row[T]] = []
    gone: list[str] = []
    written = walked = 0
    async for here, there in _side_by_side(source, target):
        if here is None and there is not None:
            gone.append(there.key)
        elif here is not None and (there is None or not here.same(there)):
            waiting.append(here)
        if len(waiting) >= BATCH:
            await target.put(waiting)
            written, waiting = written + len(waiting), []
        if here is not None and (walked := walked + 1) % BATCH == 0:
            note(walked)
    if waiting:
        await target.put(waiting)
    if gone:
        await target.remove(gone)
    note(walked)
    return written + len(waiting) + len(gone)


async def compare(source: Shelf[T], target: Shelf[T], note: Note) -> Comparison:
    """Row counts and digests of both shelves (SHA-256 over the rows' keys and digests, in order); nothing is
    changed."""
    ours, theirs = _Sum(), _Sum()
    differing, first = 0, ""
    async for here, there in _side_by_side(source, target):
        if here is not None:
            here = ours.add(await source.proof(here))
        if there is not None:
            there = theirs.add(await target.proof(there))
        if here is None or there is None or not here.same(there):
            differing += 1
            first = first or (here or there or _NOTHING).key
        if ours.count % BATCH == 0:
            note(ours.count)
    return Comparison(
        name=source.name,
        count=ours.count,
        digest=ours.digest,
        count_there=theirs.count,
        digest_there=theirs.digest,
        differing=differing,
        first=first,
    )


_NOTHING: Row[None] = Row("", None, b"")


class _Sum:
    def __init__(self) -> None:
        self.count = 0
        self._digest = hashlib.sha256()

    def add(self, row: Row[T]) -> Row[T]:
        self.count += 1
        self._digest.update(row.key.encode() + b"\0" + row.digest)
        return row

    @property
    def digest(self) -> str:
        return self._digest.hexdigest()


async def _side_by_side(source: Shelf[T], target: Shelf[T]) -> AsyncIterator[tuple[Row[T] | None, Row[T] | None]]:
    """Pairs of rows with the same key; ``None`` if one shelf does not have the row."""
    left, right = aiter(source.rows()), aiter(target.rows())
    here, there = await anext(left, None), await anext(right, None)
    while here is not None or there is not None:
        if there is None or (here is not None and here.key < there.key):
            yield here, None
            here = await anext(left, None)
        elif here is None or there.key < here.key:
            yield None, there
            there = await anext(right, None)
        else:
            yield here, there
            here, there = await anext(left, None), await anext(right, None)
