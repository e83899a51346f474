"""Tests original files in a folder and in GridFS: stored by content, visible only to their owner."""

from __future__ import annotations

import asyncio
import hashlib
from pathlib import Path

import pytest

from core.errors import PalimpsestError
from core.store.files import BUCKET, FileStore, LocalFiles
from core.store.gridfs import OWNERS, GridFiles
from core.store.mongo import MongoTruth

CONTENT = "מסמך שלם\n".encode() * 40_000
SHA256 = hashlib.sha256(CONTENT).hexdigest()


@pytest.fixture(params=["local", "grid"])
def files(request: pytest.FixtureRequest, tmp_path: Path) -> FileStore:
    if request.param == "local":
        return LocalFiles(tmp_path / "files")
    return GridFiles(request.getfixturevalue("mongo_truth"))


@pytest.fixture
def upload(tmp_path: Path):
    """Writes a temporary copy as the user interface does."""
    number = iter(range(100))

    def write(content: bytes = CONTENT) -> Path:
        path = tmp_path / f"upload-{next(number)}.pdf"
        path.write_bytes(content)
        return path

    return write


async def read(files: FileStore, sha256: str, user_id: str) -> bytes | None:
    try:
        async with files.open(sha256, user_id) as path:
            return path.read_bytes()
    except PalimpsestError as error:
        if error.problem.category != "not_found":
            raise
        return None


async def test_a_file_comes_back_and_its_temporary_copy_goes(files: FileStore, upload) -> None:
    path = upload()
    stored = await files.put(path, "ada", "doc_1")
    assert (stored.sha256, stored.size) == (SHA256, len(CONTENT))
    assert path.exists()
    assert await read(files, SHA256, "ada") == CONTENT


async def test_an_empty_file(files: FileStore, upload) -> None:
    stored = await files.put(upload(b""), "ada", "doc_1")
    assert stored.size == 0
    assert await read(files, stored.sha256, "ada") == b""


async def test_a_hash_opens_nothing_of_anyone_else(files: FileStore, upload) -> None:
    await files.put(upload(), "ada", "doc_1")
    assert await read(files, SHA256, "bob") is None
    await files.delete(SHA256, "bob", "doc_1")
    await files.delete(SHA256, "bob")
    assert await read(files, SHA256, "ada") == CONTENT
    await files.put(upload(), "bob", "doc_2")
    await files.delete(SHA256, "bob", "doc_2")
    assert await read(files, SHA256, "bob") is None
    assert await read(files, SHA256, "ada") == CONTENT


async def test_the_last_document_takes_the_file_along(files: FileStore, upload) -> None:
    await files.put(upload(), "ada", "doc_1")
    await files.put(upload(), "ada", "doc_2")
    await files.put(upload(), "ada", "doc_2")
    await files.delete(SHA256, "ada", "doc_1")
    await files.delete(SHA256, "ada", "doc_1")
    assert await read(files, SHA256, "ada") == CONTENT
    await files.delete(SHA256, "ada", "doc_2")
    assert await read(files, SHA256, "ada") is None
    await files.put(upload(), "ada", "doc_3")
    assert await read(files, SHA256, "ada") == CONTENT


async def test_without_documents_puts_and_deletes_are_counted(files: FileStore, upload) -> None:
    await files.put(upload(), "ada")
    await files.put(upload(), "ada")
    await files.put(upload(), "ada", "doc_1")
    await files.delete(SHA256, "ada")
    await files.delete(SHA256, "ada", "doc_1")
    assert await read(files, SHA256, "ada") == CONTENT
    await files.delete(SHA256, "ada")
    await files.delete(SHA256, "ada")
    assert await read(files, SHA256, "ada") is None


@pytest.mark.parametrize("sha256", ["", "../../etc/passwd", "A" * 64, SHA256[:-1], SHA256 + "\n", "0" * 64])
async def test_what_is_no_hash_opens_nothing(files: FileStore, upload, sha256: str) -> None:
    await files.put(upload(), "ada", "doc_1")
    assert await read(files, sha256, "ada") is None
    await files.delete(sha256, "ada")


@pytest.mark.parametrize("user_id", ["../bob", "a/b", "con", "משתמש", "x" * 300])
async def test_any_name_of_a_user_is_safe(files: FileStore, upload, user_id: str) -> None:
    await files.put(upload(), user_id, "doc_1")
    assert await read(files, SHA256, user_id) == CONTENT


async def test_a_document_id_is_not_a_path(files: FileStore, upload) -> None:
    path = upload()
    for document_id in ("../../x", "content/x", "a b"):
        with pytest.raises(ValueError, match="document id"):
            await files.put(path, "ada", document_id)
    assert path.exists()


async def test_a_missing_upload_leaves_nothing(files: FileStore, tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        await files.put(tmp_path / "none.pdf", "ada", "doc_1")
    assert [entry for entry in (tmp_path / "files").rglob("*") if entry.is_file()] == []


async def test_many_at_once_keep_one_copy(files: FileStore, upload, request: pytest.FixtureRequest) -> None:
    await asyncio.gather(*(files.put(upload(), "ada", f"doc_{i}") for i in range(6)))
    await asyncio.gather(*(files.delete(SHA256, "ada", f"doc_{i}") for i in range(5)))
    assert await read(files, SHA256, "ada") == CONTENT
    await files.delete(SHA256, "ada", "doc_5")
    assert await read(files, SHA256, "ada") is None


async def test_grid_leaves_no_content_behind(mongo_truth: MongoTruth, upload) -> None:
    files = GridFiles(mongo_truth)
    await asyncio.gather(*(files.put(upload(), "ada", f"doc_{i}") for i in range(4)))
    assert await mongo_truth.database[f"{BUCKET}.files"].count_documents({}) == 1
    await asyncio.gather(*(files.delete(SHA256, "ada", f"doc_{i}") for i in range(4)))
    for name in (f"{BUCKET}.files", f"{BUCKET}.chunks", OWNERS):
        assert await mongo_truth.database[name].count_documents({}) == 0, name


async def test_local_leaves_nothing_behind(tmp_path: Path, upload) -> None:
    files = LocalFiles(tmp_path / "files")
    await files.put(upload(), "ada", "doc_1")
    await files.delete(SHA256, "ada", "doc_1")
    assert [entry for entry in (tmp_path / "files").rglob("*") if entry.is_file()] == []
