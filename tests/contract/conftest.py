"""Fixtures: both record stores, and one MongoDB server for the whole test run."""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from uuid import uuid4

import pytest
from qdrant_client import AsyncQdrantClient

from core.store.edge import EdgeIndex
from core.store.index import Index
from core.store.mongo import MongoTruth
from core.store.qdrant import QdrantIndex
from core.store.sqlite.truth import SqliteTruth
from core.store.truth import Truth
from tests.mongodb import SERVER, running_mongodb


@pytest.fixture(scope="session")
def mongodb_uri(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    if not SERVER.exists() and not sys.platform.startswith("linux"):
        pytest.skip("the test server for MongoDB is packaged for Linux alone")
    with running_mongodb(tmp_path_factory.mktemp("mongodb")) as uri:
        yield uri


@pytest.fixture
async def mongo_truth(mongodb_uri: str) -> AsyncIterator[MongoTruth]:
    truth = MongoTruth(mongodb_uri, f"test_{uuid4().hex}", seconds=10.0)
    await truth.start()
    yield truth
    await truth.database.client.drop_database(truth.database)
    await truth.stop()


@pytest.fixture
async def sqlite_truth(tmp_path: Path) -> AsyncIterator[SqliteTruth]:
    truth = SqliteTruth(tmp_path / "truth.sqlite", seconds=10.0)
    await truth.start()
    yield truth
    await truth.stop()


@pytest.fixture(params=["sqlite", "mongo"])
def truth(request: pytest.FixtureRequest) -> Truth:
    found: Truth = request.getfixturevalue(f"{request.param}_truth")
    return found


Stores = tuple[Truth, Index]


@pytest.fixture
async def stores(truth: Truth, tmp_path: Path) -> AsyncIterator[Stores]:
    """A record store and the index that belongs to it, which is not started yet."""
    if isinstance(truth, SqliteTruth):
        edge = EdgeIndex(tmp_path / "index")
        yield truth, edge
        await edge.stop()
    else:
        client = AsyncQdrantClient(":memory:")
        yield truth, QdrantIndex(client=client)
        await client.close()
