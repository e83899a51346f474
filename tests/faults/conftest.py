"""Fixtures for two runs on one data directory: a process that is killed, and the workbench that is started after it."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import pytest

from core.workbench import Workbench
from tests.faults import runner
from tests.servers.forked import forked
from tests.service.house import House

Open = Callable[..., Awaitable[House]]
Kill = Callable[..., Awaitable[None]]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.faults)


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


@pytest.fixture
def kill() -> Kill:
    """``await kill(target, *arguments)``: runs ``target`` in a separate process and waits until that process has been
    killed."""

    async def run(target: Callable[..., None], *given: object) -> None:
        process = forked(target, *given)
        process.start()
        await asyncio.to_thread(process.join, runner.SECONDS + 20)
        assert process.exitcode == -signal.SIGKILL

    return run


@pytest.fixture
async def open_house(home: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Open]:
    """``await open_house(setting=value)``: starts the next workbench on the same data directory."""
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "MONGODB_URI", "QDRANT_URL", "EMBEDDING_URL", "RERANK_URL"):
        monkeypatch.delenv(name, raising=False)
    runner.arrange(monkeypatch.setattr)
    started: list[Workbench] = []

    async def start(**given: object) -> House:
        workbench = Workbench(runner.small_settings(home).model_copy(update=given))
        await workbench.start()
        started.append(workbench)
        return House(workbench, home / "uploads")

    yield start
    for workbench in started:
        await workbench.stop()
