"""Runs ``palimpsest worker`` in a separate process, on a MongoDB and a Redis. Before each file, it waits until the test
allows it to read.

The worker has its own embedded index: the tests only check which worker reads which file, and that is in the record
store.
"""

from __future__ import annotations

import asyncio
import os
import threading
from dataclasses import dataclass
from pathlib import Path

from command import worker
from core.library.reading import Readers
from core.setting_groups import Jobs, Redis
from core.settings import Settings
from core.workbench import Workbench
from tests.faults import runner
from tests.service.house import settings, until

LEASE = 2.0


@dataclass(frozen=True)
class Shared:
    """Resources that the processes of one test share. When the file ``gate`` exists, all readings continue; each
    reading adds a line to the file ``read``."""

    mongodb_uri: str
    database: str
    redis_url: str
    folder: Path

    @property
    def gate(self) -> Path:
        return self.folder / "gate"

    @property
    def read(self) -> Path:
        return self.folder / "read"

    def settings(self, name: str, *, workers: int, drain: float = 20.0) -> Settings:
        jobs = Jobs(
            event_interval=0.005, heartbeat=0.5, upkeep_after=0.0, lease=LEASE, workers=workers, drain=drain
        )  # fmt: skip
        return settings(
            self.folder / name, mongodb_uri=self.mongodb_uri, mongodb_database=self.database,
            redis=Redis(url=self.redis_url), jobs=jobs,  # type: ignore[arg-type]
        )  # fmt: skip

    def begun(self) -> list[tuple[str, str]]:
        """Returns the readings in the order in which they began: each file name with the process that reads it."""
        lines = self.read.read_text().splitlines() if self.read.exists() else []
        return [(filename, process) for filename, process in (line.split(" ") for line in lines)]


def work_and_hang(shared: Shared, name: str) -> None:
    """Like :func:`work`, but one of the worker's threads does not end when the worker is asked to stop."""
    runner.arrange(setattr)
    worker.ENDING_SECONDS = 1.0

    async def hang(_: Workbench) -> None:
        await asyncio.to_thread(threading.Event().wait)

    Workbench.stop = hang  # type: ignore[method-assign]
    asyncio.run(worker._work(True, shared.settings(name, workers=1, drain=0.0), "en"))


def work(shared: Shared, name: str, drain: float) -> None:
    """Works until it is told to end, or killed."""
    runner.arrange(setattr)
    read_file = Readers.read_file

    async def is_open() -> bool:
        return shared.gate.exists()

    async def wait_and_read(readers: Readers, path: Path, filename: str, *given: object, **named: object) -> object:
        with shared.read.open("a") as told:
            told.write(f"{filename} {name}\n")
        await until(is_open, "the gate is opened", 60)
        return await read_file(readers, path, filename, *given, **named)  # type: ignore[arg-type]

    Readers.read_file = wait_and_read  # type: ignore[assignment, method-assign]
    asyncio.run(worker._work(True, shared.settings(name, workers=1, drain=drain), "en"))
    os._exit(0)
