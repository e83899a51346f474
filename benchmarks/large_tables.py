"""Measures long tables next to pandas and DuckDB on the same rows, through the public calls of a workbench.

For 20,000 and 1,000,000 rows of ten columns: the seconds until the table is ready (typed, stored, findable by words)
next to ``pandas.read_csv``, the answer to a question through ``Workbench.ask`` (routing and drawing included) next to
``groupby`` and the bare query in DuckDB, and the growth of the process's memory. The tables are made with a fixed seed
if ``--data`` has none. Exits with 1 if a goal is missed.

    python -m benchmarks.large_tables --data FOLDER [--json FILE] [--rows 20000 1000000]
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import shutil
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from multiprocessing import get_context
from pathlib import Path

import psutil

from benchmarks.report import Figure, Report
from benchmarks.temporary_workbench import open_workbench, upload
from core.workbench import Workbench
from pages.run_view import RunView

ROWS = (20_000, 1_000_000)
USER = "ada"
QUESTION = "What is the total amount by region?"
OVER_QUERY, READY, READY_MILLION, ANSWER_MILLION, MEMORY = 0.3, 3.0, 60.0, 1.0, 300.0
"""Goals: an answer at most so many seconds over the bare query; ready at most so many seconds after ``read_csv``, or in
all for a million rows; answered in so many seconds; memory up by so many megabytes."""
ANSWERS = 5
FIRST = 50
_SYLLABLES = [consonant + vowel for consonant in "bdfgklmnprst" for vowel in "aio"]
HEADINGS = "Order,Date,Region,Product,Customer,Quantity,Price,Amount,Channel,Note"


def write_table(path: Path, rows: int) -> None:
    """Writes a table of orders, the same for the same number of rows."""
    chance = random.Random(rows)
    words = ["".join(chance.choices(_SYLLABLES, k=3)) for _ in range(2_000)]
    with path.open("w", encoding="utf-8") as file:
        file.write(HEADINGS + "\n")
        for number in range(1, rows + 1):
            quantity, price = chance.randint(1, 60), chance.randint(100, 9_999)
            region, product = chance.choice(("North", "South", "East", "West")), chance.choice(words[:40])
            day = f"2024-{chance.randint(1, 12):02d}-{chance.randint(1, 28):02d}"
            channel, customer = chance.choice(("Web", "Shop", "Phone")), " ".join(chance.choices(words, k=2))
            file.write(
                f"ORD-{number:07d},{day},{region},{product},{customer},{quantity},{price / 100:.2f},"
                f"{quantity * price / 100:.2f},{channel},{chance.choice(words)}\n"
            )


@dataclass
class _Memory:
    """The largest growth of this process's memory, in megabytes; its children are not counted."""

    peak: float = 0.0


@contextmanager
def measured_memory() -> Iterator[_Memory]:
    process, found, over = psutil.Process(), _Memory(), threading.Event()
    before = process.memory_info().rss

    def look() -> None:
        while not over.wait(0.05):
            found.peak = max(found.peak, (process.memory_info().rss - before) / 1e6)

    looking = threading.Thread(target=look)
    looking.start()
    try:
        yield found
    finally:
        over.set()
        looking.join()


def seconds_of(call: Callable[[], object], times: int = 1) -> float:
    """Returns the median duration of a call."""
    taken = []
    for _ in range(times):
        began = time.perf_counter()
        call()
        taken.append(time.perf_counter() - began)
    return statistics.median(taken)


def processor_seconds() -> float:
    """Returns the processor seconds of this process and its children that have ended."""
    return sum(os.times()[:4])


async def ask(workbench: Workbench, question: str) -> tuple[float, str]:
    """Returns the seconds of an answer, with its drawing, and the answer's HTML."""
    began = time.perf_counter()
    accepted = await workbench.ask(USER, question)
    entries = [entry async for entry in workbench.ledger.tail(USER, accepted.run_id)]
    view = RunView.of(accepted.run_id, accepted.message_id, entries)
    drawn = await asyncio.to_thread(view.html)
    return time.perf_counter() - began, drawn


@dataclass(frozen=True)
class Measured:
    """Figures of one table: seconds, and megabytes. ``processor``: seconds of this process and those that read.
    ``found``: whether a row is found by its code; ``right``: whether
    the answer has the sums."""

    ready: float
    processor: float
    answer: float
    memory: float
    found: bool
    right: bool


