"""What the truth says of an item's dense vector: which items wait for one, that one has it, whose is used no more."""

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
    # Items from before there were roles have none.
    "source.book.role": {"$in": [*EMBEDDED_ROLES, None]},
}
"""Those that have none and want one, by ``MemoryItem.wants_vector``."""
VECTOR_HASH = "embedding.vector_hash"


def given_mark(item: MemoryItem, identity: EmbeddingIdentity) -> Update:
    """The mark that the vector is there, unless the item was indexed anew since it was read."""
    known: Json = {"embedding.model": identity.model, "embedding.dims": identity.dimension}
    given = Change(set={"embedded": True, **known, VECTOR_HASH: vector_hash(item, identity.model)})
    return Update(item.id, given, {"embedding.last_indexed_at": item.embedding.last_indexed_at, "indexed": True})


async def served_vectors(index: Index, items: Sequence[MemoryItem], model: str) -> dict[str, Vector]:
    """By item id the vectors in the index that are of the present texts of ``items``, by this very ``model``."""
    fitting = {
        point_id(item.id): item.id
        for item in items
        if item.embedded and item.embedding.vector_hash == vector_hash(item, model)
    }
    points = await index.retrieve(list(fitting), with_vectors=True)
    return {fitting[point.id]: point.dense for point in points if point.dense is not None}


async def forget_vectors(items: Collection, embeddings: Embeddings | None, gone: Sequence[MemoryItem]) -> None:
    """Take the vectors of items that are ``gone`` out of the cache, but for texts that another item has (maintenance:
    ``items`` are everybody's, because the cache is)."""
    if not isinstance(embeddings, CachedEmbeddings):
        return
    texts = {vector_hash(each, embeddings.identity.model): each.embedded_text for each in gone}
    used = await items.count_by(VECTOR_HASH, {VECTOR_HASH: {"$in": list(texts)}})
    await embeddings.forget([text for key, text in texts.items() if key not in used])
