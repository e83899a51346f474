"""Reads and writes the backup file: a zip of JSON lines, vectors and originals, verified before it is used.

``manifest.json`` lists each member with its size and SHA-256. Collections are ``records/<name>.jsonl``; dense vectors
``vectors/<n>.npy`` (float32, one row per vector) next to ``vectors/<n>.json`` (pairs of item id and vector hash);
original files ``files/<user>/<sha256>``.
"""

from __future__ import annotations

import hashlib
import io
import re
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, cast

import numpy as np
from pydantic import BaseModel, ValidationError
from pydantic_core import from_json, to_json

from core.errors import PalimpsestError, fail
from core.models.embeddings import Matrix
from core.store.index import Vector
from core.store.truth import Json

FORMAT = 2
"""Version 2 adds annexes and the data's format."""
MANIFEST = "manifest.json"
BLOCK = 1024 * 1024
LONGEST_LINE = 32 * BLOCK
MOST_MEMBERS = 500_000
MOST_BYTES = 64 * 1024 * BLOCK
MOST_EXPANSION = 300
"""Limit on unpacked size relative to the file's size: text compresses 30 times at most, a zip bomb a thousand times."""
MOST_AT_ONCE = 256 * BLOCK
VECTORS_A_MEMBER = 1024

_NAME = re.compile(
    r"records/[a-z][a-z0-9_]{0,59}\.jsonl|annexes/[a-z]{1,30}\.jsonl|vectors/\d{6}\.(?:npy|json)|files/[0-9a-f]{32}/[0-9a-f]{64}",
    re.ASCII,
)


class Member(BaseModel):
    """A member of the zip; ``count`` is its number of lines or vectors, or 1 for a file."""

    sha256: str
    bytes: int
    count: int


class Manifest(BaseModel):
    """The backup's manifest. ``user_id`` is ``None`` in a backup of all users; ``model`` is the vectors' model;
    ``data_format`` is the data's format (``core/store/migrations``)."""

    format: int
    data_format: int = 1
    app: str
    created_at: float
    user_id: str | None
    model: str | None = None
    dimension: int | None = None
    members: dict[str, Member]


def damaged(detail: str) -> PalimpsestError:
    return fail("validation", "memory.archive.damaged", detail=detail)


def not_ours(detail: str) -> PalimpsestError:
    return fail("validation", "memory.archive.not_ours", detail=detail)


def too_new(found: int, today: int) -> PalimpsestError:
    return fail("validation", "memory.archive.too_new", found=found, format=today)


class Writer:
    """Adds members one after another; the manifest comes last. Blocking: call it in a thread."""

    def __init__(self, file: BinaryIO) -> None:
        self._zip = zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=6)
        self.members: dict[str, Member] = {}

    @contextmanager
    def member(self, name: str) -> Iterator[Lines]:
        with self._zip.open(name, "w", force_zip64=True) as target:
            lines = Lines(cast(BinaryIO, target))
            yield lines
        self.members[name] = lines.member()

    def add(self, name: str, content: bytes, count: int) -> None:
        with self.member(name) as lines:
            lines.write(content)
            lines.count = count

    def add_file(self, name: str, path: Path) -> None:
        if name in self.members:
            return
        with path.open("rb") as source, self.member(name) as lines:
            while block := source.read(BLOCK):
                lines.write(block)
            lines.count = 1

    def add_vectors(self, number: int, ids: Sequence[tuple[str, str]], vectors: Matrix) -> None:
        """``ids``: each row's item id and vector hash."""
        held = io.BytesIO()
        np.save(held, np.ascontiguousarray(vectors, dtype=np.float32), allow_pickle=False)
        self.add(f"vectors/{number:06d}.npy", held.getvalue(), len(ids))
        self.add(f"vectors/{number:06d}.json", to_json(ids), len(ids))

    def close(self, manifest: Manifest) -> None:
        self._zip.writestr(MANIFEST, manifest.model_dump_json(indent=1))
        self._zip.close()


