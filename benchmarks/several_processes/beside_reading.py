"""Measures how much longer a question takes while workers read many files, in alternating phases."""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass, field

import numpy as np

from benchmarks.report import Figure, Report
from benchmarks.several_processes.house import House, house
from benchmarks.several_processes.standing import Records
from benchmarks.several_processes.visitors import Visitor, accounts, visiting
from benchmarks.workers import page
from tests.interface.conftest import ROOT

ASKS = "ada"
"""The user who asks. This user's library is the same in all phases; the files belong to other users."""
MOST = 1.3
"""Maximum p95 while files are read, as a multiple of the p95 in phases without reading."""
SAMPLES = ("travel-and-expense-policy-2024.md", "incident-report-hadar-zone.html")
QUESTIONS = (
    "How soon must expenses be submitted?",
    "What is reimbursed for a night in a hotel?",
    "Who approves expenses above the limit?",
    "What happened in the Hadar zone?",
    "When was the incident reported?",
    "Which measures were taken after the incident?",
)
AT_ONCE = 8
"""Number of files that are sent at the same time."""
BATCH = 0.3
"""Seconds that the simulated endpoint takes for a batch of embeddings."""
PATIENCE = 3_600.0


@dataclass
class Waits:
    """Seconds of whole answers; questions asked after all files were read are counted in ``too_late`` and left out."""

    quiet: list[float] = field(default_factory=list)
    beside: list[float] = field(default_factory=list)
    too_late: int = 0


def report(waits: Waits, files: int) -> Report:
    made = Report(f"Questions while two workers read {files} files per phase")
    assert waits.beside, "all files were read before a question was answered: use more files"
    for share in (50, 95):
        quiet, beside = (float(np.percentile(each, share)) for each in (waits.quiet, waits.beside))
        floor = 1 / MOST if share == 95 else None
        made.add(Figure(f"p{share}", "seconds while files are read", beside, quiet, "quiet"))
        made.add(Figure(f"p{share}", f"quiet / busy (at least 1 / {MOST})", quiet / beside, floor=floor))
    made.add(Figure("asked", "quiet", len(waits.quiet)))
    made.add(Figure("asked", "while files are read", len(waits.beside)))
    made.add(Figure("asked", "asked too late, left out", waits.too_late))
    made.notes.append("Workers, servers and stand-ins share this machine's processors.")
    return made


async def _wait_for(records: Records, documents: int) -> None:
    ends = time.monotonic() + PATIENCE
    while await asyncio.to_thread(records.whole) < documents:
        assert time.monotonic() < ends, f"{records.whole()} of {documents} are whole"
        await asyncio.sleep(0.25)


async def _give(reader: Visitor, numbers: range) -> None:
    free = asyncio.Semaphore(AT_ONCE)

    async def give(number: int) -> None:
        async with free:
            await reader.add(f"page-{number:05d}.txt", page(number))

    await asyncio.gather(*(give(number) for number in numbers))


async def _ask(asker: Visitor, into: list[float]) -> None:
    for question in QUESTIONS:
        began = time.perf_counter()
        answer = await asker.call("ask", question=question)
        assert answer["outcome"] == "answered" or answer["interrupt"], answer
        into.append(time.perf_counter() - began)


async def _phases(several: House, files: int, rounds: int) -> Waits:
    waits = Waits()
    records = Records(several.shared.mongodb, several.shared.qdrant.url, several.database)
    async with visiting(_people(rounds), [several.servers[0].url]) as (asker, *readers):
        for name in SAMPLES:
            await asker.add(name, (ROOT / "sample_docs" / name).read_text(encoding="utf-8"))
        await _wait_for(records, len(SAMPLES))
        await _ask(asker, [])  # so that the initialisation at the first question is not measured
        for number, reader in enumerate(readers):
            await _ask(asker, waits.quiet)
            there = await asyncio.to_thread(records.whole)
            await _give(reader, range(number * files, (number + 1) * files))
            await _wait_for(records, there + 1)
            while len(waits.beside) < len(waits.quiet):
                asked: list[float] = []
                await _ask(asker, asked)
                if await asyncio.to_thread(records.whole) == there + files:
                    waits.too_late += len(asked)
                    break
                waits.beside += asked
            await _wait_for(records, there + files)
            print(f"{number + 1} of {rounds}: {len(waits.quiet)} quiet, {len(waits.beside)} beside", flush=True)
    records.close()
    return waits


def _people(rounds: int) -> list[str]:
    """Returns the user who asks, and those who add files in each round."""
    return [ASKS, *(f"reader{number}" for number in range(rounds))]


async def run(files: int, rounds: int) -> Report:
    """Runs a number of rounds; each has a phase without reading, and a phase in which files are read."""
    async with house(accounts(_people(rounds)), servers=1, batch=BATCH) as several:
        return report(await _phases(several, files, rounds), files)
