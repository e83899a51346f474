"""Stores original files, one copy per user and content, found by their SHA-256.

A file belongs to the user who uploaded it. Two users with the same file each have their own copy, so that a hash by
itself never opens, confirms or deletes another user's file. One user's documents share a copy: each holds a reference,
and the copy is removed with the last reference.
"""

from __future__ import annotations

import asyncio
import hashlib
import os
import re
import shutil
import threading
from collections.abc import AsyncIterator, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Protocol
from uuid import uuid4

from core.errors import PalimpsestError, fail
from core.resilience.read_only import ReadOnly

BLOCK = 1024 * 1024
UNNAMED = "put-"
BUCKET = "files"
"""Name of the GridFS bucket, if MongoDB stores the files."""

_SHA256 = re.compile(r"[0-9a-f]{64}")
_DOCUMENT = re.compile(r"[a-z0-9_]{1,80}")


@dataclass(frozen=True)
class StoredFile:
    """``sha256`` in lower-case hexadecimal, ``size`` in bytes."""

    sha256: str
    size: int


@dataclass(frozen=True)
class KeptFile:
    """A stored file of any user, for maintenance: ``folder`` is the owner's ``folder_name``; the owner's name is only
    known if the store records names."""

    folder: str
    sha256: str
    references: tuple[str, ...]
    user_id: str | None = None

    @property
    def key(self) -> str:
        return f"{self.folder}:{self.sha256}"


class FileStore(Protocol):
    """Stores files and counts references to them. References are named by ``document_id``: putting or deleting the same
    one again has no effect, so a crashed step may be repeated. Without it, each ``put`` adds one and each ``delete``
    removes one."""

    async def put(self, path: Path, user_id: str, document_id: str = "") -> StoredFile:
        """Store a copy of the file at ``path`` for ``user_id``; it is on the disk when this returns."""

    def open(self, sha256: str, user_id: str) -> AbstractAsyncContextManager[Path]:
        """A local path to read the file from, valid only inside the context.

        Raises:
            PalimpsestError: ``user_id`` has no such file ("not_found").
        """

    async def delete(self, sha256: str, user_id: str, document_id: str = "") -> None:
        """Remove one reference; no effect if there is none."""

    def kept(self) -> AsyncIterator[KeptFile]:
        """All users' files in key order (maintenance)."""

    async def adopt(self, path: Path, file: KeptFile) -> None:
        """Store a copy of ``path`` as described by ``file``, replacing the existing one; its ``user_id`` is known
        (maintenance)."""

    async def discard(self, key: str) -> None:
        """Remove a file with all its references (maintenance)."""


def no_file() -> PalimpsestError:
    return fail("not_found", "store.files.no_file")


def reference(document_id: str) -> str:
    """The name of a new reference."""
    if document_id and not _DOCUMENT.fullmatch(document_id):
        raise ValueError(f"not a document id: {document_id!r}")
    return document_id or f"{UNNAMED}{uuid4().hex}"


def folder_name(user_id: str) -> str:
    """A user's folder name, because user names are not valid file names."""
    return hashlib.sha256(user_id.encode()).hexdigest()[:32]


def is_sha256(text: str) -> bool:
    return bool(_SHA256.fullmatch(text))


def copy_and_hash(source: BinaryIO, target: BinaryIO | None = None) -> StoredFile:
    """Read ``source`` to its end, and copy it to ``target`` if there is one."""
    digest, size = hashlib.sha256(), 0
    while block := source.read(BLOCK):
        digest.update(block)
        size += len(block)
        if target is not None:
            target.write(block)
    return StoredFile(digest.hexdigest(), size)


class LocalFiles:
    """``FileStore`` in a folder: ``<user>/<sha256>/content`` next to one empty file per reference."""

    def __init__(self, folder: Path, read_only: ReadOnly | None = None) -> None:
        self._folder = folder
        self._read_only = read_only or ReadOnly()
        self._lock = threading.Lock()

    async def put(self, path: Path, user_id: str, document_id: str = "") -> StoredFile:
        self._read_only.refuse()
        return await asyncio.to_thread(self._put, path, user_id, reference(document_id))

    @asynccontextmanager
    async def open(self, sha256: str, user_id: str) -> AsyncIterator[Path]:
        home = self._home(sha256, user_id)
        if not await asyncio.to_thread(_references, home):
            raise no_file()
        yield home / "content"

    async def delete(self, sha256: str, user_id: str, document_id: str = "") -> None:
        self._read_only.refuse()
        name = reference(document_id) if document_id else ""
        if is_sha256(sha256):
            await asyncio.to_thread(self._delete, self._home(sha256, user_id), name)

    async def kept(self) -> AsyncIterator[KeptFile]:
        for folder in await asyncio.to_thread(_folders, self._folder):
            for home in await asyncio.to_thread(_folders, folder):
                references = await asyncio.to_thread(_references, home)
                if is_sha256(home.name) and references:
                    yield KeptFile(folder.name, home.name, tuple(references))

    async def adopt(self, path: Path, file: KeptFile) -> None:
        await asyncio.to_thread(self._adopt, path, self._folder / file.folder / file.sha256, file.references)

    async def discard(self, key: str) -> None:
        folder, _, sha256 = key.partition(":")
        await asyncio.to_thread(shutil.rmtree, self._folder / folder / sha256, True)

    def _adopt(self, path: Path, home: Path, names: Sequence[str]) -> None:
        """References are written last: without them, the content does not exist for any user."""
        shutil.rmtree(home, ignore_errors=True)
        home.mkdir(parents=True, exist_ok=True, mode=0o700)
        _copied(path, home / "content")
        self._refer(home, names)

    def _refer(self, home: Path, names: Sequence[str]) -> None:
        for name in names:
            (home / name).touch()
        for folder in (home, home.parent, self._folder):
            _sync(folder)

    def _home(self, sha256: str, user_id: str) -> Path:
        if not is_sha256(sha256):
            raise no_file()
        return self._folder / folder_name(user_id) / sha256

    def _put(self, path: Path, user_id: str, name: str) -> StoredFile:
        arriving = self._folder / f"arriving-{uuid4().hex}"
        self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        try:
            stored = _copied(path, arriving)
            with self._lock:
                home = self._home(stored.sha256, user_id)
                home.mkdir(parents=True, exist_ok=True, mode=0o700)
                arriving.replace(home / "content")
                self._refer(home, [name])
        finally:
            arriving.unlink(missing_ok=True)
        return stored

    def _delete(self, home: Path, name: str) -> None:
        with self._lock:
            references = _references(home)
            unnamed = [reference for reference in references if reference.startswith(UNNAMED)]
            gone = name if name in references else "" if name else next(iter(unnamed), "")
            if not gone:
                return
            (home / gone).unlink()
            if len(references) == 1:
                (home / "content").unlink(missing_ok=True)
                home.rmdir()


def _copied(path: Path, to: Path) -> StoredFile:
    """Copy to a new file, which is on the disk when this returns."""
    with path.open("rb") as source, to.open("xb") as target:
        stored = copy_and_hash(source, target)
        target.flush()
        os.fsync(target.fileno())
    return stored


def _references(home: Path) -> list[str]:
    return sorted(entry.name for entry in home.iterdir() if entry.name != "content") if home.is_dir() else []


def _folders(folder: Path) -> list[Path]:
    """The folders in ``folder``, by name."""
    return sorted(each for each in folder.iterdir() if each.is_dir()) if folder.is_dir() else []


def _sync(folder: Path) -> None:
    """Make a rename durable; Windows does so by itself and cannot open folders."""
    if os.name == "posix":
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
