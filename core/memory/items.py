"""The one way in which items are written: truth, then index, then the mark that it is there [design 6].

Whatever a crash leaves behind is an item whose ``indexed`` or ``embedded`` is still false, and ``repair`` finishes it.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
from collections.abc import Sequence
from itertools import groupby

from core.clock import Clock
from core.ids import point_id
from core.language.terms import index_terms
from core.models.embeddings import Embeddings, Matrix
from core.search.lexical import AVERAGE_LENGTH, document_vector
from core.store.index import Index, Payload, Point, Vector, Where
from core.store.items import MemoryItem, Status
from core.store.scope import ScopedTruth
from core.store.truth import Change, Collection, Json, Sorted, Truth, Update, Upsert

log = logging.getLogger(__name__)

REPAIR_BATCH = 256
ITEMS = "items"


def vector_hash(item: MemoryItem, model: str) -> str:
    """Changes when anything changes that the vector depends on."""
    return hashlib.sha256(f"{model}\0{item.embedded_text}".encode()).hexdigest()


def payload_of(item: MemoryItem) -> Payload:
    """The fields that queries filter by [001 §5]."""
    return {
        "user_id": item.user_id,
        "tier": item.tier,
        "status": "active" if item.status == "pending" else item.status,
        "scope": item.scope,
        "document_id": item.document_id,
        "conversation_id": item.source.conversation_id,
        "tags": item.tags,
        "created_at": item.timestamps.created_at,
    }


def point_of(item: MemoryItem, dense: Vector | None = None) -> Point:
    """The copy of an item that the index keeps."""
    terms = index_terms(item.searched_text, item.language)
    lexical = document_vector(terms, AVERAGE_LENGTH[item.tier][item.language])
    return Point(id=point_id(item.id), payload=payload_of(item), lexical=lexical, dense=dense)


class MemoryItems:
    """Records and their write path; readers get items, never rows."""

    def __init__(self, truth: Truth, index: Index, embeddings: Embeddings | None, clock: Clock) -> None:
        self._truth = truth
        self._index = index
        self._embeddings = embeddings
        self._clock = clock

    async def ensure(self) -> None:
        await self._truth.collection(ITEMS).ensure(
            sort=[
                Sorted(("user_id", "tier", "status")),
                Sorted(("document_id", "place.order")),
                Sorted(("indexed",)),
            ]
        )

    # -- writing ---------------------------------------------------------------------------

    async def add(self, user_id: str, items: Sequence[MemoryItem]) -> None:
        """Store items and make them findable by text; adding the same ids again overwrites them."""
        fresh = [item.model_copy(update={"indexed": False, "embedded": False}) for item in items]
        await self._of(user_id).bulk([Upsert(_row(item)) for item in fresh])
        await self._index_items(fresh)

    async def _index_items(self, items: Sequence[MemoryItem]) -> None:
        points = await asyncio.to_thread(lambda: [point_of(item) for item in items])
        await self._index.upsert(points)
        now = self._clock()
        change = Change(set={"indexed": True, "embedded": False, "embedding.last_indexed_at": now})
        await self._truth.collection(ITEMS).bulk([Update(item.id, change) for item in items])

    async def embed_pending(self, user_id: str, document_id: str, limit: int) -> int:
        """Give up to ``limit`` passages of a document their dense vector; how many were written.

        Raises:
            PalimpsestError: the embedding model or the index is not to be had now.
        """
        if self._embeddings is None:
            return 0
        rows = await self._of(user_id).find(
            {"document_id": document_id, "embedded": False, "indexed": True, "status": "active"},
            sort=[("place.order", 1)],
            limit=limit,
        )
        items = [MemoryItem.model_validate(row) for row in rows]
        if not items:
            return 0
        vectors = await self._embeddings.embed_passages([item.embedded_text for item in items])
        await self._set_vectors(items, vectors)
        return len(items)

    async def _set_vectors(self, items: Sequence[MemoryItem], vectors: Matrix) -> None:
        identity = self._embeddings.identity if self._embeddings else None
        if identity is None:
            return
        await self._index.set_dense({point_id(item.id): vector for item, vector in zip(items, vectors, strict=True)})
        await self._truth.collection(ITEMS).bulk(
            [
                Update(
                    item.id,
                    Change(
                        set={
                            "embedded": True,
                            "embedding.model": identity.model,
                            "embedding.dims": identity.dimension,
                            "embedding.vector_hash": vector_hash(item, identity.model),
                        }
                    ),
                )
                for item in items
            ]
        )

    async def activate_document(self, user_id: str, document_id: str) -> None:
        """All passages of a document become visible in one step."""
        await self._set_status(user_id, document_id, "pending", "active")

    async def bury_document(self, user_id: str, document_id: str) -> None:
        """Gone for every reader at once; the index is told afterwards and need not hear it."""
        await self._set_status(user_id, document_id, "active", "deleted")
        await self._tell_index(user_id, document_id, "deleted")

    async def revive_document(self, user_id: str, document_id: str) -> None:
        """Undo ``bury_document``."""
        await self._set_status(user_id, document_id, "deleted", "active")
        await self._tell_index(user_id, document_id, "active")

    async def remove_document(self, user_id: str, document_id: str) -> None:
        """Remove the passages of a document for good."""
        await self._of(user_id).update_where({"document_id": document_id}, Change(set={"status": "deleted"}))
        try:
            await self._index.delete_where(Where(user_id, any_of={"document_id": [document_id]}))
        except Exception:
            log.warning("points of %s stay until the next repair", document_id, exc_info=True)
            return
        await self._of(user_id).delete({"document_id": document_id})

    # -- reading ---------------------------------------------------------------------------

    async def get(self, user_id: str, item_id: str) -> MemoryItem | None:
        row = await self._of(user_id).get(item_id)
        return MemoryItem.model_validate(row) if row else None

    async def load(self, user_id: str, ids: Sequence[str]) -> list[MemoryItem]:
        """The items with these ids that may be seen now; ghosts and half-stored ones are left out."""
        rows = await self._of(user_id).find({"_id": {"$in": list(ids)}, "status": "active"})
        return [MemoryItem.model_validate(row) for row in rows]

    async def of_document(self, user_id: str, document_id: str) -> list[MemoryItem]:
        """The visible passages of a document in reading order."""
        rows = await self._of(user_id).find({"document_id": document_id, "status": "active"}, sort=[("place.order", 1)])
        return [MemoryItem.model_validate(row) for row in rows]

    async def count_pending_vectors(self, user_id: str, document_id: str) -> int:
        return await self._of(user_id).count({"document_id": document_id, "embedded": False, "status": "active"})

    # -- repairing -------------------------------------------------------------------------

    async def repair(self) -> int:
        """Finish what a crash left half done, for all users (maintenance); how many items were touched."""
        repaired = 0
        everyone = self._truth.collection(ITEMS)
        while True:
            rows = await everyone.find({"indexed": False, "status": "active"}, limit=REPAIR_BATCH)
            if not rows:
                return repaired + await self._sweep(everyone)
            items = [MemoryItem.model_validate(row) for row in rows]
            await self._index_items(items)
            repaired += len(items)

    async def _sweep(self, everyone: Collection) -> int:
        """Items that belong to a document nobody knows any more."""
        rows = await everyone.find({"status": "deleted"}, fields=["user_id", "document_id"], limit=10_000)
        owners = sorted({(str(row["user_id"]), str(row["document_id"])) for row in rows if row.get("document_id")})
        swept = 0
        for user_id, documents in groupby(owners, key=lambda owner: owner[0]):
            known = ScopedTruth(self._truth, user_id).collection("documents")
            for _, document_id in documents:
                if await known.get(document_id) is None:
                    await self.remove_document(user_id, document_id)
                    swept += 1
        return swept

    async def _set_status(self, user_id: str, document_id: str, old: Status, new: Status) -> None:
        await self._of(user_id).update_where(
            {"document_id": document_id, "status": old},
            Change(set={"status": new, "timestamps.updated_at": self._clock()}),
        )

    async def _tell_index(self, user_id: str, document_id: str, status: Status) -> None:
        rows = await self._of(user_id).find({"document_id": document_id}, fields=["_id"])
        try:
            await self._index.set_payload([point_id(str(row["_id"])) for row in rows], {"status": status})
        except Exception:
            log.warning("the index was not told about %s", document_id, exc_info=True)

    def _of(self, user_id: str) -> Collection:
        return ScopedTruth(self._truth, user_id).collection(ITEMS)


def _row(item: MemoryItem) -> Json:
    return item.model_dump(by_alias=True, mode="json")
