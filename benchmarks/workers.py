"""Measures how much faster several workers are: one-page text files, an embedding endpoint with a fixed time per batch.

One ``palimpsest serve --no-jobs`` accepts the files. Then so many ``palimpsest worker`` read them and request vectors,
each of them one batch at a time. They share a MongoDB-compatible process, a stand-in for Qdrant and a real Redis, all
on this machine: the division of work is measured, not the speed of servers.

    python -m benchmarks.workers [--files 2000] [--workers 1 2 4] [--seconds 0.3] [--json FILE]

Nothing is lost if each document has a vector for each of its passages, in the record store and in the index. Nothing is
done twice if each text was requested once and each job was started once.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import signal
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import ExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx

from benchmarks.report import Figure, Report
from benchmarks.several_processes.house import Process, Server, Worker, environment, running
from benchmarks.several_processes.standing import Records
from benchmarks.slow_embeddings import SlowEmbeddings
from tests.servers.processes import Shared, shared_stores

FLOORS = {2: 1.9, 4: 3.6}
"""Floors: by number of workers, how many times as fast as one worker they must be."""
WORDS = 320
"""Words per page."""
AT_ONCE = 8
"""Number of files that are sent at the same time."""
PATIENCE = 7_200.0
SHORTEST_SECONDS = 0.05
"""The next check is after this many seconds per remaining file, because checks take record store time from the workers.
"""
LONGEST_PAUSE = 10.0


@dataclass(frozen=True)
class Outcome:
    """The result of a run. ``seconds``: from the first batch until the last document was complete. ``lost``: documents;
    ``twice``: texts or jobs; ``cpu``: processor seconds of the workers only."""

    workers: int
    seconds: float
    lost: int
    twice: int
    batches: int
    most: int
    cpu: float


def page(number: int) -> str:
    """Returns random words from a vocabulary of a thousand, with the page's number among them, so that no passage
    repeats."""
    draw = random.Random(number)
    words = [f"{draw.choice(('ca', 'mo', 'ri', 'te'))}{draw.randrange(250):03d}" for _ in range(WORDS)]
    sentences = [" ".join(words[start : start + 16]).capitalize() + "." for start in range(0, WORDS, 16)]
    return f"Page {number:05d} of the register\n\n" + " ".join(sentences) + f" Entry {number:05d}.\n"


@asynccontextmanager
async def served(given: dict[str, str]) -> AsyncIterator[httpx.AsyncClient]:
    server = Server("serve", ["--no-jobs"], given)
    with running(server):
        await asyncio.to_thread(server.until_ready)
        async with httpx.AsyncClient(base_url=server.url, timeout=120) as client:
            yield client


async def take_in(client: httpx.AsyncClient, files: int) -> None:
    free = asyncio.Semaphore(AT_ONCE)

    async def send(number: int) -> None:
        async with free:
            taken = (await client.request("PUT", "/api/uploads", content=page(number).encode())).json()["path"]
            given = {"file": taken, "name": f"page-{number:05d}.txt"}
            reply = (await client.post("/api/upload_document", json=given)).json()
            assert reply.get("status") == "accepted", reply

    await asyncio.gather(*(send(number) for number in range(files)))


async def measured(
    shared: Shared, endpoint: SlowEmbeddings, address: str, folder: Path, workers: int, files: int
) -> Outcome:
    database = f"workers_{workers}"
    records = Records(shared.mongodb, shared.qdrant.url, database)
    endpoint.forget()
    try:
        async with served(environment(shared.environment, address, folder / "serve", database)) as client:
            await take_in(client, files)
            endpoint.forget()
            return await _worked(shared, endpoint, address, folder, records, workers, files)
    finally:
        records.forget()
        records.close()
        shared.qdrant.empty()
        shared.redis.client.flushall()


async def _worked(
    shared: Shared, endpoint: SlowEmbeddings, address: str, folder: Path, records: Records, workers: int, files: int
) -> Outcome:
    database = f"workers_{workers}"
    with _working(shared, address, folder, database, workers) as processes:
        ends = time.monotonic() + PATIENCE
        while (whole := await asyncio.to_thread(records.whole)) < files:
            assert time.monotonic() < ends, f"{whole} of {files} are whole"
            assert all(each.lives for each in processes), "a worker has ended"
            await asyncio.sleep(min(LONGEST_PAUSE, max(1.0, (files - whole) * SHORTEST_SECONDS)))
        assert endpoint.first is not None
        seconds = time.monotonic() - endpoint.first
        times = [each.watched.cpu_times() for each in processes]
        return Outcome(
            workers=workers,
            seconds=seconds,
            lost=files - records.whole() + records.missing_points(),
            twice=sum(number - 1 for number in endpoint.texts.values()) + records.begun_again(),
            batches=endpoint.batches,
            most=endpoint.most,
            cpu=sum(each.user + each.system + each.children_user + each.children_system for each in times),
        )


@contextmanager
def _working(shared: Shared, address: str, folder: Path, database: str, workers: int) -> Iterator[list[Process]]:
    def settings(number: int) -> dict[str, str]:
        return environment(shared.environment, address, folder / f"worker-{number}", database)

    with ExitStack() as stack:
        made = [Worker(f"worker {number}", settings(number)) for number in range(workers)]
        yield [stack.enter_context(running(each)) for each in made]


def report(outcomes: Sequence[Outcome], files: int, seconds: float) -> Report:
    made = Report(f"{files} text files of a page, {seconds} s a batch")
    alone = next((each for each in outcomes if each.workers == 1), None)
    for each in outcomes:
        group = f"{each.workers} worker{'s' if each.workers > 1 else ''}"
        made.add(Figure(group, "files a second", files / each.seconds))
        if alone and each is not alone:
            floor = FLOORS.get(each.workers)
            made.add(Figure(group, "times as fast as one", alone.seconds / each.seconds, 1.0, "one", floor=floor))
        made.add(Figure(group, "lost (negated)", -float(each.lost), floor=0.0))
        made.add(Figure(group, "twice (negated)", -float(each.twice), floor=0.0))
        made.add(Figure(group, "spare batches in flight", float(each.workers - each.most), floor=0.0))
        made.add(Figure(group, "processor seconds a file", each.cpu / files))
    made.notes.append("MongoDB and Qdrant are stand-ins on the same machine; the figures are not theirs.")
    return made


async def run(files: int, workers: Sequence[int], seconds: float) -> Report:
    endpoint = SlowEmbeddings(seconds)
    outcomes = []
    with tempfile.TemporaryDirectory() as folder, shared_stores(Path(folder) / "shared") as shared:
        async with endpoint.server() as server:
            for number in workers:
                place = Path(folder) / f"with-{number}"
                outcomes.append(await measured(shared, endpoint, server.url, place, number, files))
                print(outcomes[-1], flush=True)
    return report(outcomes, files, seconds)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--files", type=int, default=2_000)
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2, 4])
    parser.add_argument("--seconds", type=float, default=0.3, help="seconds of the endpoint per batch")
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # so that the processes that were started end, too
    return asyncio.run(run(given.files, given.workers, given.seconds)).finish(given.json)


if __name__ == "__main__":
    sys.exit(main())
