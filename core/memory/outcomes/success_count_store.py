"""Tallies in the truth: read, told, written, unless another was quicker."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

from core.memory.outcomes.success_counts import Example, SuccessCount
from core.store.items import Outcome
from core.store.scope import ScopedTruth
from core.store.truth import Collection, DuplicateError, Truth

ATTEMPTS = 8

T = TypeVar("T", bound=SuccessCount)


class SuccessCountStore(Generic[T]):
    def __init__(self, truth: Truth, name: str, kind: type[T]) -> None:
        self._truth = truth
        self._name = name
        self._kind = kind

    def of(self, user_id: str) -> Collection:
        return ScopedTruth(self._truth, user_id).collection(self._name)

    async def find(self, user_id: str, filter: dict[str, object]) -> list[T]:
        return [self._kind.model_validate(row) for row in await self.of(user_id).find(filter)]

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
            row = await self.of(user_id).get(fresh.id)
            tally = self._kind.model_validate(row) if row else fresh
            changed = change(tally).model_copy(update={"version": tally.version + 1})
            document = changed.model_dump(by_alias=True, mode="json")
            try:
                if row is None:
                    await self.of(user_id).insert_many([document])
                else:
                    await self.of(user_id).upsert(document, where={"version": tally.version})
                return
            except DuplicateError:
                if attempt == ATTEMPTS - 1:
                    raise
