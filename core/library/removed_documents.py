"""Records what happened to deleted documents, so that answers citing one can still say so later."""

from __future__ import annotations

from core.library.catalogue import Catalogue
from core.library.records import Document, RemovedDocument
from core.store.scope import ScopedTruth
from core.store.truth import Collection, Json, Sorted, Truth

DEPARTURES = "departures"
_LONGEST_CHAIN = 20


class RemovedDocuments:
    """Stores what happened to removed documents. Every method is limited to the given user's data."""

    def __init__(self, truth: Truth, catalogue: Catalogue) -> None:
        self._truth = truth
        self._catalogue = catalogue

    async def ensure(self) -> None:
        await self._truth.collection(DEPARTURES).ensure(sort=[Sorted(("user_id", "replaces"))])

    async def note(self, document: Document) -> None:
        """Record documents before their entries are permanently removed; the versions of a document may come in any
        order."""
        row: Json = {"_id": document.id, "at": document.updated_at, "replaces": document.replaces}
        await self._collection(document.user_id).upsert(row)

    async def of(self, user_id: str, document_id: str) -> RemovedDocument | None:
        """What happened to a removed document; ``None`` if it still exists."""
        document = await self._catalogue.find_readable(user_id, document_id)
        if document is not None and document.state != "deleted":
            return None
        row = {"at": document.updated_at} if document else await self._collection(user_id).get(document_id)
        noted = RemovedDocument.model_validate(row or {})
        return noted.model_copy(update={"replaced_by": await self._newest(user_id, document_id)})

    async def _newest(self, user_id: str, document_id: str) -> str | None:
        for _ in range(_LONGEST_CHAIN):
            successor = await self._catalogue.successor(user_id, document_id)
            if successor is not None and successor.state != "deleted":
                return successor.id
            noted = [] if successor else await self._collection(user_id).find({"replaces": document_id}, limit=1)
            if successor is None and not noted:
                return None
            document_id = successor.id if successor else str(noted[0]["_id"])
        return None

    def _collection(self, user_id: str) -> Collection:
        return ScopedTruth(self._truth, user_id).collection(DEPARTURES)
