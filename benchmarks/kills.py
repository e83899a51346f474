"""Kills the workbench at random moments of ten kinds of work. Confirmed work must not be lost, no work may be half
done, and the index must contain no entries without a record.

``.venv/bin/python -m benchmarks.kills --kills 200``. Each kill ends a working process like a power cut. The workbench
that is started afterwards must be complete. Texts are generated here. Vectors are computed from letters, and files are
read in the process that is killed.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import shutil
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from core.memory.items.records import NewMemory
from core.store.index import Where
from core.workbench import Workbench
from tests.faults.runner import USER, arrange, small_settings
from tests.servers.forked import forked
from tests.service.house import House, long_text

RECOVERY = 10.0
"""Seconds after which the next workbench must have recovered."""
LONGEST = 2.0
"""Maximum seconds of work before a kill."""
STARTING = 60.0
QUESTION = "How many cubic metres of water does reservoir 3 hold?"
SECTIONS = 6

Done = Callable[[str], None]
"""Called to confirm that something is done; from then on it must not be lost."""
Work = Callable[[House, int, Done], Awaitable[None]]


def text(number: int) -> str:
    return long_text(SECTIONS).replace("Reservoir", f"Basin {number} reservoir")


async def upload(house: House, number: int, done: Done) -> None:
    given = await house.give(f"upload-{number}.md", text(number), USER)
    done(f"document {given.document.id}")


async def reading(house: House, number: int, done: Done) -> None:
    document = await house.read(f"reading-{number}.md", text(number) * 3, USER)
    done(f"document {document.id}")


async def embedding(house: House, number: int, done: Done) -> None:
    await house.read(f"embedding-{number}.md", text(number), USER)
    await house.workbench.memory.settle()


async def delete(house: House, number: int, done: Done) -> None:
    document = await house.read(f"delete-{number}.md", text(number), USER)
    await house.workbench.library.delete(USER, document.id)
    done(f"deleted {document.id}")
    await house.workbench.library.upkeep.compact(-1)


async def replace(house: House, number: int, done: Done) -> None:
    given = await house.give("replaced.md", text(number), USER, choice="replace")
    done(f"document {given.document.id} unless replaced")
    await house.settled(given.document)


async def memory(house: House, number: int, done: Done) -> None:
    kept = await house.workbench.memory.store(
        USER, NewMemory(tier="working", text=f"Pump {number} is serviced in May.")
    )
    done(f"memory {kept.id}")


async def outcome(house: House, number: int, done: Done) -> None:
    answer = await house.ask(QUESTION, USER)
    await house.workbench.memory.record_outcome(USER, answer.asked.message_id, "worked")
    done(f"outcome {answer.asked.message_id}")


async def promotion(house: House, number: int, done: Done) -> None:
    await memory(house, number, done)
    await house.workbench.memory.promote_now(USER)


async def reindex(house: House, number: int, done: Done) -> None:
    await memory(house, number, done)
    await house.workbench.memory.reindex()


async def backup(house: House, number: int, done: Done) -> None:
    made, _ = await house.workbench.operations.backups.make(USER)
    done(f"backup {made.name}")
    await house.workbench.operations.backups.restore(made.name, USER, USER)


KINDS: dict[str, Work] = {
    work.__name__: work
    for work in (upload, reading, embedding, delete, replace, memory, outcome, promotion, reindex, backup)
}


def prepare(home: Path) -> None:
    """Creates a workbench with some content, from which every run starts."""
    arrange(setattr)

    async def fill() -> None:
        bench = Workbench(small_settings(home))
        await bench.start()
        house = House(bench, home / "uploads")
        await house.read("reservoirs.md", long_text(SECTIONS), USER)
        await memory(house, 0, lambda _: None)
        await bench.memory.settle()
        await bench.stop()

    asyncio.run(fill())


def work(home: Path, kind: str, journal: Path) -> None:
    """Repeats one kind of work until this process is killed."""
    arrange(setattr)

    async def endless() -> None:
        bench = Workbench(small_settings(home))
        await bench.start()
        house = House(bench, home / "uploads")
        with journal.open("a", buffering=1) as told:

            def done(what: str) -> None:
                told.write(f"{what}\n")

            done("began")
            number = 1
            while True:
                await KINDS[kind](house, number, done)
                number += 1

    asyncio.run(endless())


@dataclass
class Verdict:
    """The result of one kill."""

    recovery: float = 0.0
    lost: list[str] = field(default_factory=list)
    half: list[str] = field(default_factory=list)
    ghosts: list[str] = field(default_factory=list)


async def look(home: Path, told: list[str]) -> Verdict:
    """Starts the workbench again and compares its contents with the confirmed work."""
    began, verdict = time.monotonic(), Verdict()
    bench = Workbench(small_settings(home))
    await bench.start()
    try:
        house = House(bench, home / "uploads")
        await _at_rest(house)
        verdict.recovery = time.monotonic() - began
        verdict.lost = [each for each in told if not await _kept(house, each)]
        for document in await bench.library.find(USER):
            rows = await house.items(USER, document.id)
            whole = document.state == "completed" and len(rows) == document.chunks == document.searchable
            if not whole and document.state != "failed":
                verdict.half.append(f"{document.filename} {document.state} {len(rows)}/{document.chunks}")
        report = await bench.memory.consistency_check(dry_run=True)
        if report.missing or report.texts or report.payload or report.vectors:
            verdict.half.append(str(report))
        verdict.ghosts = await _ghosts(house)
    finally:
        await bench.stop()
    return verdict


async def _at_rest(house: House) -> None:
    """Returns whether no job, run, pending index write (fields or vector) or half-finished deletion is left."""
    bench, ends = house.workbench, time.monotonic() + 60

    async def busy() -> bool:
        jobs = await bench.truth.collection("jobs").count({"state": {"$in": ["pending", "processing"]}})
        runs = await bench.truth.collection("runs").count({"state": "running"})
        waiting = await bench.truth.collection("items").count({"$or": [{"indexed": False}, {"synced": False}]})
        vectors = await bench.retrieval.items.pending_vectors(None, None, 1)
        return bool(jobs or runs or waiting or vectors or bench.operations.rebuilding.active)

    working = True
    while working and time.monotonic() < ends:
        working = await busy()
        await asyncio.sleep(0.02)


async def _kept(house: House, told: str) -> bool:
    what, _, rest = told.partition(" ")
    bench, name = house.workbench, rest.split(" ")[0]
    if what == "document":
        row = await bench.truth.collection("documents").get(name)
        return row is not None and (row["state"] in ("completed", "failed") or "unless" in rest)
    if what == "deleted":
        row = await bench.truth.collection("documents").get(name)
        return row is None or row["state"] == "deleted"
    if what == "memory":
        return await bench.retrieval.items.get(USER, name) is not None
    if what == "outcome":
        return bool(await bench.memory.outcome_events_of(USER, name))
    if what == "backup":
        return await bench.operations.backups.whose(name, None) == USER
    return what == "began"


async def _ghosts(house: House) -> list[str]:
    """Returns index points whose item was deleted or does not exist, and items whose document does not exist."""
    bench = house.workbench
    rows = await bench.truth.collection("items").find({"user_id": USER})
    there = {str(row["_id"]) for row in rows}
    points, _ = await bench.retrieval.index.scroll(Where(USER), 100_000)
    known = {str(row["_id"]) for row in await bench.truth.collection("documents").find()}
    orphans = [point.id for point in points if f"mem_{point.id.replace('-', '')}" not in there]
    return orphans + [str(row["_id"]) for row in rows if row["document_id"] and str(row["document_id"]) not in known]


def kill_once(template: Path, folder: Path, kind: str, seconds: float) -> Verdict:
    """Runs a workbench, kills it after ``seconds`` of work, starts it again and checks it."""
    home, journal = folder / "home", folder / "journal"
    shutil.copytree(template, home)
    journal.touch()
    process = forked(work, home, kind, journal)
    process.start()
    ends = time.monotonic() + STARTING
    while not journal.read_text() and process.is_alive() and time.monotonic() < ends:
        time.sleep(0.01)
    process.join(seconds)
    if process.pid is None or not process.is_alive():
        raise RuntimeError(f"{kind} ended by itself: {process.exitcode}")
    os.kill(process.pid, signal.SIGKILL)
    process.join()
    told = [line for line in journal.read_text().splitlines(keepends=True) if line.endswith("\n")]
    return asyncio.run(look(home, [line.strip() for line in told]))


def run(kills: int, seed: int) -> tuple[dict[str, list[Verdict]], Counter[str]]:
    """Runs all kills, alternating the kinds of work."""
    drawn, found = random.Random(seed), {kind: list[Verdict]() for kind in KINDS}
    faults: Counter[str] = Counter()
    with tempfile.TemporaryDirectory(prefix="palimpsest-kills-") as place, pytest.MonkeyPatch.context() as patched:
        arrange(patched.setattr)
        template = Path(place) / "template"
        process = forked(prepare, template)
        process.start()
        process.join()
        for number in range(kills):
            kind = list(KINDS)[number % len(KINDS)]
            folder = Path(place) / str(number)
            verdict = kill_once(template, folder, kind, drawn.uniform(0, LONGEST))
            shutil.rmtree(folder)
            found[kind].append(verdict)
            for name in ("lost", "half", "ghosts"):
                if told := getattr(verdict, name):
                    faults[name] += 1
                    print(f"{kind} #{number}: {name}: {told}", file=sys.stderr, flush=True)
    return found, faults


def main() -> int:
    """Runs all kills; returns 1 if a floor is not reached."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    found, faults = run(given.kills, given.seed)
    slowest = 0.0
    print(f"{'work':12} kills  lost  half  ghosts  slowest recovery")
    for kind, verdicts in found.items():
        slow = max((each.recovery for each in verdicts), default=0.0)
        slowest = max(slow, slowest)
        lost, half, ghosts = (
            sum(bool(getattr(each, name)) for each in verdicts) for name in ("lost", "half", "ghosts")
        )
        print(f"{kind:12} {len(verdicts):5} {lost:5} {half:5} {ghosts:7}  {slow:.1f} s")
    kept = not faults and slowest <= RECOVERY
    print(
        f"{'kept' if kept else 'BROKEN'}: 0 lost, 0 half, 0 ghosts, recovery within {RECOVERY:.0f} s ({slowest:.1f} s)"
    )
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main())
