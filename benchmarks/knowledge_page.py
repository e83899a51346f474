"""Measures how soon the Knowledge page shows a large library: ``python -m benchmarks.knowledge_page [--chunks 52000]``.

The passages and their concepts are generated (drawn by Zipf's law) and written to the record store as reading would
write them, so quality is not measured. *Cold* is the first view after a start, *again* repeats that view, and *after a
write* is the view after one passage was added. The yardstick of the same run is reading the rows of all mentions from
the record store, without processing them.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

import numpy as np

from app import spare_collections
from benchmarks.report import Figure, Report
from core.knowledge.content_store import ContentStore, fingerprint
from core.knowledge.records import MENTIONS, ConceptRow, Mention, concept_id, mention_id
from core.memory.items.reading import ITEMS
from core.settings import Settings
from core.store.items import ItemSource, MemoryItem, Timestamps
from core.store.scope import ScopedTruth
from core.store.truth import Upsert
from core.store.typed_collection import pages, stored
from core.workbench import Workbench
from pages.auth import Identity
from pages.handlers.knowledge import Explorer, View

USER = "ada"
CONCEPTS = 30_000
NAMED, PAIRS = 9, 7
"""Number of concepts per passage, and number of pairs of concepts that are mentioned together."""
OF_DOCUMENT = 200
BATCH = 2_000
TIMES = 5
BUDGET = 2.5
"""Maximum seconds until the page shows the graph for the first time."""


def passage(number: int) -> MemoryItem:
    at = 1.7e9 + number
    return MemoryItem(
        id=f"mem_{number:032x}",
        user_id=USER,
        tier="books",
        source=ItemSource(type="document"),
        indexed=True,
        embedded=True,
        text=f"Passage {number} of a made-up document.",
        document_id=f"doc_{number // OF_DOCUMENT:032x}",
        timestamps=Timestamps(created_at=at, updated_at=at),
    )


def named(item: MemoryItem, chance: np.random.Generator) -> Mention:
    drawn = dict.fromkeys(int(each) for each in chance.zipf(1.15, NAMED) % CONCEPTS)
    ids = [concept_id(USER, f"made up {each}") for each in drawn]
    pairs = {(one, other) for one in range(len(ids)) for other in range(one + 1, len(ids))}
    return Mention(
        id=mention_id(USER, item.id),
        user_id=USER,
        item_id=item.id,
        tier=item.tier,
        document_id=item.document_id,
        fingerprint=fingerprint(item.text),
        seen=item.timestamps.updated_at,
        read_at=item.timestamps.updated_at,
        concepts=ids,
        pairs=sorted(pairs)[:PAIRS],
    )


async def fill(workbench: Workbench, chunks: int, chance: np.random.Generator) -> None:
    store = ContentStore(workbench.truth)
    items = ScopedTruth(workbench.truth, USER).collection(ITEMS)
    rows = [
        ConceptRow(
            id=concept_id(USER, f"made up {each}"),
            user_id=USER,
            keys=[f"made up {each}"],
            label=f"Made Up {each}",
            kind="term",
        )
        for each in range(CONCEPTS)
    ]
    for start in range(0, CONCEPTS, BATCH):
        await store.keep(USER, rows[start : start + BATCH], [])
    for start in range(0, chunks, BATCH):
        batch = [passage(number) for number in range(start, min(chunks, start + BATCH))]
        await items.bulk([Upsert(stored(each)) for each in batch])
        await store.keep(USER, [], [named(each, chance) for each in batch])


async def seconds(call: Callable[[], Awaitable[object]]) -> float:
    began = time.perf_counter()
    await call()
    return time.perf_counter() - began


async def read_rows(workbench: Workbench) -> None:
    async for _ in pages(ScopedTruth(workbench.truth, USER).collection(MENTIONS), 1_000):
        pass


async def measure(chunks: int, report: Report) -> None:
    chance = np.random.default_rng(7)
    with TemporaryDirectory(prefix="palimpsest-benchmark-", ignore_cleanup_errors=True) as folder:
        settings = Settings(_env_file=None, home=Path(folder), dense_enabled=False)  # type: ignore[call-arg]
        workbench = Workbench(settings)
        await workbench.start()
        await fill(workbench, chunks, chance)
        await workbench.stop()

        workbench = Workbench(settings)
        await workbench.start()
        spare_collections()
        page = Explorer(workbench, Identity(settings, workbench.accounts))
        yardstick = median([await seconds(lambda: read_rows(workbench)) for _ in range(3)])
        cold = await seconds(lambda: page.graph(USER, View()))
        again = median([await seconds(lambda: page.graph(USER, View())) for _ in range(TIMES)])
        written = []
        items = ScopedTruth(workbench.truth, USER).collection(ITEMS)
        for number in range(chunks, chunks + TIMES):
            item = passage(number)
            await items.bulk([Upsert(stored(item))])
            await ContentStore(workbench.truth).keep(USER, [], [named(item, chance)])
            written.append(await seconds(lambda: page.graph(USER, View())))
        await workbench.stop()
    for name, value in (("cold", cold), ("again", again), ("after a write", median(written))):
        told = f" (at most {BUDGET:g}: {'reached' if value <= BUDGET else 'NOT reached'})"
        against = f"{value / yardstick:.2f} times the rows of mentions"
        report.add(Figure(f"{chunks} passages: {name}, s{told}", against, value, yardstick, "reading the rows"))


def main(arguments: list[str] | None = None) -> int:
    """Runs the measurement and prints the figures."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.knowledge_page", description=__doc__.splitlines()[0])
    parser.add_argument("--chunks", type=int, default=52_000)
    given = parser.parse_args(arguments)
    report = Report("The Knowledge page over a large library")
    asyncio.run(measure(given.chunks, report))
    report.print()
    return 0


if __name__ == "__main__":
    sys.exit(main())
