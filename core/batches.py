"""Splits a sequence into batches of a given size, in order (like ``itertools.batched`` in Python 3.12)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeVar

T = TypeVar("T")


def batches(items: Sequence[T], size: int) -> Iterator[list[T]]:
    for start in range(0, len(items), size):
        yield [*items[start : start + size]]
