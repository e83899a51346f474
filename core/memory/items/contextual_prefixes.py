"""Gives passages that wait for their vector another text before them, which the vector is then made with."""

from __future__ import annotations

from collections.abc import Mapping

from core.memory.items.reading import ITEMS, PASSAGES
from core.memory.items.vector_marks import WITHOUT_VECTOR
from core.store.items import MemoryItem
from core.store.scope import ScopedTruth
from core.store.truth import Change, Filter, Truth, Update
from core.store.typed_collection import records_of

FIRST = 4
"""Passages that may show how a document begins."""


async def without_context(truth: Truth, user_id: str, document_id: str) -> list[MemoryItem]:
    """Passages of a document that want a vector, have none, and of which no model has said where they stand."""
    return await _passages(truth, user_id, document_id, {**WITHOUT_VECTOR, "source.book.source_context": None})


async def first_passages(truth: Truth, user_id: str, document_id: str, count: int = FIRST) -> list[MemoryItem]:
    """The first visible passages of a document, those that want no vector included."""
    return await _passages(truth, user_id, document_id, {"status": "active"}, count)


async def without_vector(truth: Truth, user_id: str, document_id: str) -> list[MemoryItem]:
    """Passages of a document that want a vector and have none."""
    return await _passages(truth, user_id, document_id, WITHOUT_VECTOR)


async def _passages(
    truth: Truth, user_id: str, document_id: str, which: Filter, limit: int | None = None
) -> list[MemoryItem]:
    wanted = {**which, **PASSAGES, "document_id": document_id}
    return await records_of(truth, user_id, ITEMS, MemoryItem).find(wanted, sort=[("place.order", 1)], limit=limit)


async def give_prefixes(truth: Truth, user_id: str, prefixes: Mapping[str, str]) -> None:
    """Other prefixes by item id; as with ``give_contexts``, what has its vector keeps its own."""
    updates = [
        Update(item_id, Change(set={"embedding.prefix": prefix, "indexed": False}), where={"embedded": False})
        for item_id, prefix in prefixes.items()
    ]
    if updates:
        await ScopedTruth(truth, user_id).collection(ITEMS).bulk(updates)


async def give_contexts(truth: Truth, items: Mapping[str, MemoryItem], contexts: Mapping[str, str]) -> None:
    """Put ``contexts`` (by item id) behind the prefixes of ``items``; one that has its vector by now keeps what it has.

    They stay findable by words meanwhile. The index notes which text a point is of, so each is told anew: what is not
    ``indexed`` is put there again before it can get its vector, after a crash too.
    """
    by_user: dict[str, list[Update]] = {}
    for item_id, context in contexts.items():
        item = items[item_id]
        prefix = f"{item.embedding.prefix} {context}".strip()
        change = Change(set={"embedding.prefix": prefix, "source.book.source_context": context, "indexed": False})
        by_user.setdefault(item.user_id, []).append(Update(item_id, change, where={"embedded": False}))
    for user_id, updates in by_user.items():
        await ScopedTruth(truth, user_id).collection(ITEMS).bulk(updates)
