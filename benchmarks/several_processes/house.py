"""Runs ``palimpsest serve`` and ``palimpsest worker`` as processes that a benchmark can start, kill, freeze and
restart.

They use the tests' stand-ins and a real Redis; the connection to the record store can be cut.
"""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx
import psutil

from benchmarks.served import STARTUP, wait
from benchmarks.several_processes.forwarder import Forwarder
from benchmarks.slow_embeddings import DIMENSION, SlowEmbeddings
from tests.mongodb import free_port
from tests.servers.processes import Shared, shared_stores

SECONDS_TO_END = 60
"""Seconds for a worker to drain, and more seconds in case the machine is busy."""


def environment(shared: Mapping[str, str], embeddings: str, home: Path, database: str) -> dict[str, str]:
    """Returns an environment without the user's own settings and without rate limits; ``embeddings`` is an address."""
    inherited = {name: value for name, value in os.environ.items() if not name.startswith(("PALIMPSEST_", "OPENAI_"))}
    rates = {f"PALIMPSEST_RATES__{name}": "1000000" for name in ("SESSION", "USER", "ADDRESS", "SIGN_IN")}
    return {
        **inherited,
        **rates,
        **shared,
        "PALIMPSEST_HOME": str(home),
        "PALIMPSEST_MONGODB_DATABASE": database,
        "EMBEDDING_URL": f"{embeddings}/v1",
        "PALIMPSEST_EMBEDDING_MODEL": "slow",
        "PALIMPSEST_EMBEDDING_DIMENSION": str(DIMENSION),
    }


class Process:
    """Runs ``palimpsest ARGUMENTS`` in this environment; its output goes to ``log`` in its data directory."""

    def __init__(self, name: str, arguments: Sequence[str], given: Mapping[str, str]) -> None:
        self.name = name
        self._arguments, self._given = arguments, given
        self._home = Path(given["PALIMPSEST_HOME"])
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        self._home.mkdir(parents=True, exist_ok=True)
        with (self._home / "log").open("ab") as log:
            command = [sys.executable, "-m", "command", *self._arguments]
            self._process = subprocess.Popen(command, env=self._given, stdout=log, stderr=log)

    def until_ready(self) -> None:
        """Waits. Raises ``TimeoutError``, or ``AssertionError`` with the end of the log if the process has ended."""

    @property
    def log(self) -> str:
        return (self._home / "log").read_text(encoding="utf-8", errors="replace")

    @property
    def lives(self) -> bool:
        return self._process is not None and self._process.poll() is None

    @property
    def watched(self) -> psutil.Process:
        assert self._process
        return psutil.Process(self._process.pid)

    def kill(self) -> None:
        """Kills the process like a power cut."""
        if self._process:
            self._process.kill()
            self._process.wait()

    def freeze(self) -> None:
        self._signal(signal.SIGSTOP)

    def thaw(self) -> None:
        self._signal(signal.SIGCONT)

    def stop(self) -> None:
        """Stops the process gracefully, and by force if that takes too long."""
        if not self._process or not self.lives:
            return
        self._process.terminate()
        try:
            self._process.wait(SECONDS_TO_END)
        except subprocess.TimeoutExpired:
            self.kill()

    def _signal(self, which: signal.Signals) -> None:
        assert self._process
        self._process.send_signal(which)

    def _check(self) -> None:
        assert self.lives, f"{self.name} has ended: {self.log[-2000:]}"


class Server(Process):
    def __init__(self, name: str, arguments: Sequence[str], given: Mapping[str, str]) -> None:
        port = free_port()
        super().__init__(name, ["serve", *arguments], {**given, "PALIMPSEST_PORT": str(port)})
        self.url = f"http://127.0.0.1:{port}"

    def until_ready(self) -> None:
        def answers() -> bool:
            self._check()
            return httpx.get(f"{self.url}/health", timeout=2).is_success

        wait(answers, STARTUP)


class Worker(Process):
    def __init__(self, name: str, given: Mapping[str, str]) -> None:
        super().__init__(name, ["worker", "--json"], given)
        self._before = 0

    def start(self) -> None:
        self._before = self.log.count(_SAYS_WHERE) if (self._home / "log").exists() else 0
        super().start()

    def until_ready(self) -> None:
        def has_said() -> bool:
            self._check()
            return self.log.count(_SAYS_WHERE) > self._before

        wait(has_said, STARTUP)


_SAYS_WHERE = '"at_once"'


@contextmanager
def running(process: Process) -> Iterator[Process]:
    """Starts the processes and stops them at the end; does not wait until they are ready."""
    process.start()
    try:
        yield process
    finally:
        process.stop()


@dataclass(frozen=True)
class House:
    """Two ``serve`` processes that do no jobs, two ``worker`` processes, their shared services, and the connection to
    their record store."""

    servers: list[Server]
    workers: list[Worker]
    shared: Shared
    truth: Forwarder
    database: str

    @property
    def processes(self) -> list[Process]:
        return [*self.servers, *self.workers]


@asynccontextmanager
async def house(
    given: Mapping[str, str], *, servers: int = 2, workers: int = 2, batch: float = 0.02
) -> AsyncIterator[House]:
    """Yields processes that are ready for requests. ``given`` are settings of all processes, ``batch`` the seconds of
    an embedding batch."""
    async with AsyncExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="palimpsest-processes-")))
        shared = stack.enter_context(shared_stores(folder / "shared"))
        truth = await stack.enter_async_context(Forwarder(int(shared.mongodb.rpartition(":")[2])))
        embeddings = await stack.enter_async_context(SlowEmbeddings(batch).server())
        reached = {**shared.environment, "MONGODB_URI": f"{truth.address}/?directConnection=true"}

        def settings(name: str) -> dict[str, str]:
            return {**environment(reached, embeddings.url, folder / name, "several"), **given}

        made = House(
            [Server(f"serve {each}", ["--no-jobs"], settings(f"serve-{each}")) for each in range(1, servers + 1)],
            [Worker(f"worker {each}", settings(f"worker-{each}")) for each in range(1, workers + 1)],
            shared,
            truth,
            "several",
        )
        stack.push_async_callback(_stop, made.processes)
        for process in made.processes:
            # Starts one after the other: each of them would otherwise create the indexes of an empty record store.
            process.start()
            await asyncio.to_thread(process.until_ready)
        yield made


async def _stop(processes: Sequence[Process]) -> None:
    """Stops all processes at the same time, because each gives its jobs some time to end."""
    await asyncio.gather(*(asyncio.to_thread(process.stop) for process in processes))
