"""Measures how the stored data grows: ``python -m benchmarks.growth [--passages 1000 10000 100000] [--people 10 100
1000]``.

The rows are copies, under other ids, of rows that a workbench wrote for the sample documents, for questions about them
and for feedback on the answers. Vectors are random. So sizes are realistic, but quality cannot be measured. Each size
is measured in a separate process, so that its memory use does not include the others'. Workers are not run: their
throughput is calculated by a queueing model from the measured time of one file (``benchmarks.queueing``). ``--draw
FILE`` draws the curves as SVG.
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import json
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import psutil

from benchmarks.curves import Curve, Panel, drawn
from benchmarks.queueing import files_a_second
from benchmarks.speed_section import percentiles
from core.events import Interrupted
from core.memory.items.index_writer import point_of
from core.memory.items.reading import ITEMS
from core.memory.retrieval import INDEXED
from core.settings import Settings
from core.store.edge import EdgeIndex
from core.store.index import Point, Schema, Where
from core.store.items import MemoryItem
from core.store.sqlite.truth import SqliteTruth
from core.store.threads.sqlite import SqliteThreads
from core.store.threads.stored import StoredThread
from core.store.truth import Json, Upsert
from core.workbench import Workbench

USER = "local"
DIMENSION = 384
OF_DOCUMENT = 200
BATCH = 1_000
QUERIES = 30
FILES = 40
QUESTIONS = ("What is the lodging limit in Israel?", "What does Pelagit charge for a meter?", "מה קרה באזור הדר?")
ID = re.compile(r"\b([a-z]+)_([0-9a-f]{32})\b")
ENDPOINT = 0.3
"""Assumed seconds that an embedding endpoint takes for a batch, as in the floors of ``benchmarks.workers``."""
WORKERS = (1, 2, 4, 8, 16, 32, 64)
CORES = (2, 8, 32)
SCHEMA = Schema("made up", DIMENSION, indexed_fields=INDEXED)

Figures = dict[str, float]


class Template:
    """The data of one person's questions: rows by collection, passages separately, agent checkpoints."""

    def __init__(self) -> None:
        self.rows: dict[str, list[Json]] = {}
        self.passages: list[Json] = []
        self.threads: list[StoredThread] = []
        self.file_seconds = 0.0


def settings_of(home: Path) -> Settings:
    return Settings(_env_file=None, home=home, dense_enabled=False)  # type: ignore[call-arg]


async def template(home: Path) -> Template:
    """Returns the data of a workbench that read the samples and answered questions, and the processor time for a
    one-page file."""
    made, workbench = Template(), Workbench(settings_of(home))
    await workbench.start()
    try:
        for submission in await workbench.load_samples(USER):
            await _ended(workbench, submission.document.run_id or "")
        for question in QUESTIONS:
            asked = await workbench.ask(USER, question)
            await _ended(workbench, asked.run_id)
        made.file_seconds = await _seconds_a_file(workbench, home)
        for name in await workbench.truth.names():
            made.rows[name] = await workbench.truth.collection(name).find()
        made.passages = [row for row in made.rows.pop(ITEMS) if row["tier"] == "books"]
        threads, last = SqliteThreads(home / "checkpoints.sqlite"), ""
        while thread := await threads.following(last):
            made.threads.append(thread)
            last = thread.id
    finally:
        await workbench.stop()
    return made


async def _ended(workbench: Workbench, run_id: str) -> None:
    """Waits until the run ends, or until it asks the user; such a question gets no reply."""
    async for entry in workbench.ledger.tail(USER, run_id):
        if isinstance(entry.event, Interrupted):
            return


async def _seconds_a_file(workbench: Workbench, home: Path) -> float:
    """Returns processor seconds, including child processes, from a file's upload until keyword search finds it."""
    before = _processor_seconds()
    for number in range(FILES):
        path = home / f"page-{number}"
        await asyncio.to_thread(path.write_text, f"# Page {number}\n\n" + f"Reservoir {number} holds water. " * 80)
        submission = await workbench.library.submit(USER, path, f"page-{number}.md")
        await _ended(workbench, submission.document.run_id or "")
    return (_processor_seconds() - before) / FILES


def _processor_seconds() -> float:
    """Returns the processor seconds of this process, its children and ended ones: readers are children of a long-lived
    child process."""
    own = psutil.Process()
    return sum(sum(each.cpu_times()[:4]) for each in (own, *own.children(recursive=True)))


# -- passages --------------------------------------------------------------------------------


def passages(made: Template, count: int) -> Iterator[MemoryItem]:
    for number in range(count):
        row = made.passages[number % len(made.passages)]
        item = MemoryItem.model_validate(row)
        yield item.model_copy(
            update={"id": f"mem_{number:032x}", "document_id": f"doc_{number // OF_DOCUMENT:032x}", "indexed": True}
        )


