"""Stores lessons. A lesson is an answer's effective outcome for one memory that the answer used."""

from __future__ import annotations

import base64
from collections import defaultdict
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from core.ids import id_of
from core.memory.items.problem_signature import signature
from core.memory.items.records import AnswerRecord, OutcomeEvent, OutcomeExample
from core.store.truth import Delete, Sorted, Truth, Upsert, Write
from core.store.typed_collection import TypedCollection, records_of, stored

LESSONS = "memory_lessons"


class OutcomeExamples:
    def __init__(self, truth: Truth) -> None:
        self._truth = truth

    async def ensure(self) -> None:
        await self._truth.collection(LESSONS).ensure(
            sort=[Sorted(("user_id", "memory_id", "at")), Sorted(("user_id", "signature")), Sorted(("answer_id",))]
        )

    async def put(self, user_id: str, taught: Sequence[OutcomeExample], withdrawn: Sequence[str] = ()) -> None:
        """Write lessons; each replaces the one for the same answer and memory. Lessons with ids in ``withdrawn`` are
        deleted."""
        writes: list[Write] = [Upsert(stored(each)) for each in taught]
        writes += [Delete(each) for each in withdrawn]
        if writes:
            await self._of(user_id).rows.bulk(writes)

    async def of_memories(self, user_id: str, memory_ids: Sequence[str]) -> dict[str, list[OutcomeExample]]:
        """The lessons of each memory that has any, in order of time."""
        found: dict[str, list[OutcomeExample]] = defaultdict(list)
        for lesson in await self._of(user_id).find({"memory_id": {"$in": list(memory_ids)}}, sort=[("at", 1)]):
            found[lesson.memory_id].append(lesson)
        return dict(found)

    async def solved(self, user_id: str, question: str) -> set[str]:
        """Ids of memories that worked when the same problem was last asked about, and have not failed since."""
        signed = signature(question)
        if not signed:
            return set()
        lessons = await self._of(user_id).find({"signature": signed}, sort=[("at", 1)])
        last = {lesson.memory_id: lesson.outcome for lesson in lessons}
        return {memory_id for memory_id, outcome in last.items() if outcome == "worked"}

    async def of_answer(self, user_id: str, answer_id: str) -> list[OutcomeExample]:
        return await self._of(user_id).find({"answer_id": answer_id})

    def _of(self, user_id: str) -> TypedCollection[OutcomeExample]:
        return records_of(self._truth, user_id, LESSONS, OutcomeExample)


def outcome_example(
    answer: AnswerRecord,
    memory_id: str,
    event: OutcomeEvent,
    vector: str | None,
    *,
    direct: bool = False,
) -> OutcomeExample:
    """The lesson from ``event`` for one memory; its id is derived from the answer and the memory."""
    return OutcomeExample(
        id=id_of("less", answer.id, memory_id),
        user_id=answer.user_id,
        answer_id=answer.id,
        memory_id=memory_id,
        question=answer.question,
        outcome=event.outcome,
        authority=event.authority,
        at=event.timestamp,
        vector=vector,
        direct=direct,
        why=event.why,
    )


def packed(vector: NDArray[np.float32]) -> str:
    """A vector as float16 in base64; cosines change by less than 1e-3."""
    return base64.b64encode(vector.astype("<f2").tobytes()).decode("ascii")


def unpacked(text: str) -> NDArray[np.float32]:
    """The unpacked vector: shape (dimension,), unit length."""
    vector = np.frombuffer(base64.b64decode(text), dtype="<f2").astype(np.float32)
    unit: NDArray[np.float32] = vector / max(float(np.linalg.norm(vector)), 1e-9)
    return unit
