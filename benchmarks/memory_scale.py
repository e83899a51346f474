"""Measures how the memory's speed changes as it grows.

    python -m benchmarks.memory_scale [--sizes 1000 10000 100000] [--homes FOLDER] [--json FILE]

A workbench runs on a temporary data directory; every figure measures the interface that the agent calls. The memories'
texts and vectors are synthetic (words drawn by Zipf's law, random unit vectors), so quality is not measured. The real
packaged model embeds the questions, and that time is part of a search. The baseline of a search embeds the same
question with the model and scans all vectors with numpy; ``ratio`` is the time of the search divided by the baseline's.
The wall time is what a user waits. ``processor_ratio`` compares processor time, which other work on the machine does
not affect; its goal is a median of at most ``MOST_TIMES``.
With ``--homes``, filled memories are kept in a folder for each size, and are reused in the next run.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import resource
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from app import spare_collections
from benchmarks.served import serving
from benchmarks.speed_section import Floor, Section, percentiles
from core.memory.items.records import NewMemory
from core.memory.outcomes.scoring import quality
from core.memory.recall.records import MemoryQuery
from core.models.embedding_cache import passage_key
from core.models.packaged import PackagedEmbeddings
from core.records.memory_meta import Tier
from core.setting_groups import Jobs
from core.settings import Settings
from core.workbench import Workbench

USER = "ada"
DIMENSION = 384
BATCH = 1_000
SEARCHES = 60
WRITES = 60
WORDS = 24
VOCABULARY = 20_000
SEED = 11
TIERS: tuple[Tier, ...] = ("working", "history", "history", "history", "patterns", "patterns")
MOST_TIMES = 2.5
BANK = 900
"""Number of items in the memory bank, which can hold a thousand."""


def texts(count: int, chance: np.random.Generator) -> list[str]:
    drawn = chance.zipf(1.2, (count, WORDS)) % VOCABULARY
    return [" ".join(f"word{number}" for number in row) for row in drawn]


def vectors(count: int, chance: np.random.Generator) -> NDArray[np.float32]:
    made = chance.standard_normal((count, DIMENSION), dtype=np.float32)
    made /= np.linalg.norm(made, axis=1, keepdims=True)
    return made


def made(place: int, text: str) -> NewMemory:
    tier: Tier = "memory_bank" if place < BANK else TIERS[place % len(TIERS)]
    if tier == "memory_bank":
        return NewMemory(tier=tier, text=text, summary=text[:40], tags=["context"], quality=quality(0.7, 0.7))
    conversation = f"conv_{place // 20:032x}"
    score = 0.3 + 0.1 * (place % 7)
    return NewMemory(tier=tier, kind="exchange", text=text, conversation_id=conversation, initial_score=score)


async def fill(workbench: Workbench, said: Sequence[str], dense: NDArray[np.float32]) -> None:
    """Stores each text as usual; its vector is already in the cache."""
    retrieval = workbench.retrieval
    assert retrieval.embeddings
    keys = [passage_key(retrieval.embeddings.identity, text) for text in said]
    for begin in range(0, len(said), BATCH):
        part = slice(begin, begin + BATCH)
        await retrieval.accept_vectors(dict(zip(keys[part], dense[part], strict=True)))
    for place, text in enumerate(said):
        await workbench.memory.store(USER, made(place, text))
    while True:
        if not await retrieval.items.pending_vectors(USER, None, 1):
            return
        await asyncio.sleep(0.1)


def size_of(folder: Path) -> int:
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())


def cold_start(home: Path) -> float:
    """Returns the seconds from starting a process on ``home`` until it answers; its files are in the operating system's
    cache."""
    began = time.perf_counter()
    with serving(home):
        return time.perf_counter() - began


async def timed(
    calls: Sequence[Callable[[], Awaitable[object]]], clock: Callable[[], float] = time.perf_counter
) -> list[float]:
    """Returns the milliseconds of each call, one after the other; the first call is a warm-up and is left out."""
    taken = []
    for call in calls:
        began = clock()
        await call()
        taken.append((clock() - began) * 1000)
    return taken[1:]


@contextmanager
def home_of(size: int, homes: Path | None) -> Iterator[Path]:
    if homes is None:
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
            yield Path(folder)
    else:
        yield homes / str(size)


async def measure(size: int, homes: Path | None) -> dict[str, float]:
    chance = np.random.default_rng(SEED)
    said, dense = texts(size, chance), vectors(size, chance)
    questions = [" ".join(chance.choice(text.split(), 6)) for text in chance.choice(said, SEARCHES + 1)]
    with home_of(size, homes) as folder:
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        # The memory's maintenance would begin during the measurement.
        settings = Settings(_env_file=None, home=folder, jobs=Jobs(upkeep_after=3600))  # type: ignore[call-arg]
        workbench = Workbench(settings)
        await workbench.start()
        spare_collections()
        try:
            if not any((await workbench.memory.stats(USER)).tiers.values()):
                await fill(workbench, said, dense)
            memory = workbench.memory
            model = PackagedEmbeddings()

            async def scan(question: str) -> None:
                scores = dense @ await model.embed_query(question)
                np.argpartition(-scores, 20)

            searches = await timed(
                [lambda q=q: memory.search(MemoryQuery(USER, q, limit=10, sort_by="relevance")) for q in questions]
            )
            scans = await timed([lambda q=f"{q} once more": scan(q) for q in questions])
            others = [" ".join(chance.choice(text.split(), 6)) for text in chance.choice(said, SEARCHES + 1)]
            asked = [MemoryQuery(USER, text, limit=10, sort_by="relevance") for text in others]
            spent = await timed([partial(memory.search, query) for query in asked], time.process_time)
            scanning = await timed([partial(scan, f"{text} once more") for text in others], time.process_time)
            insights = await timed([lambda q=q: memory.get_context_insights(USER, q) for q in questions])
            fresh = texts(WRITES + 1, chance)
            writes = await timed(
                [lambda t=t: memory.store(USER, NewMemory(tier="working", kind="exchange", text=t)) for t in fresh]
            )
            after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
            disk = await asyncio.to_thread(size_of, folder) / 1e6
        finally:
            await workbench.stop()
        start = await asyncio.to_thread(cold_start, folder)
    values = percentiles("search", searches) | percentiles("scan", scans)
    values |= percentiles("insights", insights) | percentiles("write", writes)
    values["search_p95_ratio"] = values["search_p95_ms"] / values["scan_p95_ms"]
    values["processor_ratio"] = float(np.median(spent) / np.median(scanning))
    return values | {"memory_mb": after, "memory_growth_mb": after - before, "disk_mb": disk, "cold_start_s": start}


def section(size: int, values: dict[str, float]) -> Section:
    """Returns the figures of one size. Goals are those of the specification for 10,000 memories; floors prevent that
    figures get worse."""
    goals = [
        Floor("write_p95_ms", 50.0),
        Floor("search_p95_ms", 150.0 if size <= 10_000 else 250.0),
        Floor("cold_start_s", 8.0),
    ]
    floors = [Floor("write_p95_ms", 200.0)]
    if size <= 10_000:
        goals += [Floor("insights_p95_ms", 10.0), Floor("processor_ratio", MOST_TIMES)]
        floors += [Floor("search_p95_ms", 600.0), Floor("insights_p95_ms", 40.0)]
    return Section(values, floors, f"{size:,} memories", goals)


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", type=int, nargs="+", default=[1_000, 10_000, 100_000])
    parser.add_argument("--homes", type=Path, help="keep the filled memories in this folder")
    parser.add_argument("--json", type=Path, help="write the figures to this file")
    options = parser.parse_args(arguments)
    sections = {size: section(size, asyncio.run(measure(size, options.homes))) for size in options.sizes}
    for made in sections.values():
        print(f"== {made.note}")
        for name, value in made.values.items():
            print(f"  {name:24} {value:10.2f}")
        for goal in made.goals:
            print(f"  goal: {goal.value} at most {goal.most:g}: {'reached' if made.holds(goal) else 'NOT reached'}")
        for floor in made.missed:
            print(f"  {floor.value} at most {floor.most:g}: MISSED")
    if options.json:
        options.json.write_text(json.dumps({size: made.values for size, made in sections.items()}, indent=1), "utf-8")
    return int(any(made.missed for made in sections.values()))


if __name__ == "__main__":
    sys.exit(main())