async def fill_passages(made: Template, count: int, home: Path) -> None:
    """Fills the tables; the tables and indexes of records are those that a workbench creates."""
    workbench = Workbench(settings_of(home))
    await workbench.start()
    await workbench.stop()
    truth, index = SqliteTruth(home / "truth.sqlite", seconds=600), EdgeIndex(home / "index")
    shutil.rmtree(home / "index", ignore_errors=True)
    await truth.start()
    await index.start(SCHEMA)
    chance = np.random.default_rng(5)
    batch: list[MemoryItem] = []
    for item in passages(made, count):
        batch.append(item)
        if len(batch) == BATCH:
            await _keep(truth, index, batch, chance)
            batch = []
    await _keep(truth, index, batch, chance)
    await truth.scrub()
    await truth.stop()
    await index.stop()


async def _keep(truth: SqliteTruth, index: EdgeIndex, items: list[MemoryItem], chance: np.random.Generator) -> None:
    await truth.collection(ITEMS).bulk([Upsert(each.model_dump(by_alias=True, mode="json")) for each in items])
    vectors = chance.standard_normal((len(items), DIMENSION), dtype=np.float32)
    points: list[Point] = [point_of(item, vector) for item, vector in zip(items, vectors, strict=True)]
    await index.upsert(points)


async def probe_passages(home: Path) -> Figures:
    """Measures a process that opens the data and searches them."""
    truth, index = SqliteTruth(home / "truth.sqlite"), EdgeIndex(home / "index")
    await truth.start()
    await index.start(SCHEMA)
    rows = await truth.collection(ITEMS).find({"user_id": USER}, limit=QUERIES)
    chance = np.random.default_rng(6)
    dense, lexical, read = [], [], []
    for row in rows:
        words = point_of(MemoryItem.model_validate(row)).lexical
        assert words
        vector = chance.standard_normal(DIMENSION, dtype=np.float32)
        where = Where(USER, {"tier": ["books"]})
        began = time.perf_counter()
        await index.query_dense(vector, where, 64)
        dense.append((time.perf_counter() - began) * 1000)
        began = time.perf_counter()
        await index.query_lexical(words, where, 64)
        lexical.append((time.perf_counter() - began) * 1000)
        began = time.perf_counter()
        await truth.collection(ITEMS).get(str(row["_id"]))
        read.append((time.perf_counter() - began) * 1000)
    figures = percentiles("dense", dense) | percentiles("lexical", lexical) | percentiles("read", read)
    await truth.stop()
    await index.stop()
    return figures | _memory() | {"truth_mb": _megabytes(home / "truth.sqlite"), "index_mb": _megabytes(home / "index")}


# -- people ----------------------------------------------------------------------------------


def theirs(made: Template, person: str) -> Iterator[tuple[str, Json]]:
    """Returns copies of one user's rows under new ids."""
    for name, rows in made.rows.items():
        for row in rows:
            if row.get("user_id") == USER:
                yield name, json.loads(_renamed(json.dumps(row), person).replace(f'"{USER}"', f'"{person}"'))


def _renamed(text: str, person: str) -> str:
    return ID.sub(lambda found: f"{found[1]}_{hashlib.md5(f'{person}{found[2]}'.encode()).hexdigest()}", text)


async def fill_people(made: Template, count: int, home: Path) -> None:
    workbench = Workbench(settings_of(home))
    await workbench.start()
    await workbench.stop()
    truth, threads = SqliteTruth(home / "truth.sqlite", seconds=600), SqliteThreads(home / "checkpoints.sqlite")
    await truth.start()
    for number in range(count):
        person = f"person{number}"
        by_collection: dict[str, list[Upsert]] = {}
        for name, row in theirs(made, person):
            row = {**row, "_id": str(row["_id"]).replace(USER, person)}
            by_collection.setdefault(name, []).append(Upsert(row))
        for name, writes in by_collection.items():
            await truth.collection(name).bulk(writes)
        for each in made.threads:
            await threads.replace(StoredThread(_renamed(each.id, person), each.checkpoints, each.writes))
    await truth.scrub()
    await truth.stop()


async def probe_people(home: Path) -> Figures:
    """Reads one user's list of conversations, its messages, and an answer's events, as a page does."""
    workbench = Workbench(settings_of(home))
    await workbench.start()
    try:
        listed, drawn_ = [], []
        for number in range(QUERIES):
            person = f"person{number % 10}"
            began = time.perf_counter()
            found = await workbench.conversations.search(person, "")
            listed.append((time.perf_counter() - began) * 1000)
            began = time.perf_counter()
            await workbench.conversations.messages(person, found[0].conversation.id)
            drawn_.append((time.perf_counter() - began) * 1000)
        figures = percentiles("list", listed) | percentiles("messages", drawn_) | _memory()
    finally:
        await workbench.stop()
    kept = {"truth_mb": _megabytes(home / "truth.sqlite"), "threads_mb": _megabytes(home / "checkpoints.sqlite")}
    return figures | kept


