"""Stores corrections, one for each question of a user."""

from __future__ import annotations

from core.ids import id_of
from core.language.normalisation import fold
from core.memory.corrections.records import Correction
from core.store.truth import Sorted, Truth
from core.store.typed_collection import TypedCollection, records_of

CORRECTIONS = "memory_corrections"
MOST_COMPARED = 1_000
"""Maximum number of a user's newest corrections that a question is compared with."""


class Corrections:
    def __init__(self, truth: Truth) -> None:
        self._truth = truth

    async def ensure(self) -> None:
        await self._truth.collection(CORRECTIONS).ensure(sort=[Sorted(("user_id", "created_at"))])

    async def put(self, correction: Correction) -> None:
        """Store a correction; it replaces earlier ones for the same question."""
        rows = self._of(correction.user_id)
        for earlier in await self.newest(correction.user_id):
            if earlier.id != correction.id and wording(earlier.question) == wording(correction.question):
                await rows.rows.delete({"_id": earlier.id})
        await rows.put(correction)

    async def of_answer(self, user_id: str, answer_id: str) -> Correction | None:
        return await self._of(user_id).get(correction_id(answer_id))

    async def newest(self, user_id: str) -> list[Correction]:
        """The user's corrections, the newest first."""
        return await self._of(user_id).find(sort=[("created_at", -1)], limit=MOST_COMPARED)

    async def remove(self, user_id: str, answer_id: str) -> bool:
        """Delete the correction of an answer; returns whether there was one."""
        return await self._of(user_id).rows.delete({"_id": correction_id(answer_id)}) > 0

    async def pinned(self) -> list[Correction]:
        """All users' corrections with a pin (maintenance)."""
        return await records_of(self._truth, None, CORRECTIONS, Correction).find({"pin": {"$ne": None}})

    def _of(self, user_id: str) -> TypedCollection[Correction]:
        return records_of(self._truth, user_id, CORRECTIONS, Correction)


def correction_id(answer_id: str) -> str:
    return id_of("corr", answer_id)


def wording(question: str) -> str:
    """A question as it is compared: folded, without spaces and marks at its ends."""
    return " ".join(fold(question).split()).strip(" ?!.\"'")
