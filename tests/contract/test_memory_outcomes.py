"""Tests outcomes (whether an answer worked), learning from them, and promotion of memories by them, on both pairs of
stores."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from itertools import count

import pytest

from core.clock import DAY
from core.ids import new_id, point_id
from core.memory.bank.versions import Versions
from core.memory.items.making import item_of
from core.memory.items.records import ActionTaken, AnswerRecord, NewMemory
from core.memory.items.writing import MemoryItems
from core.memory.lifecycle.promotion import LEASE_SECONDS, Promotion
from core.memory.lifecycle.rewriting import Rewriting
from core.memory.outcomes.action_effectiveness import ActionEffectiveness
from core.memory.outcomes.answers import Answers
from core.memory.outcomes.examples import OutcomeExamples
from core.memory.outcomes.learning import Learning
from core.memory.outcomes.recording import Outcomes
from core.memory.outcomes.scoring import quality
from core.memory.outcomes.tier_routing import Routing
from core.records.memory_meta import Tier
from core.setting_groups import Memory
from core.store.index import Index, Schema
from core.store.items import MemoryItem, Outcome
from core.store.truth import Truth
from tests.contract.conftest import Stores
from tests.replaying import replay

pytestmark = [
    pytest.mark.filterwarnings("ignore:Payload indexes have no effect"),
    pytest.mark.filterwarnings("ignore:Local mode performs exact"),
]

ADA, BOB = "ada", "bob"
SETTINGS = Memory(bank_capacity=2)


class Rewording:
    async def rewrite(self, text: str, failures: Sequence[str]) -> str | None:
        return f"{text}, and not for {len(failures)} questions"


class World:
    """The learning services; their clock advances by itself and can be moved forward."""

    def __init__(self, truth: Truth, index: Index) -> None:
        self.truth = truth
        self.now = 0.0
        ticks = count()

        def clock() -> float:
            return self.now + 0.001 * next(ticks)

        self.items = MemoryItems(truth, index, None, clock, settings=SETTINGS)
        self.answers, self.lessons = Answers(truth), OutcomeExamples(truth)
        self.routing, self.effectiveness = Routing(truth), ActionEffectiveness(truth)
        self.versions = Versions(truth, clock)
        self.outcomes = Outcomes(truth, self.items, self.answers, self.lessons, clock, new_id, SETTINGS)
        self.learning = Learning(truth, self.answers, self.routing, self.effectiveness, clock)
        rewriting = Rewriting(self.items, self.lessons, self.versions, Rewording())
        self.promotion = Promotion(truth, self.items, clock, SETTINGS, "here", rewriting)
        self.other = Promotion(truth, self.items, clock, SETTINGS, "there", rewriting)

    async def ensure(self) -> None:
        services = (self.items, self.answers, self.lessons, self.routing, self.effectiveness, self.outcomes)
        for service in (*services, self.versions, self.promotion):
            await service.ensure()

    async def remember(self, tier: Tier, user_id: str = ADA, worth: float = 0.5) -> str:
        new = NewMemory(tier=tier, text="The pump is reset by its valve", quality=quality(worth, 1.0))
        item = item_of(user_id, new_id("mem"), new, self.now, SETTINGS)
        await self.items.add(user_id, [item])
        return item.id

    async def answered(self, tiers: dict[str, Tier], user_id: str = ADA) -> str:
        record = AnswerRecord(
            id=new_id("msg"),
            user_id=user_id,
            question="How is the pump reset?",
            concepts=["pump"],
            positions=list(tiers),
            tiers=tiers,
            actions=[ActionTaken(name="inquire", tier="books", document_ids=["doc_1"])],
            created_at=self.now,
        )
        await self.answers.remember(record)
        return record.id

    async def say(self, memory_id: str, outcome: Outcome, tier: Tier = "working", user_id: str = ADA) -> str:
        answer = await self.answered({memory_id: tier}, user_id)
        await self.outcomes.record(user_id, answer, outcome)
        self.learning.later(user_id, answer)
        return answer

    async def of(self, memory_id: str, user_id: str = ADA) -> MemoryItem:
        item = await self.items.get(user_id, memory_id)
        assert item
        return item


@pytest.fixture
async def world(stores: Stores) -> AsyncIterator[World]:
    truth, index = stores
    await index.start(Schema("axes", 4))
    made = World(truth, index)
    await made.ensure()
    yield made
    await made.learning.stop()


async def test_a_memory_rises_by_what_it_did(world: World) -> None:
    memory = await world.remember("working")
    answer = await world.say(memory, "worked")
    await world.say(memory, "worked")
    await world.promotion.run(ADA)
    item = await world.of(memory)
    assert (item.tier, item.stats.score, item.stats.uses) == ("history", 0.9, 2)
    await world.say(memory, "worked", "history")
    await world.promotion.run(ADA)
    assert (await world.of(memory)).tier == "patterns"
    await world.outcomes.record(ADA, answer, "failed")
    item = await world.of(memory)
    assert (item.stats.uses, item.stats.worked_count, item.stats.failed_count) == (3, 2, 1)
    assert item.stats.score == 0.6  # 0.5, 0.7, 0.9, then 0.6: the changed outcome counts last
    told = await world.promotion.transitions(ADA)
    assert [each.to_tier for each in told] == ["patterns", "history"]
    assert replay(told) == {memory: ("patterns", "active")}


async def test_the_index_is_told_the_scores_of_memories_and_none_of_books(world: World, stores: Stores) -> None:
    memory, book = await world.remember("working"), await world.remember("books")
    await world.say(memory, "worked")
    await world.items.repair()
    told = {
        point.id: point.payload.get("score") for point in await stores[1].retrieve([*map(point_id, (memory, book))])
    }
    assert told == {point_id(memory): pytest.approx(0.7), point_id(book): None}


async def test_outcomes_at_the_same_moment_all_count(world: World) -> None:
    memory = await world.remember("patterns")
    answers = [await world.answered({memory: "patterns"}) for _ in range(8)]
    words: list[Outcome] = ["worked", "failed"]
    await asyncio.gather(*(world.outcomes.record(ADA, each, words[n % 2]) for n, each in enumerate(answers)))
    item = await world.of(memory)
    assert (item.stats.uses, item.stats.worked_count, item.stats.failed_count) == (8, 4, 4)


async def test_a_word_that_was_not_applied_is_applied_later(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    one, two = await world.remember("working"), await world.remember("working")
    answer = await world.answered({one: "working", two: "working"})
    await world.outcomes.record(ADA, answer, "failed", authority="detector")

    async def cut(*_: object) -> None:
        raise ConnectionError("power")

    with monkeypatch.context() as patched:
        patched.setattr(world.answers, "close", cut)
        patched.setattr(world.outcomes, "_rescored", cut)
        with pytest.raises(ConnectionError):
            await world.outcomes.record(ADA, answer, "worked", used=[2])
    assert await world.outcomes.resume() == 1
    assert [(await world.of(each)).stats.score for each in (one, two)] == [0.5, 0.7]
    assert await world.outcomes.resume() == 0


async def test_books_and_facts_teach_and_are_not_scored(world: World) -> None:
    fact = await world.remember("memory_bank")
    for _ in range(3):
        await world.say(fact, "worked", "memory_bank")
    await world.learning.settle()
    assert (await world.of(fact)).stats.score == 0.5
    (advice,) = await world.routing.recommend(ADA, ["pump"])
    assert (advice.tier, advice.uses, advice.success_rate) == ("memory_bank", 3, 1.0)
    (action,) = await world.effectiveness.of(ADA, "general")
    assert (action.action, action.uses) == ("inquire", 3)
    assert await world.effectiveness.document_effect(ADA, ["doc_1"]) == {"doc_1": 1.0}
    await world.effectiveness.forget_documents(ADA, ["doc_1"])
    assert await world.effectiveness.document_effect(ADA, ["doc_1"]) == {}
    assert await world.learning.sweep() == 0


async def test_what_is_over_failed_or_too_much_is_archived_once(world: World) -> None:
    over = await world.remember("working")
    kept = await world.remember("history")
    world.now = 20 * DAY
    bad = await world.remember("history")
    facts = [await world.remember("memory_bank", worth=worth) for worth in (0.1, 0.5, 0.9)]
    for outcome in ("worked", "worked"):
        await world.say(kept, outcome, "history")  # type: ignore[arg-type]
    for _ in range(2):
        await world.say(bad, "failed", "history")
    world.now = 31 * DAY
    report = await world.promotion.run(ADA)
    assert sorted(each.reason for each in report.transitions) == ["capacity", "expired", "rewritten"]
    assert [(await world.of(each)).status for each in (over, kept, bad)] == ["archived", "active", "active"]
    assert [(await world.of(each)).status for each in facts] == ["archived", "active", "active"]
    fresh = await world.of(bad)
    assert fresh.timestamps.expires_at == pytest.approx(61 * DAY, abs=60)
    assert (fresh.text, fresh.stats.score, fresh.stats.uses) == (
        "The pump is reset by its valve, and not for 2 questions",
        0.5,
        0,
    )
    assert [each.archived_text for each in await world.versions.of(ADA, bad)] == ["The pump is reset by its valve"]
    assert [item.id for item in await world.items.load(ADA, [over, kept])] == [kept]


async def test_one_process_promotes_at_a_time(world: World) -> None:
    memory = await world.remember("working")
    for _ in range(2):
        await world.say(memory, "worked")
    reports = await asyncio.gather(world.promotion.run(ADA), world.other.run(ADA))
    await world.promotion.run(ADA)
    assert (await world.of(memory)).tier == "history"
    assert sum(each.count("promoted") for each in reports) == 1
    assert len(await world.promotion.transitions(ADA)) == 1
    async with world.promotion._hold(ADA):
        assert (await world.other.run(ADA)).busy
        world.now += LEASE_SECONDS + 1
        assert not (await world.other.run(ADA)).busy


async def test_two_users_never_meet(world: World) -> None:
    mine, theirs = await world.remember("working"), await world.remember("working", BOB)
    answer = await world.answered({mine: "working", theirs: "working"})
    await world.outcomes.record(ADA, answer, "worked")
    world.learning.later(ADA, answer)
    await world.learning.settle()
    assert (await world.of(theirs, BOB)).stats.score == 0.5
    assert (await world.of(theirs, BOB)).stats.retrieved == 0
    assert await world.routing.recommend(BOB, ["pump"]) == []
    assert await world.effectiveness.of(BOB, "general") == []
    assert await world.lessons.of_memories(BOB, [mine, theirs]) == {}
    assert await world.outcomes.of_answer(BOB, answer) == []
    assert await world.promotion.transitions(BOB) == []