def _memory() -> Figures:
    """Returns the peak memory of this process since it began; ``getrusage`` would include the parent's memory."""
    status = Path("/proc/self/status").read_text(encoding="utf-8")
    return {"memory_mb": int(status.partition("VmHWM:")[2].split()[0]) / 1024}


def _megabytes(path: Path) -> float:
    files = [each for each in path.rglob("*") if each.is_file()] if path.is_dir() else [path]
    return sum(each.stat().st_blocks * 512 for each in files) / 1e6


# -- main ------------------------------------------------------------------------------------


def probed(kind: str, home: Path) -> Figures:
    """Measures in a separate process."""
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.growth", "--probe", kind, str(home)], check=True, capture_output=True
    )
    found: Figures = json.loads(done.stdout.splitlines()[-1])
    return found


def measured(made: Template, kind: str, sizes: list[int]) -> dict[int, Figures]:
    found = {}
    for size in sizes:
        with tempfile.TemporaryDirectory(prefix="palimpsest-benchmark-", ignore_cleanup_errors=True) as folder:
            began = time.perf_counter()
            fill = fill_passages if kind == "passages" else fill_people
            asyncio.run(fill(made, size, Path(folder)))
            found[size] = probed(kind, Path(folder)) | {"fill_s": time.perf_counter() - began}
        told = ", ".join(f"{name} {value:.1f}" for name, value in found[size].items())
        print(f"{kind} {size:,}: {told}", flush=True)
    return found


def workers(file_seconds: float) -> dict[int, dict[int, float]]:
    """Returns files per second, by the number of cores and then by the number of workers."""
    return {
        cores: {count: files_a_second(count, file_seconds, cores, ENDPOINT) for count in WORKERS} for cores in CORES
    }


def panels(found: dict[str, dict[int, Figures]], work: dict[int, dict[int, float]]) -> list[Panel]:
    kept, asked, people = ("truth_mb", "index_mb", "memory_mb"), ("dense", "lexical", "read"), found["people"]
    return [
        Panel("Passages: megabytes", "passages", [_curve(found["passages"], name) for name in kept]),
        Panel("Passages: ms, p95", "passages", [_curve(found["passages"], f"{name}_p95_ms") for name in asked]),
        Panel(
            "People: megabytes", "people", [_curve(people, name) for name in ("truth_mb", "threads_mb", "memory_mb")]
        ),
        Panel(
            "Files a second (calculated)",
            "workers",
            [Curve(f"{cores} cores", list(each), list(each.values())) for cores, each in work.items()],
        ),
    ]


def _curve(found: dict[int, Figures], name: str) -> Curve:
    said = name.removesuffix("_mb").removesuffix("_p95_ms")
    return Curve(said, list(found), [each[name] for each in found.values()])


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--passages", type=int, nargs="+", default=[1_000, 10_000, 100_000])
    parser.add_argument("--people", type=int, nargs="+", default=[10, 100, 1_000])
    parser.add_argument("--json", type=Path, help="write the figures to this file")
    parser.add_argument("--draw", type=Path, help="draw the curves as SVG")
    parser.add_argument("--probe", nargs=2, metavar=("KIND", "FOLDER"), help=argparse.SUPPRESS)
    given = parser.parse_args(arguments)
    if given.probe:
        kind, folder = given.probe
        print(json.dumps(asyncio.run((probe_passages if kind == "passages" else probe_people)(Path(folder)))))
        return 0
    with tempfile.TemporaryDirectory(prefix="palimpsest-benchmark-", ignore_cleanup_errors=True) as folder:
        made = asyncio.run(template(Path(folder)))
    print(f"{len(made.passages)} passages, {len(made.threads)} threads; {made.file_seconds:.3f} processor s a file")
    found = {"passages": measured(made, "passages", given.passages), "people": measured(made, "people", given.people)}
    work = workers(made.file_seconds)
    for cores, each in work.items():
        print(f"{cores} cores: " + ", ".join(f"{count} workers {rate:.1f}/s" for count, rate in each.items()))
    if given.json:
        told = {**found, "workers": work, "file_seconds": made.file_seconds}
        given.json.write_text(json.dumps(told, indent=1), encoding="utf-8")
    if given.draw:
        given.draw.write_text(drawn(panels(found, work)), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
