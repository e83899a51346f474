"""Reads and sets the record store's marks for dense vectors: which items wait, which have one, which are unused."""

from __future__ import annotations

from collections.abc import Sequence

from core.ids import point_id
from core.memory.items.index_writer import vector_hash
from core.models.embedding_cache import CachedEmbeddings
from core.models.embeddings import EmbeddingIdentity, Embeddings
from core.store.index import Index, Vector
from core.store.items import EMBEDDED_ROLES, MemoryItem
from core.store.truth import Change, Collection, Filter, Json, Update

WITHOUT_VECTOR: Filter = {
    "embedded": False,
    "status": "active",
    # Items stored before the field for roles existed have no role.
    "source.book.role": {"$in": [*EMBEDDED_ROLES, None]},
}
"""Items without a vector that need one, by ``MemoryItem.wants_vector``."""
VECTOR_HASH = "embedding.vector_hash"


def given_mark(item: MemoryItem, identity: EmbeddingIdentity) -> Update:
    """The mark for an item whose vector has been written; it is not set if the item was indexed again since it was
    read."""
    known: Json = {"embedding.model": identity.model, "embedding.dims": identity.dimension}
    given = Change(set={"embedded": True, **known, VECTOR_HASH: vector_hash(item, identity.model)})
    return Update(item.id, given, {"embedding.last_indexed_at": item.embedding.last_indexed_at, "indexed": True})


async def served_vectors(index: Index, items: Sequence[MemoryItem], model: str) -> dict[str, Vector]:
    """Vectors in the index, by item id, that match the current texts of ``items`` and ``model``."""
    fitting = {
        point_id(item.id): item.id
        for item in items
        if item.embedded and item.embedding.vector_hash == vector_hash(item, model)
    }
    points = await index.retrieve(list(fitting), with_vectors=True)
    return {fitting[point.id]: point.dense for point in points if point.dense is not None}


async def forget_vectors(items: Collection, embeddings: Embeddings | None, gone: Sequence[MemoryItem]) -> None:
    """Delete the vectors of ``gone`` items from the cache, except for texts that another item also has. For
    maintenance: ``items`` must contain all users' items, because all users share the cache."""
    if not isinstance(embeddings, CachedEmbeddings):
        return
    texts = {vector_hash(each, embeddings.identity.model): each.embedded_text for each in gone}
    used = await items.count_by(VECTOR_HASH, {VECTOR_HASH: {"$in": list(texts)}})
    await embeddings.forget([text for key, text in texts.items() if key not in used])
