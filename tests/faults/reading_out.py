"""A workbench that dies, as in a power cut, while findings are extracted from a book."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

from core.library.catalogue import Catalogue
from core.library.contextual.cache import ContextCache
from core.memory.items.writing import MemoryItems
from core.runs.jobs import JobQueue
from core.runs.ledger import RunLedger
from core.setting_groups import BookIntelligence, ModelMetadata, Prefix
from core.store.edge import EdgeIndex
from core.workbench import Workbench
from tests.faults.runner import NOT_KILLED, SECONDS, USER, Moment, arm, arrange, small_settings
from tests.service.house import House, until

PARTS = BookIntelligence(part_tokens=500)
MOMENTS: dict[str, Moment] = {
    "the run has begun": Moment(RunLedger, "start"),
    "the job is named": Moment(Catalogue, "change"),
    "the job waits": Moment(JobQueue, "submit"),
    "the first answer was heard": Moment(ContextCache, "remember_answer"),
    "the first findings are to be stored": Moment(MemoryItems, "add", "before"),
    "truth is ahead of the index": Moment(EdgeIndex, "upsert", "before"),
    "the first findings are stored and nobody sees them": Moment(MemoryItems, "activate_document", "before"),
    "the first findings are seen": Moment(MemoryItems, "activate_document"),
    "the second answer was heard": Moment(ContextCache, "remember_answer", "after", 2),
    "the end is said and not recorded": Moment(RunLedger, "end", "before"),
    "the end is recorded": Moment(RunLedger, "end"),
    "the document is to be buried": Moment(MemoryItems, "bury_document", "before", deleting=True),
}


def book() -> str:
    return "\n\n".join(
        f"# Reservoir {n}\n\nThe keeper of reservoir {n} must measure its water when the moon is new. The gauge of "
        f"reservoir {n} shows {n * 37} litres less at any other time of the month than it does on that day."
        for n in range(30)
    )


def model(url: str) -> dict[str, object]:
    return {
        "model": "openai:m",
        "model_base_url": url,
        "books": PARTS,
        "prefix": Prefix(enabled=False),
        "metadata": ModelMetadata(enabled=False),
    }


def read_out(home: Path, name: str, url: str) -> None:
    """Extracts findings from a document until the process dies at the given moment."""
    arrange(setattr)
    asyncio.run(asyncio.wait_for(_read_out(home, MOMENTS[name], url), SECONDS))
    os._exit(NOT_KILLED)


async def _read_out(home: Path, moment: Moment, url: str) -> None:
    bench = Workbench(small_settings(home).model_copy(update=model(url)))
    await bench.start()
    house = House(bench, home / "uploads")
    document = await house.read("reservoirs.md", book(), USER)
    if moment.deleting:
        await bench.books.begin(USER, document.id)

        async def over() -> bool:
            return not await bench.books.under_way(USER)

        await until(over, "the end of reading it out")
    arm(moment)
    if moment.deleting:
        await bench.library.delete(USER, document.id)
    else:
        await bench.books.begin(USER, document.id)
    await asyncio.Event().wait()
