"""Fixtures: workbenches that are stopped at the end of their test."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import pytest

from core.workbench import Workbench
from tests.service import reading_here
from tests.service.house import GatedEmbeddings, House, settings

Open = Callable[..., Awaitable[House]]


@pytest.fixture(autouse=True)
def _own_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "MONGODB_URI", "QDRANT_URL", "EMBEDDING_URL", "RERANK_URL"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture(autouse=True)
def _little_reserve(monkeypatch: pytest.MonkeyPatch) -> None:
    """Reserves less disk space: the usual sixteen megabytes take a fifth of the time to start and are not needed."""
    monkeypatch.setattr("core.store.room.RESERVE_BYTES", 1 << 16)


@pytest.fixture(autouse=True)
def _reading(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Files are read in this process, unless the test is marked to have a reader."""
    if not request.node.get_closest_marker("reader"):
        reading_here.arrange(monkeypatch.setattr)


@pytest.fixture
async def open_house(tmp_path: Path) -> AsyncIterator[Open]:
    """``await open_house(setting=value)`` starts a workbench. After ``workbench.stop()``, it can start another one on
    the same data directory."""
    started: list[Workbench] = []

    async def start(**given: object) -> House:
        workbench = Workbench(settings(**{"home": tmp_path / "home", **given}))
        await workbench.start()
        started.append(workbench)
        return House(workbench, tmp_path / "uploads")

    yield start
    for workbench in started:
        await workbench.stop()


@pytest.fixture
async def house(open_house: Open) -> House:
    """A workbench with keyword search only."""
    return await open_house()


@pytest.fixture
def embeddings(monkeypatch: pytest.MonkeyPatch) -> GatedEmbeddings:
    """A fake model that computes the vectors of a workbench opened with ``dense_enabled=True``."""
    made = GatedEmbeddings()
    monkeypatch.setattr("core.memory.retrieval.build_embeddings", lambda *_: made)
    return made
