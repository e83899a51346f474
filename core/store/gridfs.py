"""Stores original files in GridFS, for several processes that share one MongoDB."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from bson import ObjectId
from gridfs.asynchronous import AsyncGridFSBucket
from gridfs.errors import NoFile
from pymongo import ReturnDocument
from pymongo.asynchronous.collection import AsyncCollection

from core.store.files import (
    BUCKET,
    UNNAMED,
    KeptFile,
    StoredFile,
    copy_and_hash,
    folder_name,
    is_sha256,
    no_file,
    reference,
)
from core.store.mongo import WRITE_FACTOR, MongoTruth

OWNERS = "file_owners"
PAGE = 256


class GridFiles:
    """``FileStore`` in the database of ``truth``: a record for each user and content names the GridFS file and its
    references. The record is authoritative and changes in one step; content without a record only wastes space."""

    def __init__(self, truth: MongoTruth) -> None:
        self._truth = truth

    @property
    def _bucket(self) -> AsyncGridFSBucket:
        return AsyncGridFSBucket(self._truth.database, BUCKET)

    @property
    def _owners(self) -> AsyncCollection[Any]:
        return self._truth.database[OWNERS]

    async def put(self, path: Path, user_id: str, document_id: str = "") -> StoredFile:
        name = reference(document_id)
        stored = await asyncio.to_thread(_hash, path)
        key = _file_key(stored.sha256, user_id)
        add = {"$addToSet": {"references": name}}
        async with self._truth.bounded(WRITE_FACTOR):
            known = await self._owners.find_one_and_update({"_id": key}, add)
            if known is None:
                await self._arrive(path, key, stored, user_id, name)
        return stored

    async def _arrive(self, path: Path, key: str, stored: StoredFile, user_id: str, name: str) -> None:
        content = await self._uploaded(path, key)
        owner = await self._owners.find_one_and_update(
            {"_id": key},
            {
                "$addToSet": {"references": name},
                "$setOnInsert": {"user_id": user_id, "sha256": stored.sha256, "content": content},
            },
            upsert=True,
            return_document=ReturnDocument.AFTER,
        )
        if owner is None or owner["content"] != content:
            await self._bucket.delete(content)

    async def _uploaded(self, path: Path, key: str) -> ObjectId:
        with await asyncio.to_thread(path.open, "rb") as source:
            return await self._bucket.upload_from_stream(key, source)

    @asynccontextmanager
    async def open(self, sha256: str, user_id: str) -> AsyncIterator[Path]:
        async with self._truth.bounded():
            owner = await self._owners.find_one({"_id": _file_key(sha256, user_id), "user_id": user_id})
        if owner is None:
            raise no_file()
        folder = await asyncio.to_thread(tempfile.TemporaryDirectory, prefix="palimpsest-")
        try:
            path = Path(folder.name) / sha256
            await self._fetch(owner["content"], path)
            yield path
        finally:
            await asyncio.to_thread(folder.cleanup)

    async def _fetch(self, content: ObjectId, path: Path) -> None:
        async with self._truth.bounded(WRITE_FACTOR):
            try:
                with await asyncio.to_thread(path.open, "xb") as target:
                    await self._bucket.download_to_stream(content, target)
            except NoFile:
                raise no_file() from None

    async def delete(self, sha256: str, user_id: str, document_id: str = "") -> None:
        if not is_sha256(sha256):
            return
        key = {"_id": _file_key(sha256, user_id)}
        async with self._truth.bounded(WRITE_FACTOR):
            if document_id:
                await self._owners.update_one(key, {"$pull": {"references": reference(document_id)}})
            else:
                await self._drop_unnamed(key)
            # A put between the two steps adds a reference, and then nothing is deleted.
            gone = await self._owners.find_one_and_delete({**key, "references": []})
            if gone is not None:
                await self._bucket.delete(gone["content"])

    async def kept(self) -> AsyncIterator[KeptFile]:
        last = ""
        while True:
            async with self._truth.bounded(WRITE_FACTOR):
                page = await self._owners.find({"_id": {"$gt": last}}, sort=[("_id", 1)], limit=PAGE).to_list()
            for owner in page:
                folder, _, sha256 = str(owner["_id"]).partition(":")
                if owner["references"]:
                    yield KeptFile(folder, sha256, tuple(sorted(owner["references"])), owner["user_id"])
            if not page:
                return
            last = str(page[-1]["_id"])

    async def adopt(self, path: Path, file: KeptFile) -> None:
        owner: dict[str, Any] = {"user_id": file.user_id, "sha256": file.sha256, "references": [*file.references]}
        async with self._truth.bounded(WRITE_FACTOR):
            owner["content"] = await self._uploaded(path, file.key)
            before = await self._owners.find_one_and_replace({"_id": file.key}, owner, upsert=True)
            if before is not None:
                await self._bucket.delete(before["content"])

    async def discard(self, key: str) -> None:
        async with self._truth.bounded(WRITE_FACTOR):
            gone = await self._owners.find_one_and_delete({"_id": key})
            if gone is not None:
                await self._bucket.delete(gone["content"])

    async def _drop_unnamed(self, key: dict[str, str]) -> None:
        while owner := await self._owners.find_one(key):
            name = next((name for name in owner["references"] if name.startswith(UNNAMED)), None)
            if name is None:
                return
            dropped = await self._owners.update_one({**key, "references": name}, {"$pull": {"references": name}})
            if dropped.matched_count:
                return


def _file_key(sha256: str, user_id: str) -> str:
    if not is_sha256(sha256):
        raise no_file()
    return f"{folder_name(user_id)}:{sha256}"


def _hash(path: Path) -> StoredFile:
    with path.open("rb") as source:
        return copy_and_hash(source)
