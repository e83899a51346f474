"""Measures the stored figures of a library: the time of a lookup, their size, and whether random cells are found.

Either the files in a folder are read into a temporary library, or the library in an existing home is used; figures that
it lacks are written to it first, as the maintenance does.

    python -m benchmarks.stored_figures (--data FOLDER | --home FOLDER) [--user ada] [--seed 7] [--json FILE]

*Time*: each lookup is done once before it is measured; ``first`` is the first lookup of the process. *Size*: the blocks
and the index, compared with the original files. *Found*: cells with a row label and a period are drawn at random from
the tables themselves; a cell counts if it is among the best ten figures for its label, period and company. The exit
code is 1 if a goal is missed.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from benchmarks.report import Figure, Report
from benchmarks.temporary_workbench import open_workbench, upload
from core.figures.stored.records import FigureQuery
from core.library.contents import FIGURE_LABELS, FIGURES
from core.library.records import Document
from core.settings import Settings
from core.store.scope import ScopedTruth
from core.workbench import Workbench

LOOKUP_MS, SIZE = 50.0, 0.6
DRAWN, LEAST_FOUND = 40, 0.9
AMONG = 10
ROUNDS = 5
PATIENCE = 900.0
QUESTIONS = ("revenue", "net income", "total assets", "cash and cash equivalents", "operating income", "הכנסות")
READABLE = (".pdf", ".xlsx", ".csv", ".docx", ".html")


@dataclass(frozen=True)
class Drawn:
    """A cell drawn from a table, and the lookup that must find it."""

    query: FigureQuery
    document_id: str
    value: float


@asynccontextmanager
async def prepared(data: Path | None, home: Path | None, user_id: str) -> AsyncIterator[Workbench]:
    """Yields the workbench with the library."""
    if home is not None:
        workbench = Workbench(Settings(_env_file=None, home=home, dense_enabled=False), serves=False)
        await workbench.start()
        try:
            yield workbench
        finally:
            await workbench.stop()
        return
    async with open_workbench(dense=False) as workbench:
        with tempfile.TemporaryDirectory(prefix="palimpsest-figures-") as folder:
            for path in sorted(each for each in (data or Path()).iterdir() if each.suffix in READABLE):
                await upload(workbench, user_id, Path(shutil.copy(path, folder)))
        yield workbench


async def migrated(workbench: Workbench, user_id: str) -> list[Document]:
    """Waits until all documents have their figures; returns the documents."""
    ends = time.monotonic() + PATIENCE
    while time.monotonic() < ends:
        documents = [each for each in await workbench.library.find(user_id) if each.state == "completed"]
        stored = await ScopedTruth(workbench.truth, user_id).collection(FIGURE_LABELS).count()
        if documents and stored >= len(documents):
            return documents
        await asyncio.sleep(0.5)
    raise TimeoutError("the figures of some documents are still missing")


async def drawn(workbench: Workbench, user_id: str, documents: Sequence[Document], seed: int) -> list[Drawn]:
    """Draws cells from the tables of all documents."""
    found = []
    for document in sorted(documents, key=lambda each: each.filename):
        names = tuple(each.name for each in document.metadata.organisations[:1])
        for table in await workbench.library.tables(user_id, document.id):
            for row in table.rows:
                for column, cell in zip(table.columns, row.cells, strict=False):
                    if cell.value is not None and column.period and any(map(str.isalpha, row.label)):
                        query = FigureQuery(measure=row.label, entities=names, periods=(column.period,), limit=AMONG)
                        found.append(Drawn(query, document.id, cell.value))
    return random.Random(seed).sample(found, min(DRAWN, len(found)))


async def is_found(workbench: Workbench, user_id: str, cell: Drawn) -> bool:
    """Returns whether the best figures include the cell's value; another document may state the same figure."""
    matches = await workbench.figures.find(user_id, cell.query)
    return any(match.figure.value == cell.value for match in matches)


async def times(workbench: Workbench, user_id: str, queries: Sequence[FigureQuery]) -> list[float]:
    """Returns the milliseconds of each lookup, after one that is not measured."""
    taken = []
    for query in queries:
        await workbench.figures.find(user_id, query)
        for _ in range(ROUNDS):
            began = time.perf_counter()
            await workbench.figures.find(user_id, query)
            taken.append(1_000 * (time.perf_counter() - began))
    return taken


async def size(workbench: Workbench, user_id: str) -> int:
    """Returns the characters of all blocks and index entries."""
    own = ScopedTruth(workbench.truth, user_id)
    blocks = [len(str(row["block"])) for row in await own.collection(FIGURES).find()]
    return sum(blocks) + sum(len(str(row["labels"])) for row in await own.collection(FIGURE_LABELS).find())


async def measured(data: Path | None, home: Path | None, user_id: str, seed: int) -> Report:
    async with prepared(data, home, user_id) as workbench:
        began = time.perf_counter()
        documents = await migrated(workbench, user_id)
        waited = time.perf_counter() - began
        pages = sum(document.pages or 0 for document in documents)
        report = Report(f"Stored figures of {len(documents)} documents, {pages} pages")
        began = time.perf_counter()
        await workbench.figures.find(user_id, FigureQuery(measure=QUESTIONS[0]))
        first = 1_000 * (time.perf_counter() - began)
        cells = await drawn(workbench, user_id, documents, seed)
        found = [await is_found(workbench, user_id, cell) for cell in cells]
        queries = [*(FigureQuery(measure=text) for text in QUESTIONS), *(cell.query for cell in cells)]
        taken = sorted(await times(workbench, user_id, queries))
        share = await size(workbench, user_id) / sum(document.size for document in documents)
        report.add(Figure("lookup, ms", "median", statistics.median(taken), most=LOOKUP_MS))
        report.add(Figure("lookup, ms", "p95", taken[int(0.95 * (len(taken) - 1))], most=LOOKUP_MS))
        report.add(Figure("lookup, ms", "first of the process", first))
        report.add(Figure("size", "share of the originals", share, most=SIZE))
        report.add(Figure("found", f"of {len(cells)} random cells", sum(found) / len(cells), floor=LEAST_FOUND))
        report.add(Figure("migration", "seconds until all are stored", waited))
        missed = [cell.query for cell, there in zip(cells, found, strict=True) if not there]
        report.notes += [f"not found: {each.measure!r} {each.periods} {each.entities}" for each in missed]
        return report


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    source = parser.add_mutually_exclusive_group(required=True)
    source.add_argument("--data", type=Path)
    source.add_argument("--home", type=Path)
    parser.add_argument("--user", default="ada")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    return asyncio.run(measured(given.data, given.home, given.user, given.seed)).finish(given.json)


if __name__ == "__main__":
    sys.exit(main())
