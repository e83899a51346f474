"""Tallies in the truth: read, told, written, unless another was quicker."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

from core.memory.outcomes.success_counts import Example, SuccessCount
from core.store.items import Outcome
from core.store.truth import DuplicateError, Truth
from core.store.typed_collection import TypedCollection, records_of, stored

ATTEMPTS = 8

T = TypeVar("T", bound=SuccessCount)


class SuccessCountStore(Generic[T]):
    def __init__(self, truth: Truth, name: str, kind: type[T]) -> None:
        self._truth = truth
        self._name = name
        self._kind = kind

    def of(self, user_id: str) -> TypedCollection[T]:
        return records_of(self._truth, user_id, self._name, self._kind)

    async def tell(self, user_id: str, fresh: T, example: Example, learned: Outcome | None = None) -> None:
        """Tell the tally with the id of ``fresh``, which is written when there is none yet.

        ``learned`` is the outcome of that answer that was told before.

        Raises:
            DuplicateError: others were quicker, again and again.
        """
        await self.change(user_id, fresh, lambda tally: tally.with_example(example, learned))

    async def change(self, user_id: str, fresh: T, change: Callable[[T], T]) -> None:
        """Raises ``DuplicateError`` when others were quicker, again and again."""
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
