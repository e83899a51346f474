"""Stores statements from an external source as items whose ids derive from the source and the statement's key.

A source can be imported any number of times. Unchanged statements keep their outcomes and scores, changed statements
are written as new ones, and statements that the source no longer has are removed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from core.batches import batches
from core.clock import Clock
from core.ids import id_of
from core.memory.items.writing import MemoryItems
from core.store.items import MEMORY, ItemSource, MemoryItem, Timestamps

BATCH = 200


@dataclass
class TakenIn:
    """How many statements of an import are new, changed, unchanged, and removed."""

    added: int = 0
    changed: int = 0
    kept: int = 0
    removed: int = 0


async def take_in(items: MemoryItems, clock: Clock, user_id: str, source: str, texts: Mapping[str, str]) -> TakenIn:
    """Store the statements of ``source`` under the source's keys, and delete stored statements that the source no
    longer has."""
    known = {each.id: each for each in await items.find(user_id, {"tags": source})}
    wanted = {statement_id(user_id, source, key): text for key, text in texts.items()}
    now = clock()
    fresh = [_item(user_id, source, each, text, now) for each, text in wanted.items() if each not in known]
    changed = [
        _worded_anew(known[each], text, now)
        for each, text in wanted.items()
        if each in known and known[each].text != text
    ]
    for batch in batches(fresh, BATCH):
        await items.add(user_id, batch)
    for item in changed:
        await items.revise(item)
    gone = sorted(known.keys() - wanted.keys())
    await _remove(items, user_id, gone)
    return TakenIn(len(fresh), len(changed), len(wanted) - len(fresh) - len(changed), len(gone))


async def forget(items: MemoryItems, user_id: str, source: str) -> int:
    """Delete everything from ``source``; returns how many statements."""
    known = [each.id for each in await items.find(user_id, {"tags": source})]
    await _remove(items, user_id, known)
    return len(known)


def statement_id(user_id: str, source: str, key: str) -> str:
    return id_of("mem", user_id, source, key)


def _worded_anew(item: MemoryItem, text: str, now: float) -> MemoryItem:
    times = item.timestamps.model_copy(update={"updated_at": now})
    return item.model_copy(update={"text": text, "timestamps": times})


def _item(user_id: str, source: str, identifier: str, text: str, now: float) -> MemoryItem:
    return MemoryItem(
        id=identifier,
        user_id=user_id,
        tier="patterns",
        kind="fact",
        tags=[source],
        text=text,
        scope=MEMORY,
        source=ItemSource(type="tool"),
        timestamps=Timestamps(created_at=now, updated_at=now),
    )


async def _remove(items: MemoryItems, user_id: str, ids: Sequence[str]) -> None:
    for batch in batches(ids, BATCH):
        await items.remove(user_id, {"_id": {"$in": batch}})
