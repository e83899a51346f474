"""Problem to solution: which memories solved a problem of the same signature."""

from __future__ import annotations

from core.memory.items.problem_signature import signature
from core.memory.items.records import OutcomeExample
from core.store.scope import ScopedTruth
from core.store.truth import Truth

LESSONS = "memory_lessons"


class Solutions:
    """Reads what outcomes have taught; writes nothing."""

    def __init__(self, truth: Truth) -> None:
        self._truth = truth

    async def known(self, user_id: str, question: str) -> set[str]:
        """Ids of the memories that worked for this very problem when it was asked last, and did not fail since."""
        signed = signature(question)
        if not signed:
            return set()
        rows = await ScopedTruth(self._truth, user_id).collection(LESSONS).find({"signature": signed}, sort=[("at", 1)])
        last = {lesson.memory_id: lesson.outcome for lesson in map(OutcomeExample.model_validate, rows)}
        return {memory_id for memory_id, outcome in last.items() if outcome == "worked"}
