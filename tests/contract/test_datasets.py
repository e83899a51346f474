"""Tests datasets on both stores: two processes with their own local folders read, query and delete the same ones."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from core.clock import system_clock
from core.datasets.build import DatasetServices
from core.datasets.query.model import DataQuery
from core.errors import PalimpsestError
from core.library.catalogue import Catalogue
from core.library.contents import Contents
from core.library.digest import digest
from core.library.records import Document, Metadata
from core.settings import Settings
from core.store.files import FileStore, LocalFiles
from core.store.gridfs import GridFiles
from core.store.mongo import MongoTruth
from core.store.truth import Truth

ORDERS = "Day,Branch,Amount\n2026-01-03,Haifa,120.50\n2026-02-07,Eilat,80\n2026-02-09,Haifa,9.50\n"
IDENTIFIER = "doc_0123456789abcdef0123456789abcdef"


@dataclass
class Worker:
    """One process: the shared stores, and a folder of its own."""

    services: DatasetServices
    catalogue: Catalogue
    files: FileStore
    folder: Path

    async def total(self, user_id: str = "ada") -> list[list[object]]:
        """The amount by branch, computed from the user's only dataset."""
        (dataset,) = await self.services.datasets.known(user_id)
        query = DataQuery.model_validate(
            {
                "dataset": dataset.id,
                "group": [{"column": "Branch"}],
                "measures": [{"function": "sum", "column": "Amount"}],
                "order": [{"by": "Branch"}],
            }
        )
        result = await self.services.datasets.run(user_id, query)
        return [list(row) for row in result.frame.itertuples(index=False, name=None)]

    def copies(self) -> int:
        return len([path for path in (self.folder / "datasets").glob("*") if path.is_file()])


class Idle:
    """A process that answers no question."""

    async def quiet(self) -> None:
        """Returns immediately."""


Hire = Callable[[str], Awaitable[Worker]]


@pytest.fixture
def hire(truth: Truth, tmp_path: Path) -> Hire:
    """Returns a function that starts a worker in a folder. Files are shared as in operation: in GridFS, or in one
    folder."""

    async def worker(name: str) -> Worker:
        settings = Settings(_env_file=None, home=tmp_path / name, dense_enabled=False)
        files = GridFiles(truth) if isinstance(truth, MongoTruth) else LocalFiles(tmp_path / "files")
        catalogue = Catalogue(truth, system_clock)
        services = DatasetServices(truth, files, catalogue, settings, system_clock, Idle())
        await services.store.ensure()
        return Worker(services, catalogue, files, settings.folder)

    return worker


async def given(worker: Worker, tmp_path: Path, content: str = ORDERS) -> Document:
    """A document of ada, stored and read by ``worker``."""
    file = tmp_path / "orders.csv"
    await asyncio.to_thread(file.write_text, content, "utf-8")
    sha256 = await asyncio.to_thread(digest, file)
    document = Document(
        id=IDENTIFIER, user_id="ada", filename=file.name, mime="text/csv", size=len(content), sha256=sha256,
        metadata=Metadata(title="Orders"), state="completed", chunks=1, searchable=1, added_at=1.0, updated_at=1.0,
    )  # fmt: skip
    if await worker.catalogue.find("ada", IDENTIFIER) is None:
        await worker.catalogue.add(document)
    await worker.files.put(file, "ada", IDENTIFIER)
    await worker.services.writing.write(document)
    return document


async def test_two_processes_answer_from_the_same_dataset(hire: Hire, tmp_path: Path) -> None:
    one, two = await hire("one"), await hire("two")
    await given(one, tmp_path)
    assert await one.total() == await two.total() == [["Eilat", 80.0], ["Haifa", 130.0]]
    assert (one.copies(), two.copies()) == (1, 1)
    assert await two.services.datasets.known("ben") == []
    with pytest.raises(PalimpsestError):
        await two.services.store.fetch("ben", await two.services.datasets.known("ada"))


async def test_a_lost_local_copy_is_fetched_again_and_a_new_reading_is_seen_by_all(hire: Hire, tmp_path: Path) -> None:
    one, two = await hire("one"), await hire("two")
    await given(one, tmp_path)
    await two.total()
    for path in (two.folder / "datasets").glob("*"):
        path.unlink()
    assert await two.total() == [["Eilat", 80.0], ["Haifa", 130.0]]
    await one.files.delete((await one.catalogue.get("ada", IDENTIFIER)).sha256, "ada", IDENTIFIER)
    changed = f"{ORDERS}2026-03-01,Eilat,20\n"
    document = await given(one, tmp_path, changed)
    await one.catalogue.change("ada", IDENTIFIER, sha256=document.sha256)
    assert await two.total() == await one.total() == [["Eilat", 100.0], ["Haifa", 130.0]]


async def test_a_correction_is_read_by_all_processes(hire: Hire, tmp_path: Path) -> None:
    one, two = await hire("one"), await hire("two")
    await given(one, tmp_path)
    (dataset,) = await two.services.datasets.known("ada")
    await two.services.datasets.correct_column("ada", dataset.id, "c2", type="text")
    (seen,) = await one.services.datasets.known("ada")
    assert seen.columns[2].type == "text"
    with pytest.raises(PalimpsestError):
        await one.services.datasets.correct_column("ben", dataset.id, "c2", type="text")


async def test_the_files_of_a_removed_document_go_from_the_store(hire: Hire, truth: Truth, tmp_path: Path) -> None:
    one, two = await hire("one"), await hire("two")
    document = await given(one, tmp_path)
    await two.total()
    (dataset,) = await one.services.datasets.known("ada")
    await one.files.delete(document.sha256, "ada", IDENTIFIER)
    await Contents(truth).forget("ada", IDENTIFIER)
    await truth.collection("documents").delete({"_id": IDENTIFIER})
    assert await two.services.store.remove_unused() == 1
    assert await one.services.datasets.known("ada") == []
    assert [file async for file in one.files.kept()] == []
    with pytest.raises(PalimpsestError):
        async with two.files.open(dataset.digest, "ada"):
            pass
