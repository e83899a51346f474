"""Questions before books: a call that nobody waits for is made when no question is being answered.

A server of one's own may answer one call at a time, so there a call is given up when a question comes, and made again
after it; anywhere else both go on side by side.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Collection
from typing import Protocol, TypeVar

T = TypeVar("T")

MOST_GIVEN_UP = 3
"""Times that one call is given up; then it is made beside the questions, or the books of the busy were never read."""


class Questions(Protocol):
    """The questions that this process answers."""

    @property
    def busy(self) -> Collection[str]: ...

    async def quiet(self) -> None:
        """Returns when none is being answered, or after a while."""

    async def begun(self) -> None:
        """Returns when one is being answered."""


class GivingWay:
    """``alone``: whether the model that is called may serve one at a time."""

    def __init__(self, questions: Questions, alone: Callable[[], bool]) -> None:
        self._questions = questions
        self._alone = alone

    async def make(self, call: Callable[[], Awaitable[T]]) -> T:
        """The result of ``call``, which is made anew where it was given up. Raises what it raises."""
        for _ in range(MOST_GIVEN_UP):
            await self._questions.quiet()
            if not self._alone() or self._questions.busy:
                break
            made = asyncio.ensure_future(call())
            asked = asyncio.ensure_future(self._questions.begun())
            try:
                await asyncio.wait((made, asked), return_when=asyncio.FIRST_COMPLETED)
                if made.done():
                    return made.result()
            finally:
                asked.cancel()
                made.cancel()
                await asyncio.gather(made, asked, return_exceptions=True)
        return await call()
