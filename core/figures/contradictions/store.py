"""Keeps contradictions in the record store: one compressed record for two documents, and which ones were compared."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Sequence

from pydantic import TypeAdapter

from core.figures.contradictions.records import Contradiction
from core.figures.stored.packed import compress, decompress
from core.library.contents import COMPARED, CONTRADICTIONS
from core.store import truth as stored
from core.store.scope import ScopedTruth
from core.store.truth import Json, Sorted, Truth

FORMAT = 1
"""Changes when documents are compared differently; they are then compared again."""
_PAIRS = TypeAdapter(list[Contradiction])


class ContradictionStore:
    """Stores and loads contradictions. Every method is limited to the given user's data."""

    def __init__(self, truth: Truth) -> None:
        self._truth = truth

    async def ensure(self) -> None:
        """Creates what is missing in the record store."""
        both = [Sorted(("user_id", "document_id")), Sorted(("user_id", "other_id"))]
        await self._truth.collection(CONTRADICTIONS).ensure(sort=both)
        await self._truth.collection(COMPARED).ensure(sort=[Sorted(("user_id", "document_id"))])

    async def put(self, user_id: str, document_id: str, found: Sequence[tuple[str, Sequence[Contradiction]]]) -> None:
        """Replaces all contradictions of a document; ``found`` has the id of each other document. That it was compared
        is written last."""
        rows = self._of(user_id, CONTRADICTIONS)
        await self.remove(user_id, document_id)
        for other_id, pairs in found:
            first, second = sorted((document_id, other_id))
            block = await asyncio.to_thread(_packed, pairs)
            row: Json = {"_id": f"{first}:{second}", "document_id": first, "other_id": second, "block": block}
            await rows.upsert(row)
        mark: Json = {"_id": document_id, "document_id": document_id, "format": FORMAT}
        await self._of(user_id, COMPARED).upsert(mark)

    async def remove(self, user_id: str, document_id: str) -> None:
        """Removes the contradictions of a document."""
        for name in ("document_id", "other_id"):
            await self._of(user_id, CONTRADICTIONS).delete({name: document_id})

    async def of_owner(self, user_id: str, visible: Collection[str]) -> list[Contradiction]:
        """Returns the contradictions between documents of this owner that are both ``visible``."""
        rows = [
            row
            for row in await self._of(user_id, CONTRADICTIONS).find()
            if row["document_id"] in visible and row["other_id"] in visible
        ]
        return await asyncio.to_thread(lambda: [pair for row in rows for pair in _unpacked(str(row["block"]))])

    async def compared(self) -> set[str]:
        """Across all users: the ids of the documents that were compared with others (maintenance)."""
        rows = await self._truth.collection(COMPARED).find({"format": FORMAT}, fields=["document_id"])
        return {str(row["document_id"]) for row in rows}

    def _of(self, user_id: str, name: str) -> stored.Collection:
        return ScopedTruth(self._truth, user_id).collection(name)


def _packed(pairs: Sequence[Contradiction]) -> str:
    return compress(_PAIRS.dump_json(list(pairs), exclude_defaults=True).decode())


def _unpacked(block: str) -> list[Contradiction]:
    return _PAIRS.validate_json(decompress(block))
