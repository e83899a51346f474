"""What the truth says of an item's dense vector: which items wait for one, and that one has it."""

from __future__ import annotations

from core.memory.items.index_writer import vector_hash
from core.models.embeddings import EmbeddingIdentity
from core.store.items import EMBEDDED_ROLES, MemoryItem
from core.store.truth import Change, Filter, Update

WITHOUT_VECTOR: Filter = {
    "embedded": False,
    "status": "active",
    # Items from before there were roles have none.
    "source.book.role": {"$in": [*EMBEDDED_ROLES, None]},
}
"""Those that have none and want one, by ``MemoryItem.wants_vector``."""


def given_mark(item: MemoryItem, identity: EmbeddingIdentity) -> Update:
    """The mark that the vector is there, unless the item was indexed anew since it was read."""
    return Update(
        item.id,
        Change(
            set={
                "embedded": True,
                "embedding.model": identity.model,
                "embedding.dims": identity.dimension,
                "embedding.vector_hash": vector_hash(item, identity.model),
            }
        ),
        where={"embedding.last_indexed_at": item.embedding.last_indexed_at, "indexed": True},
    )
