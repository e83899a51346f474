"""Updates statistics from outcomes (beyond scores) in the background, after the user has received the answer."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass, field

from core.clock import Clock
from core.memory.items.records import AnswerRecord
from core.memory.outcomes.action_effectiveness import ActionEffectiveness
from core.memory.outcomes.answers import ANSWERS, Answers
from core.memory.outcomes.tier_routing import Routing
from core.resilience.ending import end
from core.runs.changes import Changes
from core.store.items import Outcome
from core.store.scope import ScopedTruth
from core.store.truth import Change, Truth

log = logging.getLogger(__name__)

OUTCOMES: tuple[Outcome, ...] = ("worked", "failed", "partial", "unknown")


@dataclass
class Learning:
    """A queue of answers to learn from; a sweep of the record store finds those that a crashed process had queued."""

    _truth: Truth
    _answers: Answers
    _routing: Routing
    _effectiveness: ActionEffectiveness
    _clock: Clock
    _changes: Changes = field(default_factory=Changes)

    def __post_init__(self) -> None:
        self._queue: asyncio.Queue[tuple[str, str]] = asyncio.Queue()
        self._task: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Start learning in the background, first from answers that an earlier process left."""
        await self.sweep()
        self._task = asyncio.create_task(self._work(), name="learning")

    async def stop(self) -> None:
        """Stop; the next start finds what is still queued."""
        if self._task:
            await end([self._task])
            self._task = None

    def later(self, user_id: str, answer_id: str) -> None:
        """Queue an answer with an outcome to learn from."""
        self._queue.put_nowait((user_id, answer_id))

    async def settle(self) -> None:
        """Wait until the queue is processed; process it here if no background task is running."""
        if self._task is None:
            while not self._queue.empty():
                await self._learn_answer(*self._queue.get_nowait())
        else:
            await self._queue.join()

    async def sweep(self) -> int:
        """Queue all answers whose outcome has not been learned (maintenance); returns how many."""
        answers, rows = self._truth.collection(ANSWERS), []
        for outcome in OUTCOMES:
            # The filter lists the values to include, so that the database index is used and no learned answers are
            # read.
            others = [None, *(each for each in OUTCOMES if each != outcome)]
            rows += await answers.find({"outcome": outcome, "learned": {"$in": others}}, fields=["user_id"])
        for row in rows:
            self.later(str(row["user_id"]), str(row["_id"]))
        return len(rows)

    async def _work(self) -> None:
        while True:
            user_id, answer_id = await self._queue.get()
            try:
                await self._learn_answer(user_id, answer_id)
            except Exception:
                log.warning("an outcome is learned at the next start", exc_info=True)
            finally:
                self._queue.task_done()

    async def _learn_answer(self, user_id: str, answer_id: str) -> None:
        """Learn from one answer; if its outcome changes in the process, learn from the new outcome too."""
        answers = ScopedTruth(self._truth, user_id).collection(ANSWERS)
        while (answer := await self._answers.get(user_id, answer_id)) and answer.outcome not in (None, answer.learned):
            await self._learn(answer, answer.outcome)
            await answers.update(answer_id, Change(set={"learned": answer.outcome}), where={"outcome": answer.outcome})
            self._changes.notify(user_id)

    async def _learn(self, answer: AnswerRecord, outcome: Outcome) -> None:
        now = self._clock()
        await self._routing.learn(answer, outcome, now)
        await self._effectiveness.learn(answer, outcome, now)
