"""Stores datasets: their records in the record store, their Parquet files in the file store, with local copies."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Collection as Ids
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from pydantic import TypeAdapter

from core.clock import Clock
from core.datasets.local_copies import LocalCopies
from core.datasets.reading.reading import Correction
from core.datasets.records import Dataset
from core.figures.stored.packed import compress, decompress
from core.library.catalogue import Catalogue
from core.library.contents import DATASET_CORRECTIONS, DATASETS
from core.library.records import Document
from core.lru_cache import LruCache
from core.store.files import FileStore
from core.store.items import LIBRARY
from core.store.scope import ScopedTruth
from core.store.truth import Collection, Json, Sorted, Truth

FORMAT = 2
"""Changes when datasets are read differently; older ones are then read again."""
DATASET_FILES = "dataset_files"
"""One row for each stored Parquet file and document. It is written before the file and deleted after it."""
ARRIVING_SECONDS = 600.0
"""A stored file may have no dataset for this time, because the record is written last."""
MOST_DOCUMENTS = 1_000
"""Maximum number of documents whose datasets stay in memory."""
_DATASETS = TypeAdapter(list[Dataset])
_MARKED = ("document_id", "stamp")


@dataclass(frozen=True)
class _Mark:
    document_id: str
    stamp: str


class DatasetStore:
    """Stores and loads the datasets of documents. Every method is limited to the given user's data.

    ``folder`` holds local copies of the Parquet files, named by their digests.
    """

    def __init__(self, truth: Truth, files: FileStore, catalogue: Catalogue, folder: Path, clock: Clock) -> None:
        self._truth, self._files, self._catalogue, self._clock = truth, files, catalogue, clock
        self.copies = LocalCopies(folder, files)
        self._kept: LruCache[tuple[str, str], list[Dataset]] = LruCache(MOST_DOCUMENTS)
        self._marks: LruCache[str, tuple[int, list[_Mark]]] = LruCache(MOST_DOCUMENTS)

    async def ensure(self) -> None:
        """Creates what is missing in the record store."""
        for name in (DATASETS, DATASET_FILES, DATASET_CORRECTIONS):
            await self._truth.collection(name).ensure(sort=[Sorted(("user_id", "document_id"))])

    async def put(self, document: Document, datasets: Sequence[Dataset], folder: Path) -> None:
        """Replaces the datasets of a document; ``folder`` holds their Parquet files, which are moved. The records are
        written last: without them, the datasets count as missing and are read again."""
        user_id, identifier = document.user_id, document.id
        for digest in dict.fromkeys(dataset.digest for dataset in datasets):
            row: Json = {"_id": f"{identifier}:{digest}", "document_id": identifier, "digest": digest}
            await self._of(user_id, DATASET_FILES).upsert({**row, "at": self._clock()})
            await self.copies.keep(folder / digest, digest)
            await self._files.put(folder / digest, user_id, identifier)
        block = await asyncio.to_thread(lambda: compress(_DATASETS.dump_json(list(datasets)).decode()))
        await self._of(user_id, DATASETS).upsert(
            {
                "_id": identifier, "document_id": identifier, "format": FORMAT, "block": block,
                "stamp": hashlib.sha256(block.encode()).hexdigest()[:16],
                "digests": [dataset.digest for dataset in datasets],
            }
        )  # fmt: skip

    async def of_user(
        self,
        user_id: str,
        document_ids: Ids[str] | None = None,
        *,
        attached: bool = False,
        is_stored: bool = False,
    ) -> list[Dataset]:
        """Returns the datasets of these documents, if the user may read them, or of the whole library, and with
        ``attached`` also of all documents that are attached to conversations; those of the newest document first.
        ``is_stored``: only of documents whose passages are all stored."""
        documents = [
            document
            for document in await self._catalogue.seen(user_id)
            if (attached or document.scope == LIBRARY if document_ids is None else document.id in document_ids)
            and (document.is_stored or not is_stored)
        ]
        by_document: dict[str, list[Dataset]] = {}
        for owner in dict.fromkeys(document.user_id for document in documents):
            by_document |= await self._of_owner(owner, {each.id for each in documents if each.user_id == owner})
        return [
            dataset.model_copy(update={"origin": document.origin}) if document.origin else dataset
            for document in documents
            for dataset in by_document.get(document.id, ())
        ]

    async def fetch(self, user_id: str, datasets: Sequence[Dataset]) -> None:
        """Makes sure that the Parquet files of these datasets are in the local folder of the queries.

        Raises:
            PalimpsestError: the user may not read one of the documents, or it is gone ("not_found").
        """
        for dataset in datasets:
            document = await self._catalogue.readable(user_id, dataset.document_id)
            await self.copies.fetch(dataset.digest, document.user_id)

    async def corrections(self, user_id: str, document_id: str) -> dict[str, dict[str, Correction]]:
        """Returns what a person has set for the datasets of a document, by the ids of datasets and keys of columns."""
        found: dict[str, dict[str, Correction]] = {}
        for row in await self._of(user_id, DATASET_CORRECTIONS).find({"document_id": document_id}):
            correction = Correction.model_validate({"name": row.get("name"), "type": row.get("type")})
            found.setdefault(str(row["dataset_id"]), {})[str(row["key"])] = correction
        return found

    async def correct(self, user_id: str, dataset: Dataset, key: str, correction: Correction) -> None:
        """Stores what a person has set for a column; it outlives reading the document again."""
        row: Json = {
            "_id": f"{dataset.id}:{key}", "document_id": dataset.document_id, "dataset_id": dataset.id, "key": key,
            **correction.model_dump(exclude_none=True),
        }  # fmt: skip
        before = await self._of(user_id, DATASET_CORRECTIONS).get(f"{dataset.id}:{key}")
        await self._of(user_id, DATASET_CORRECTIONS).upsert({**(before or {}), **row})

    async def restore(self, user_id: str, dataset: Dataset, key: str) -> None:
        """Removes what a person has set for a column."""
        await self._of(user_id, DATASET_CORRECTIONS).delete({"_id": f"{dataset.id}:{key}"})

    async def written(self) -> set[str]:
        """Across all users: the ids of the documents whose datasets are stored in the current form (maintenance)."""
        rows = await self._truth.collection(DATASETS).find({"format": FORMAT}, fields=["document_id"])
        return {str(row["document_id"]) for row in rows}

    async def remove_unused(self) -> int:
        """Across all users: removes the Parquet files that no dataset uses any more, such as those of removed documents
        (maintenance). Returns how many."""
        used: dict[str, set[str]] = {}
        for row in await self._truth.collection(DATASETS).find(fields=["document_id", "digests"]):
            digests = row["digests"]
            used[str(row["document_id"])] = set(map(str, digests)) if isinstance(digests, list) else set()
        rows = await self._truth.collection(DATASET_FILES).find()
        unused = [row for row in rows if str(row["digest"]) not in used.get(str(row["document_id"]), ())]
        documents = {"_id": {"$in": sorted({str(row["document_id"]) for row in unused})}}
        known = {str(row["_id"]) for row in await self._truth.collection("documents").find(documents, fields=["_id"])}
        old = self._clock() - ARRIVING_SECONDS
        gone = [row for row in unused if str(row["document_id"]) not in known or float(str(row["at"])) < old]
        for row in gone:
            await self._remove_file(str(row["user_id"]), str(row["document_id"]), str(row["digest"]))
        await asyncio.to_thread(self.copies.remove_others, {str(row["digest"]) for row in rows if row not in gone})
        return len(gone)

    async def _remove_file(self, user_id: str, document_id: str, digest: str) -> None:
        await self._files.delete(digest, user_id, document_id)
        await self._of(user_id, DATASET_FILES).delete({"_id": f"{document_id}:{digest}"})

    async def _of_owner(self, owner: str, document_ids: set[str]) -> Mapping[str, list[Dataset]]:
        marks = [mark for mark in await self._read_marks(owner) if mark.document_id in document_ids]
        known = {mark.document_id: self._kept.use((mark.document_id, mark.stamp)) for mark in marks}
        missing = [document_id for document_id, datasets in known.items() if datasets is None]
        if missing:
            rows = await self._of(owner, DATASETS).find({"document_id": {"$in": missing}})
            for row in rows:
                datasets = await asyncio.to_thread(_DATASETS.validate_json, decompress(str(row["block"])))
                known[str(row["document_id"])] = datasets
                self._kept[str(row["document_id"]), str(row["stamp"])] = datasets
        return {document_id: datasets for document_id, datasets in known.items() if datasets is not None}

    async def _read_marks(self, owner: str) -> list[_Mark]:
        rows = self._of(owner, DATASETS)
        version, kept = rows.version, self._marks.use(owner)
        if kept is not None and kept[0] == version:
            return kept[1]
        marks = [_Mark(str(row["document_id"]), str(row["stamp"])) for row in await rows.find(fields=_MARKED)]
        if version is not None:
            self._marks[owner] = version, marks
        return marks

    def _of(self, user_id: str, name: str) -> Collection:
        return ScopedTruth(self._truth, user_id).collection(name)
