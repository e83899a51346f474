"""Counts outcomes; each answer counts once, and its outcome can change later (docs/specification.md, "Outcomes")."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, Self, TypeVar

from pydantic import BaseModel, Field

from core.memory.items.records import Record
from core.memory.outcomes.scoring import PARTIAL, wilson
from core.store.items import Outcome
from core.store.truth import DuplicateError, Truth
from core.store.typed_collection import TypedCollection, records_of, stored

ATTEMPTS = 8
"""Number of attempts to update a count when other writers change it at the same time."""
EXAMPLES = 64
"""How many of the latest answers are stored with a count, so that their outcomes can still be subtracted."""


class Example(BaseModel):
    """The last outcome counted for an answer, with its origin."""

    answer_id: str
    outcome: Outcome
    at: float
    question: str = ""
    conversation_id: str | None = None
    document_ids: list[str] = []


class SuccessCount(Record):
    """A count of outcomes; ``success_rate`` is worked / (worked + failed), or one half if both are zero."""

    worked: int = 0
    failed: int = 0
    partial: int = 0
    unknown: int = 0
    last_used_at: float = 0.0
    examples: list[Example] = Field(default_factory=list)

    @property
    def uses(self) -> int:
        return self.worked + self.failed + self.partial

    @property
    def success_rate(self) -> float:
        decided = self.worked + self.failed
        return self.worked / decided if decided else 0.5

    @property
    def effectiveness(self) -> float:
        """The success rate, with *partial* counted as one half."""
        return (self.worked + PARTIAL * self.partial) / self.uses if self.uses else 0.5

    @property
    def wilson_score(self) -> float:
        return wilson(self.worked, self.worked + self.failed)

    def with_example(self, example: Example, learned: Outcome | None = None) -> Self:
        """The count with an answer's outcome added, and that answer's earlier outcome subtracted.

        ``learned`` is the answer's earlier outcome, used if its example is no longer stored.
        """
        kept_back = [each.outcome for each in self.examples if each.answer_id == example.answer_id]
        forgotten = [learned] if learned and len(self.examples) >= EXAMPLES else []
        counts = {name: getattr(self, name) for name in ("worked", "failed", "partial", "unknown")}
        for outcome in kept_back or forgotten:
            counts[outcome] = max(0, counts[outcome] - 1)
        counts[example.outcome] += 1
        others = [each for each in self.examples if each.answer_id != example.answer_id]
        kept = sorted([*others, example], key=lambda each: (each.at, each.answer_id))[-EXAMPLES:]
        update = {**counts, "examples": kept, "last_used_at": max(self.last_used_at, example.at)}
        return self.model_copy(update=update)


T = TypeVar("T", bound=SuccessCount)


class SuccessCountStore(Generic[T]):
    """Stores counts in the record store; an update is repeated if another writer changed the count first."""

    def __init__(self, truth: Truth, name: str, kind: type[T]) -> None:
        self._truth = truth
        self._name = name
        self._kind = kind

    def of(self, user_id: str) -> TypedCollection[T]:
        return records_of(self._truth, user_id, self._name, self._kind)

    async def tell(self, user_id: str, fresh: T, example: Example, learned: Outcome | None = None) -> None:
        """Update the count that has the id of ``fresh``; if there is none yet, ``fresh`` is stored.

        ``learned`` is the answer's outcome that was counted earlier.

        Raises:
            DuplicateError: other writers changed the count first in all attempts.
        """
        await self.change(user_id, fresh, lambda tally: tally.with_example(example, learned))

    async def change(self, user_id: str, fresh: T, change: Callable[[T], T]) -> None:
        """Update one count. Raises ``DuplicateError`` when other writers changed it first in all attempts."""
        for attempt in range(ATTEMPTS):
            known = await self.of(user_id).get(fresh.id)
            tally = known or fresh
            changed = change(tally).model_copy(update={"version": tally.version + 1})
            try:
                if known is None:
                    await self.of(user_id).insert(changed)
                else:
                    await self.of(user_id).rows.upsert(stored(changed), where={"version": tally.version})
                return
            except DuplicateError:
                if attempt == ATTEMPTS - 1:
                    raise
