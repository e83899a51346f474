"""Tests that a server that leaves jobs to workers reports when there are none, and how many there are."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from core.library.records import Document
from core.resilience.health import Part
from core.setting_groups import Jobs
from core.workbench import Workbench
from tests.mongodb import running_mongodb
from tests.service.conftest import Open
from tests.service.house import POLICY, House, settings, until


@pytest.fixture(scope="module")
def mongodb_uri(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with running_mongodb(tmp_path_factory.mktemp("mongodb")) as uri:
        yield uri


async def processes(house: House) -> Part:
    return next(part for part in (await house.workbench.health()).parts if part.name.en == "Processes")


async def warning_of_jobs(house: House) -> str | None:
    return next(each.warning for each in await house.workbench.operations.examine() if each.check == "jobs")


async def test_what_is_uploaded_waits_for_a_worker_and_is_said_to(
    open_house: Open, mongodb_uri: str, tmp_path: Path
) -> None:
    house = await open_house(mongodb_uri=mongodb_uri, jobs=Jobs(workers=0, event_interval=0.005))
    given = await house.give("policy.md", POLICY)
    assert ((await processes(house)).state, (await processes(house)).warning) == ("amber", "jobs_without_worker")
    assert await warning_of_jobs(house) == "jobs_without_worker"
    jobs = Jobs(workers=1, event_interval=0.005)
    worker = Workbench(settings(tmp_path / "worker", mongodb_uri=mongodb_uri, jobs=jobs), serves=False)
    await worker.start()
    try:
        document: Document = await house.settled(given.document)
        assert document.state == "completed"

        async def is_known() -> bool:
            return (await processes(house)).state == "green"

        await until(is_known, "it is known of", 20)
        assert (await processes(house)).meaning.en == "Servers: 1; workers: 1."
        assert await warning_of_jobs(house) is None
    finally:
        await worker.stop()


async def test_one_process_alone_is_not_told_of_processes(house: House) -> None:
    assert "Processes" not in {part.name.en for part in (await house.workbench.health()).parts}
