"""Compares this version with an earlier commit, both as one process: processor time per page read and per question, in
alternating runs.

    python -m benchmarks.one_process BEFORE [--runs 10] [--pages 80] [--questions 60] [--json FILE]

``BEFORE`` is a checkout of the project at the commit to compare with. Each run starts both workbenches, one after the
other, on empty directories, with their embedded engines and nothing else. It adds the one-page text files and asks the
questions over HTTP; the order of the two changes from run to run. Vectors come from an external endpoint, so that only
the project's own work is counted. Processor time is that of the served process and its child processes. The median over
the runs is reported, and the exit code is 1 if a page or a question costs over 2 % more than before.
"""

from __future__ import annotations

import argparse
import asyncio
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import psutil

from benchmarks.report import Figure, Report
from benchmarks.served import STARTUP, wait
from benchmarks.several_processes.house import environment
from benchmarks.slow_embeddings import SlowEmbeddings
from benchmarks.workers import page
from tests.interface.conftest import ROOT
from tests.mongodb import free_port

MOST = 1.02
"""Maximum processor time, as a multiple of the earlier commit's."""
LOOKS = 1.0
"""Seconds between two checks whether all files are read; each check costs a request, too."""
PATIENCE = 600.0


@dataclass(frozen=True)
class Spent:
    """Processor seconds per page and per question."""

    page: float
    question: float


@contextmanager
def started(root: Path, home: Path, given: dict[str, str]) -> Iterator[psutil.Process]:
    """Runs ``python app.py`` of the checkout at ``root``; at the end, stops exactly this process by its id."""
    with (home.parent / f"{home.name}.log").open("wb") as log:
        process = subprocess.Popen([sys.executable, "app.py"], cwd=root, env=given, stdout=log, stderr=log)
    try:
        yield psutil.Process(process.pid)
    finally:
        process.terminate()
        process.wait(60)


@asynccontextmanager
async def workbench(root: Path, home: Path, embeddings: str) -> AsyncIterator[tuple[httpx.AsyncClient, psutil.Process]]:
    """Yields the workbench of the checkout at ``root``, served and ready."""
    port = free_port()
    url = f"http://127.0.0.1:{port}"
    given = {"PALIMPSEST_PORT": str(port), "PALIMPSEST_DATAGOV__ENABLED": "false"}  # the portal needs the network
    with started(root, home, {**environment({}, embeddings, home, "alone"), **given}) as process:
        await asyncio.to_thread(wait, lambda: httpx.get(f"{url}/health", timeout=2).is_success, STARTUP)
        async with httpx.AsyncClient(base_url=url, timeout=120, trust_env=False) as client:
            yield client, process


async def call(client: httpx.AsyncClient, endpoint: str, **fields: object) -> dict[str, Any]:
    reply = await client.post(f"/api/{endpoint}", json=fields)
    reply.raise_for_status()
    found: dict[str, Any] = reply.json()
    return found


async def read(client: httpx.AsyncClient, pages: int) -> None:
    """Adds the files one after the other, and waits until each has all its vectors."""
    for number in range(pages):
        await call(client, "add_document", name=f"page-{number:05d}.txt", text=page(number), choice="ask")
    ends = time.monotonic() + PATIENCE
    while True:
        documents = (await call(client, "list_documents", limit=1_000))["documents"]
        if sum(each["state"] == "completed" for each in documents) == pages:
            return
        assert time.monotonic() < ends, documents
        await asyncio.sleep(LOOKS)


async def ask(client: httpx.AsyncClient, questions: int, pages: int) -> None:
    for number in range(questions):
        answer = await call(client, "ask", question=f"What does the register say of entry {number % pages:05d}?")
        assert answer["outcome"] == "answered", answer


def spent(process: psutil.Process) -> float:
    """Returns the processor seconds of a process, its children, and those of them that have ended."""
    times = [each.cpu_times() for each in [process, *process.children(recursive=True)]]
    return sum(each.user + each.system + each.children_user + each.children_system for each in times)


async def measured(root: Path, home: Path, embeddings: str, pages: int, questions: int) -> Spent:
    async with workbench(root, home, embeddings) as (client, process):
        began = spent(process)
        await read(client, pages)
        was_read = spent(process)
        await ask(client, questions, pages)
        return Spent((was_read - began) / pages, (spent(process) - was_read) / questions)


def report(before: Sequence[Spent], now: Sequence[Spent]) -> Report:
    made = Report(f"One process, {len(now)} alternating runs: processor seconds, median")
    for name in ("page", "question"):
        was, is_now = (statistics.median(getattr(each, name) for each in runs) for runs in (before, now))
        made.add(Figure(f"a {name}", "seconds", is_now, was, "before"))
        made.add(Figure(f"a {name}", f"before by now (1 by {MOST})", was / is_now, floor=1 / MOST))
    return made


async def run(root: Path, runs: int, pages: int, questions: int) -> Report:
    before: list[Spent] = []
    now: list[Spent] = []
    async with SlowEmbeddings(0.0).server() as endpoint:
        with tempfile.TemporaryDirectory(prefix="palimpsest-alone-") as folder:
            for number in range(runs):
                both = [("before", root, before), ("now", ROOT, now)]
                for name, place, into in both if number % 2 else reversed(both):
                    home = Path(folder) / f"{name}-{number}"
                    into.append(await measured(place, home, endpoint.url, pages, questions))
                    print(f"{number + 1} {name}: {into[-1]}", flush=True)
    return report(before, now)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("before", type=Path)
    parser.add_argument("--runs", type=int, default=10)
    parser.add_argument("--pages", type=int, default=80)
    parser.add_argument("--questions", type=int, default=60)
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # so that the processes that were started end, too
    return asyncio.run(run(given.before, given.runs, given.pages, given.questions)).finish(given.json)


if __name__ == "__main__":
    sys.exit(main())
