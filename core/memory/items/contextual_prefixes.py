"""Changes the context prefix of passages that have no vector yet; the vector is then computed with the prefix."""

from __future__ import annotations

from collections.abc import Mapping

from core.memory.items.reading import ITEMS, PASSAGES
from core.memory.items.vector_marks import WITHOUT_VECTOR
from core.store.items import MemoryItem
from core.store.scope import ScopedTruth
from core.store.truth import Change, Filter, Truth, Update
from core.store.typed_collection import records_of

FIRST = 4
"""How many of a document's first passages are read to show its beginning."""


async def without_context(truth: Truth, user_id: str, document_id: str) -> list[MemoryItem]:
    """A document's passages that need a vector, have none, and have no model-written context yet."""
    return await _passages(truth, user_id, document_id, {**WITHOUT_VECTOR, "source.book.source_context": None})


async def first_passages(truth: Truth, user_id: str, document_id: str, count: int = FIRST) -> list[MemoryItem]:
    """A document's first visible passages, including those that need no vector."""
    return await _passages(truth, user_id, document_id, {"status": "active"}, count)


async def without_vector(truth: Truth, user_id: str, document_id: str) -> list[MemoryItem]:
    """A document's passages that need a vector and do not have one."""
    return await _passages(truth, user_id, document_id, WITHOUT_VECTOR)


async def _passages(
    truth: Truth, user_id: str, document_id: str, which: Filter, limit: int | None = None
) -> list[MemoryItem]:
    wanted = {**which, **PASSAGES, "document_id": document_id}
    return await records_of(truth, user_id, ITEMS, MemoryItem).find(wanted, sort=[("place.order", 1)], limit=limit)


async def give_prefixes(truth: Truth, user_id: str, prefixes: Mapping[str, str]) -> None:
    """Set new prefixes by item id. As in ``give_contexts``, an item that already has its vector keeps its prefix."""
    updates = [
        Update(item_id, Change(set={"embedding.prefix": prefix, "indexed": False}), where={"embedded": False})
        for item_id, prefix in prefixes.items()
    ]
    if updates:
        await ScopedTruth(truth, user_id).collection(ITEMS).bulk(updates)


async def give_contexts(truth: Truth, items: Mapping[str, MemoryItem], contexts: Mapping[str, str]) -> None:
    """Append ``contexts`` (by item id) to the prefixes of ``items``; an item that already has its vector stays
    unchanged.

    The items can still be found by keyword during this. The index stores each point's text hash, so each item is marked
    as not ``indexed`` and is written again before it can get its vector, also after a crash.
    """
    by_user: dict[str, list[Update]] = {}
    for item_id, context in contexts.items():
        item = items[item_id]
        prefix = f"{item.embedding.prefix} {context}".strip()
        change = Change(set={"embedding.prefix": prefix, "source.book.source_context": context, "indexed": False})
        by_user.setdefault(item.user_id, []).append(Update(item_id, change, where={"embedded": False}))
    for user_id, updates in by_user.items():
        await ScopedTruth(truth, user_id).collection(ITEMS).bulk(updates)
