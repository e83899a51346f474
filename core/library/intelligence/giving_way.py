"""Gives questions priority: calls for the extraction of findings are made while no question is being answered.

A local model server may handle only one call at a time. There, a background call is aborted when a question comes, and
repeated afterwards. With any other server, both run in parallel.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Collection
from typing import Protocol, TypeVar

T = TypeVar("T")

MOST_GIVEN_UP = 3
"""Maximum number of times that one call is aborted. After that it runs in parallel with questions; otherwise busy
users' documents would never be processed."""


class Questions(Protocol):
    """Tracks the questions that this process is answering."""

    @property
    def busy(self) -> Collection[str]: ...

    async def quiet(self) -> None:
        """Wait until no question is being answered, or until a time limit."""

    async def begun(self) -> None:
        """Wait until a question is being answered."""


class GivingWay:
    """Makes background calls that yield to questions. ``alone``: the model server may handle only one call at a
    time."""

    def __init__(self, questions: Questions, alone: Callable[[], bool]) -> None:
        self._questions = questions
        self._alone = alone

    async def make(self, call: Callable[[], Awaitable[T]]) -> T:
        """The result of ``call``, which is repeated if it was aborted. Raises what the call raises."""
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
