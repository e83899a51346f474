"""Lets the user end the rounds of tool calls: offers "Answer now" while they run, and notices the click."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from dataclasses import dataclass
from typing import Any, TypeVar

from core.events import AnswerNow
from core.runs.ledger import RunLedger
from core.runs.trace import Emit

POLL_SECONDS = 0.4

Result = TypeVar("Result")


@dataclass
class EarlyAnswer:
    """The offer to answer from what was found so far. ``requested``: the user has accepted it."""

    ledger: RunLedger
    user_id: str
    run_id: str
    emit: Emit
    requested: bool = False
    _offered: AnswerNow | None = None

    @property
    def open(self) -> bool:
        return self._offered is not None

    def offer(self, round: int, most: int) -> None:
        """Shows the offer in ``round`` of at most ``most`` rounds."""
        self._show(AnswerNow(open=True, of="rounds", ready=round, total=most))

    def close(self) -> None:
        if self._offered is not None:
            self._show(self._offered.model_copy(update={"open": False}))

    async def unless_requested(self, work: Coroutine[Any, Any, Result]) -> Result | None:
        """Returns the result of ``work``; ends it and returns ``None`` if the user accepts the offer meanwhile."""
        task = asyncio.ensure_future(work)
        try:
            while not task.done():
                await asyncio.wait({task}, timeout=POLL_SECONDS)
                if not task.done() and self.open and await self._is_requested():
                    return None
            return task.result()
        finally:
            if not task.done():
                task.cancel()
                await asyncio.wait({task})

    async def _is_requested(self) -> bool:
        self.requested = self.requested or await self.ledger.take_answer_request(self.user_id, self.run_id)
        return self.requested

    def _show(self, offered: AnswerNow) -> None:
        self._offered = offered if offered.open else None
        self.emit(offered)