class Lines:
    """Writes a member of the zip line by line."""

    def __init__(self, target: BinaryIO) -> None:
        self._target = target
        self._digest = hashlib.sha256()
        self._bytes = 0
        self.count = 0

    def write(self, content: bytes) -> None:
        self._target.write(content)
        self._digest.update(content)
        self._bytes += len(content)

    def rows(self, rows: Iterable[Json]) -> None:
        for row in rows:
            self.write(to_json(row) + b"\n")
            self.count += 1

    def member(self) -> Member:
        return Member(sha256=self._digest.hexdigest(), bytes=self._bytes, count=self.count)


@dataclass(frozen=True)
class VectorLocation:
    """A vector's position, and the hash of its source text."""

    member: int
    row: int
    vector_hash: str


class Reader:
    """A backup whose structure has been checked; ``verify`` checks its content. Blocking: call it in a thread."""

    def __init__(self, path: Path) -> None:
        """Raises ``PalimpsestError`` ("validation") if it does not have a backup's structure."""
        try:
            self._zip = zipfile.ZipFile(path)
        except (OSError, zipfile.BadZipFile, RuntimeError, ValueError) as error:
            raise not_ours(str(error)) from error
        try:
            self._check_sizes(path.stat().st_size)
            self.manifest = self._read_manifest()
            self._check_names()
        except BaseException:
            self._zip.close()
            raise
        self._last: tuple[int, Matrix] | None = None
        self._places: dict[str, VectorLocation] | None = None

    def close(self) -> None:
        self._zip.close()

    def _check_sizes(self, packed: int) -> None:
        entries = self._zip.infolist()
        if len(entries) > MOST_MEMBERS or len({entry.filename for entry in entries}) != len(entries):
            raise damaged("too many members, or two of one name")
        unpacked = sum(entry.file_size for entry in entries)
        if unpacked > min(MOST_BYTES, max(BLOCK, packed) * MOST_EXPANSION):
            raise damaged(f"{packed} bytes claim to unpack to {unpacked}")
        if any(entry.flag_bits & 1 for entry in entries):
            raise not_ours("a member is encrypted")

    def _read_manifest(self) -> Manifest:
        try:
            with self._zip.open(MANIFEST) as source:
                content = source.read(MOST_MEMBERS * 256)
            found = from_json(content).get("format")
            if isinstance(found, int) and found > FORMAT:
                raise too_new(found, FORMAT)
            return Manifest.model_validate_json(content)
        except (KeyError, ValidationError, ValueError, AttributeError) as error:
            raise not_ours(f"manifest: {error}") from error
        except (zipfile.BadZipFile, zlib.error, EOFError, OSError, RuntimeError) as error:
            raise damaged(f"manifest: {error}") from error

    def _check_names(self) -> None:
        names = set(self._zip.namelist()) - {MANIFEST}
        if names != self.manifest.members.keys():
            raise damaged("the members are not those of the manifest")
        for name in names:
            if not _NAME.fullmatch(name):
                raise not_ours(f"a member is called {name!r}")
            size = self._zip.getinfo(name).file_size
            if size != self.manifest.members[name].bytes:
                raise damaged(f"{name} has another size")
            if name.startswith("vectors/") and size > MOST_AT_ONCE:
                raise damaged(f"{name} is too large to be read at once")

    def verify(self) -> None:
        """Read everything once and compare checksums."""
        for name, member in self.manifest.members.items():
            digest = hashlib.sha256()
            for block in self._blocks(name):
                digest.update(block)
            if digest.hexdigest() != member.sha256:
                raise damaged(f"{name} has another digest")
            if name.startswith("files/") and not name.endswith(digest.hexdigest()):
                raise damaged(f"{name} holds another file")

    def _blocks(self, name: str) -> Iterator[bytes]:
        try:
            with self._zip.open(name) as source:
                while block := source.read(BLOCK):
                    yield block
        except (zipfile.BadZipFile, zlib.error, EOFError, OSError, RuntimeError, ValueError) as error:
            raise damaged(f"{name}: {error}") from error

    def collections(self) -> list[str]:
        return [name[len("records/") : -len(".jsonl")] for name in self.manifest.members if name.startswith("records/")]

    def rows(self, collection: str) -> Iterator[Json]:
        """The rows of a collection, one at a time."""
        return self._lines(f"records/{collection}.jsonl")

    def annex(self, name: str) -> Iterator[Json]:
        """The rows of an annex, one at a time."""
        return self._lines(f"annexes/{name}.jsonl")

    def _lines(self, name: str) -> Iterator[Json]:
        if name not in self.manifest.members:
            return
        count = 0
        with self._zip.open(name) as source:
            while line := source.readline(LONGEST_LINE):
                count += 1
                yield _row(line, name)
        if count != self.manifest.members[name].count:
            raise damaged(f"{name} has {count} rows")

    def vectors(self) -> dict[str, VectorLocation]:
        """Each vector's position, by item id."""
        if self._places is None:
            self._places = self._read_places()
        return self._places

    def _read_places(self) -> dict[str, VectorLocation]:
        places: dict[str, VectorLocation] = {}
        for name in self.manifest.members:
            if name.startswith("vectors/") and name.endswith(".npy"):
                number = int(name[len("vectors/") : -len(".npy")])
                ids = self._ids(number)
                if len(self._matrix(number)) != len(ids):
                    raise damaged(f"{name} and its ids differ in length")
                places |= {item_id: VectorLocation(number, row, known) for row, (item_id, known) in enumerate(ids)}
        return places

    def vector(self, place: VectorLocation) -> Vector:
        found: Vector = self._matrix(place.member)[place.row]
        return found

    def _ids(self, number: int) -> list[tuple[str, str]]:
        try:
            found = from_json(b"".join(self._blocks(f"vectors/{number:06d}.json")))
            return [(str(item_id), str(known)) for item_id, known in found]
        except (KeyError, TypeError, ValueError) as error:
            raise damaged(f"ids of vectors {number}: {error}") from error

    def _matrix(self, number: int) -> Matrix:
        """The matrix; rows are read in order, so the last member is cached."""
        if self._last is None or self._last[0] != number:
            self._last = number, self._load_vectors(number)
        return self._last[1]

    def _load_vectors(self, number: int) -> Matrix:
        """Load a member's vectors; its header is checked before memory is allocated."""
        name = f"vectors/{number:06d}.npy"
        expected = (self.manifest.members[name].count, self.manifest.dimension)
        try:
            held = io.BytesIO(b"".join(self._blocks(name)))
            if np.lib.format.read_magic(held) != (1, 0):
                raise ValueError("another version of npy")
            shape, fortran, kind = np.lib.format.read_array_header_1_0(held)
            if fortran or kind != np.float32 or shape != expected:
                raise ValueError(f"shape {shape} of {kind}, not {expected}")
            matrix: Matrix = np.frombuffer(held.read(), dtype=np.float32).reshape(shape)
        except (ValueError, EOFError) as error:
            raise damaged(f"{name}: {error}") from error
        if not np.isfinite(matrix).all():
            raise damaged(f"{name} holds NaN or infinity")
        return matrix

    def has_file(self, name: str) -> bool:
        return name in self.manifest.members

    def copy_file(self, name: str, target: Path) -> None:
        with target.open("xb") as file:
            for block in self._blocks(name):
                file.write(block)


def _row(line: bytes, name: str) -> Json:
    try:
        row = from_json(line, allow_inf_nan=False)
    except ValueError as error:
        raise damaged(f"{name}: {error}") from error
    if not isinstance(row, dict):
        raise damaged(f"{name}: a row is not an object")
    return row
