"""Memories that are stored in a data directory before its server starts."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import product
from pathlib import Path

from core.ids import new_id
from core.memory.items.making import item_of
from core.memory.items.records import BANK_TAGS, NewMemory
from core.settings import Settings
from core.store.items import MemoryItem
from core.workbench import Workbench

DAY = 86_400.0

ENGLISH = (
    ("pump", "archive", "contract", "warehouse", "ferry", "laboratory", "choir", "orchard", "printer", "bakery"),
    ("Haifa", "Acre", "Nahariya", "Eilat", "Tiberias", "Lisbon", "Bergen", "Kyoto", "Dublin", "Porto"),
    (
        "is looked after by Miriam",
        "closes on Mondays",
        "needs a second key",
        "moved in spring",
        "is insured by Northwind",
    ),
)
HEBREW = (
    ("המשאבה", "הארכיון", "החוזה", "המחסן", "המעבורת", "המעבדה", "המקהלה", "הפרדס", "המדפסת", "המאפייה"),
    ("בחיפה", "בעכו", "בנהרייה", "באילת", "בטבריה", "בליסבון", "בברגן", "בקיוטו", "בדבלין", "בפורטו"),
    ("בטיפולה של מרים", "אינם פועלים ביום שני", "דורשים מפתח נוסף", "עברו באביב", "מבוטחים בנורתווינד"),
)


def entries() -> list[MemoryItem]:
    """A thousand entries of the memory bank, each on a different subject, half of them Hebrew."""
    english = [f"The {what} in {where} {how}." for what, where, how in product(*ENGLISH)]
    hebrew = [f"{what} {where} {how}." for what, where, how in product(*HEBREW)]
    texts = [text for pair in zip(english, hebrew, strict=True) for text in pair]
    return [
        remembered(text, tier="memory_bank", tags=[BANK_TAGS[number % len(BANK_TAGS)]])
        for number, text in enumerate(texts)
    ]


def remembered(text: str, *, score: float = 0.5, uses: int = 0, days: float = 0.0, **given: object) -> MemoryItem:
    """Makes a memory item, ``days`` old, for the only user of a workbench without login."""
    new = NewMemory.model_validate({"tier": "working", "text": text, **given})
    item = item_of("local", new_id("mem"), new, time.time() - days * DAY, Settings().memory)
    item.stats.score, item.stats.uses = score, uses
    item.stats.last_outcome = "worked" if uses and score >= 0.5 else "failed" if uses else None
    return item


def keep(home: Path, items: Sequence[MemoryItem]) -> None:
    """Stores memories in a data directory. Uses another thread, because the browser's event loop runs in this one."""

    async def store() -> None:
        workbench = Workbench(Settings(_env_file=None, home=home, dense_enabled=False))  # type: ignore[call-arg]
        await workbench.start()
        try:
            await workbench.retrieval.items.add("local", items)
        finally:
            await workbench.stop()

    with ThreadPoolExecutor(1) as apart:
        apart.submit(asyncio.run, store()).result()