async def warm_up(workbench: Workbench, path: Path, folder: Path) -> None:
    """Asks once about the first rows of the table, since the first answer after a start loads templates and word
    lists, whatever the table."""
    short = folder / "first-rows.csv"
    with path.open(encoding="utf-8") as file:
        short.write_text("".join(islice(file, FIRST)), encoding="utf-8")
    document_id = await upload(workbench, USER, short)
    await ask(workbench, QUESTION)
    await workbench.library.delete(USER, document_id)


async def measured(path: Path, rows: int, sums: list[str]) -> Measured:
    """Reads a table in a new workbench, and asks about it."""
    async with open_workbench(dense=False) as workbench:
        with tempfile.TemporaryDirectory() as folder:
            await warm_up(workbench, path, Path(folder))
        with tempfile.TemporaryDirectory() as folder, measured_memory() as memory:
            copy = Path(shutil.copy(path, folder))
            began, used = time.perf_counter(), processor_seconds()
            await upload(workbench, USER, copy)
            ready, processor = time.perf_counter() - began, processor_seconds() - used
            code = f"ORD-{rows - 1:07d}"
            found = await workbench.retrieval.find_passages(USER, f"Tell me about {code}", "enhanced")
            answers = [await ask(workbench, QUESTION) for _ in range(ANSWERS)]
        seconds = statistics.median(taken for taken, _ in answers)
        has_row = any(code in passage.text for source in found.sources for passage in source.passages)
        return Measured(ready, processor, seconds, memory.peak, has_row, all(each in answers[-1][1] for each in sums))


@dataclass(frozen=True)
class Baselines:
    """Seconds of the same with pandas and DuckDB, and the sums."""

    read_csv: float
    group: float
    query: float
    sums: list[str]


def baselines(path: Path) -> Baselines:
    """Measures ``read_csv`` and ``groupby`` of pandas, and the query in DuckDB over a Parquet file of the same rows."""
    import duckdb
    import pandas

    reading = seconds_of(lambda: pandas.read_csv(path))
    frame = pandas.read_csv(path)
    group = seconds_of(lambda: frame.groupby("Region")["Amount"].sum(), ANSWERS)
    with tempfile.TemporaryDirectory() as folder, duckdb.connect() as database:
        parquet = Path(folder) / "rows.parquet"
        database.execute(f"COPY (SELECT * FROM read_csv('{path}')) TO '{parquet}'")
        sql = f"SELECT Region, sum(Amount) FROM read_parquet('{parquet}') GROUP BY Region"
        query = seconds_of(lambda: database.execute(sql).fetchall(), ANSWERS)
        sums = [f"{amount:,.2f}" for _, amount in database.execute(sql).fetchall()]
    return Baselines(reading, group, query, sums)


def baselines_apart(path: Path) -> Baselines:
    """Measures the baselines in a process of their own, so that their memory is not counted."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        return pool.submit(baselines, path).result()


def add(report: Report, rows: int, ours: Measured, theirs: Baselines) -> None:
    """Adds the figures of a table, each with its goal."""
    group, is_long = f"{rows:,} rows", rows >= ROWS[1]
    most_ready = READY_MILLION if is_long else theirs.read_csv + READY
    figures = [
        Figure(group, "ready (s)", ours.ready, theirs.read_csv, "read_csv", most=round(most_ready, 2)),
        Figure(group, "ready (processor s)", ours.processor),
        Figure(group, "over the bare query (s)", ours.answer - theirs.query, theirs.query, "DuckDB", most=OVER_QUERY),
        Figure(group, "row found by its code", float(ours.found), floor=1.0),
        Figure(group, "sums right", float(ours.right), floor=1.0),
        Figure(group, "answer (s)", ours.answer, theirs.group, "groupby", most=ANSWER_MILLION if is_long else None),
        Figure(group, "memory of the process (MB)", ours.memory, most=MEMORY if is_long else None),
    ]
    for figure in figures:
        report.add(figure)


def measure(folder: Path, sizes: list[int]) -> Report:
    """Measures tables of these sizes, made in ``folder`` if they are missing."""
    report = Report("Long tables: reading and answering, without a language model")
    folder.mkdir(parents=True, exist_ok=True)
    for rows in sizes:
        path = folder / f"orders-{rows}.csv"
        if not path.exists():
            write_table(path, rows)
        theirs = baselines_apart(path)
        add(report, rows, asyncio.run(measured(path, rows, theirs.sums)), theirs)
    return report


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder of the tables; they are made if missing")
    parser.add_argument("--json", type=Path, help="file for the figures")
    parser.add_argument("--rows", type=int, nargs="*", default=list(ROWS), help="numbers of rows")
    arguments = parser.parse_args()
    return measure(arguments.data, arguments.rows).finish(arguments.json)


if __name__ == "__main__":
    sys.exit(main())
