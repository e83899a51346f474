"""What became of a document that is gone: an answer that cites it goes on saying so after its entry was removed."""

from __future__ import annotations

from pydantic import BaseModel

from core.library.catalogue import Catalogue
from core.library.records import Document
from core.store.scope import ScopedTruth
from core.store.truth import Collection, Sorted, Truth

DEPARTURES = "departures"
_LONGEST_CHAIN = 20


class Departure(BaseModel):
    """``at`` is when it was deleted or replaced; ``replaced_by`` the newest version that is still there."""

    at: float | None = None
    replaced_by: str | None = None


class Departures:
    """Every method is bound to the user it is called for."""

    def __init__(self, truth: Truth, catalogue: Catalogue) -> None:
        self._truth = truth
        self._catalogue = catalogue

    async def ensure(self) -> None:
        await self._truth.collection(DEPARTURES).ensure(sort=[Sorted(("user_id",))])

    async def note(self, document: Document) -> None:
        """Before its entry is removed for good."""
        successor = await self._catalogue.successor(document.user_id, document.id)
        left = Departure(at=document.updated_at, replaced_by=successor.id if successor else None)
        await self._of(document.user_id).upsert({"_id": document.id, **left.model_dump(mode="json")})

    async def of(self, user_id: str, document_id: str) -> Departure | None:
        """``None`` for a document that is still there."""
        document = await self._catalogue.find(user_id, document_id)
        if document is not None and document.state != "deleted":
            return None
        left = await self._left(user_id, document_id)
        return Departure(at=left.at, replaced_by=await self._newest(user_id, left))

    async def _newest(self, user_id: str, left: Departure) -> str | None:
        for _ in range(_LONGEST_CHAIN):
            if left.replaced_by is None:
                return None
            document = await self._catalogue.find(user_id, left.replaced_by)
            if document is not None and document.state != "deleted":
                return document.id
            left = await self._left(user_id, left.replaced_by)
        return None

    async def _left(self, user_id: str, document_id: str) -> Departure:
        """When it left and what took its place, by its entry while there is one, else by what was noted."""
        document = await self._catalogue.find(user_id, document_id)
        if document is not None:
            successor = await self._catalogue.successor(user_id, document_id)
            return Departure(at=document.updated_at, replaced_by=successor.id if successor else None)
        row = await self._of(user_id).get(document_id)
        return Departure.model_validate(row) if row else Departure()

    def _of(self, user_id: str) -> Collection:
        return ScopedTruth(self._truth, user_id).collection(DEPARTURES)
