"""A process with memories that dies, as in a power cut, while it records an outcome or promotes memories."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from itertools import count
from pathlib import Path

from core.clock import DAY
from core.ids import new_id
from core.memory.items.making import item_of
from core.memory.items.records import ActionTaken, AnswerRecord, NewMemory
from core.memory.items.writing import MemoryItems
from core.memory.lifecycle.promotion import Promotion
from core.memory.outcomes.action_effectiveness import ActionEffectiveness
from core.memory.outcomes.answers import Answers
from core.memory.outcomes.examples import OutcomeExamples
from core.memory.outcomes.learning import Learning
from core.memory.outcomes.recording import Outcomes
from core.memory.outcomes.scoring import quality
from core.memory.outcomes.tier_routing import Routing
from core.records.memory_meta import Tier
from core.setting_groups import Memory
from core.store.edge import EdgeIndex
from core.store.holding import Holder
from core.store.index import Schema
from core.store.items import MemoryItem, Stats
from core.store.sqlite.collection import SqliteCollection
from core.store.sqlite.truth import SqliteTruth
from core.store.typed_collection import TypedCollection
from tests.faults.runner import NOT_KILLED, SECONDS, USER, Moment, arm

FEEDBACK: dict[str, Moment] = {
    "nothing is written": Moment(SqliteCollection, "bulk", "before"),
    "the event is written": Moment(SqliteCollection, "bulk"),
    "the lessons are written": Moment(SqliteCollection, "bulk", "after", 2),
    "the scores are written": Moment(SqliteCollection, "bulk", "after", 3),
    "the answer knows its outcome": Moment(SqliteCollection, "update"),
    "the event is marked": Moment(SqliteCollection, "update_where"),
    "one subject is learned": Moment(SqliteCollection, "bulk", "after", 4),
    "all subjects are learned": Moment(SqliteCollection, "bulk", "after", 5),
    "the action is learned": Moment(SqliteCollection, "bulk", "after", 6),
    "all is learned and marked": Moment(SqliteCollection, "update", "after", 2),
}
STEPS = 5
"""Number of changes that one promotion run makes in these tests."""
PROMOTION: dict[str, Moment] = {
    "the lease is taken": Moment(Holder, "_take"),
    **{f"decision {n} is written": Moment(TypedCollection, "put", "after", n) for n in range(1, STEPS + 1)},
    **{f"item {n} has changed": Moment(MemoryItems, "change", "after", n) for n in range(1, STEPS + 1)},
    **{f"decision {n} is marked": Moment(Promotion, "_done", "after", n) for n in (1, STEPS)},
}

SETTINGS = Memory(bank_capacity=2)
ANSWER = f"msg_{1:032x}"


class Life:
    """The learning services, for as long as their process lives."""

    def __init__(self, home: Path, begins: float) -> None:
        home.mkdir(parents=True, exist_ok=True)
        ticks = count()
        clock: Callable[[], float] = lambda: begins + 0.001 * next(ticks)  # noqa: E731
        self.truth = SqliteTruth(home / "truth.sqlite", seconds=10.0)
        self.index = EdgeIndex(home / "index")
        self.items = MemoryItems(self.truth, self.index, None, clock, settings=SETTINGS)
        self.answers, self.lessons = Answers(self.truth), OutcomeExamples(self.truth)
        self.routing, self.effectiveness = Routing(self.truth), ActionEffectiveness(self.truth)
        self.outcomes = Outcomes(self.truth, self.items, self.answers, self.lessons, clock, new_id, SETTINGS)
        self.learning = Learning(self.truth, self.answers, self.routing, self.effectiveness, clock)
        self.promotion = Promotion(self.truth, self.items, clock, SETTINGS)

    async def start(self) -> None:
        await self.truth.start()
        await self.index.start(Schema("letters", 4))
        services = (self.items, self.answers, self.lessons, self.routing, self.effectiveness, self.outcomes)
        for service in (*services, self.promotion):
            await service.ensure()

    async def stop(self) -> None:
        await self.index.stop()
        await self.truth.stop()


def memory(number: int, tier: Tier, born: float = 0.0, stats: Stats | None = None, worth: float = 0.5) -> MemoryItem:
    new = NewMemory(tier=tier, text=f"memory {number}", quality=quality(worth, 1.0))
    item = item_of(USER, f"mem_{number:032x}", new, born, SETTINGS)
    return item.model_copy(update={"stats": stats or Stats()})


def feedback(home: Path, name: str) -> None:
    """Reports that an answer worked although the detector judged it as failed. The process dies at the moment called
    ``name``."""
    asyncio.run(asyncio.wait_for(_feedback(home, FEEDBACK[name]), SECONDS))
    os._exit(NOT_KILLED)


async def _feedback(home: Path, moment: Moment) -> None:
    life = Life(home, 100.0)
    await life.start()
    items = [memory(number, "working") for number in (1, 2, 3)]
    await life.items.add(USER, items)
    record = AnswerRecord(
        id=ANSWER,
        user_id=USER,
        question="How is the pump reset?",
        concepts=["pump", "reset"],
        positions=[item.id for item in items],
        tiers={item.id: item.tier for item in items},
        actions=[ActionTaken(name="inquire", tier="working")],
        created_at=100.0,
    )
    await life.answers.remember(record)
    await life.outcomes.record(USER, ANSWER, "failed", authority="detector")
    life.learning.later(USER, ANSWER)
    await life.learning.settle()
    arm(moment)
    await life.outcomes.record(USER, ANSWER, "worked", used=[1, 2])
    life.learning.later(USER, ANSWER)
    await life.learning.settle()


def promote(home: Path, name: str) -> None:
    """Promotes memories and archives expired, failed and surplus ones, until the process dies at the given moment."""
    asyncio.run(asyncio.wait_for(_promote(home, PROMOTION[name]), SECONDS))
    os._exit(NOT_KILLED)


async def _promote(home: Path, moment: Moment) -> None:
    life = Life(home, 3 * DAY)
    await life.start()
    await life.items.add(
        USER,
        [
            memory(1, "working", 3 * DAY, Stats(score=0.95, uses=4)),
            memory(2, "working", DAY),
            memory(3, "history", 2 * DAY, Stats(score=0.1, uses=2)),
            memory(4, "patterns", DAY),
            *(memory(number, "memory_bank", worth=number / 10) for number in (5, 6, 7)),
        ],
    )
    arm(moment)
    await life.promotion.run(USER)
