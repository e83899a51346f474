"""Effects of settings for memories: which are kept, for how long, and when they are promoted."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial

import core.memory.build
from core.clock import DAY
from core.graph.memory.call_groups import CallGroups
from core.ids import new_id
from core.memory.items.making import item_of
from core.memory.items.records import ActionTaken, AnswerRecord, NewMemory
from core.memory.lifecycle.promotion import decide
from core.memory.memory import Memory
from core.memory.outcomes.detector import OutcomeDetector, Verdict
from core.memory.outcomes.scoring import quality, replayed
from core.memory.outcomes.tier_routing import concepts_of
from core.memory.recall.context_size import how_many
from core.memory.recall.records import MemoryQuery
from core.prompts.templates import Prompts
from core.records.memory_meta import Tier
from core.runs.scheduler import Scheduler
from core.runs.shared_round import EVERYONE
from core.store.items import MemoryItem, Outcome, Stats
from tests.service.effects.experiment import Bench, attempt, changes, rest
from tests.service.effects.workbench import opened
from tests.service.house import POLICY, House

QUESTION = "How do I descale the kettle?"
TEXT = "Descale the kettle with vinegar over night."
FACT = quality(0.8, 0.8)
HOTEL = "What is reimbursed for a night in a hotel in Haifa?"


class Rememberer:
    """A workbench whose clock the test can set, and which can report any number of outcomes."""

    def __init__(self, house: House, now: list[float]) -> None:
        self.house = house
        self.memory: Memory = house.workbench.memory
        self._now = now
        self._answers = 0

    def wait(self, seconds: float) -> None:
        self._now[0] += seconds

    async def store(self, tier: Tier = "working", text: str = TEXT, score: float = 0.5) -> MemoryItem:
        return await self.memory.store(
            "ada", NewMemory(tier=tier, text=text, initial_score=score, tags=["context"], quality=FACT)
        )

    async def say(self, item: MemoryItem, *outcomes: Outcome) -> None:
        """Reports outcomes, each for a different answer that used the memory."""
        for outcome in outcomes:
            self._answers += 1
            record = AnswerRecord(
                id=f"msg_{self._answers:032x}",
                user_id="ada",
                question=QUESTION,
                concepts=concepts_of(QUESTION),
                positions=[item.id],
                used=[item.id],
                tiers={item.id: item.tier},
                actions=[ActionTaken(name="search", tier=item.tier)],
                created_at=self._now[0],
            )
            await self.memory.remember_answer(record)
            await self.memory.record_outcome("ada", record.id, outcome)
        await self.memory.settle()

    async def now(self, item: MemoryItem) -> MemoryItem:
        return (await self.memory.inspection.items("ada", [item.id]))[0]


@asynccontextmanager
async def remembering(bench: Bench, *, dense: bool = False) -> AsyncIterator[Rememberer]:
    now = [1_000_000.0]
    async with opened(bench, lambda: now[0], dense=dense) as house:
        yield Rememberer(house, now)


# -- which memories are kept -------------------------------------------------------------------


@changes("memory.enabled", "true", "false")
async def what_is_left_of_a_question(bench: Bench) -> object:
    async with opened(bench) as house:
        await house.read("policy.md", POLICY)
        answer = await house.ask(HOTEL)
        await house.workbench.memory.settle()
        return await house.workbench.memory.answer("ada", answer.asked.message_id) is None


@changes("memory.enforce_scoring", "true", "false")
async def whether_a_second_question_is_taken(bench: Bench) -> object:
    async with opened(bench) as house:
        await house.read("policy.md", POLICY)
        first = await house.ask(HOTEL)
        await house.workbench.memory.settle()
        run = await house.workbench.run("ada", first.asked.run_id)
        return await attempt(house.ask(HOTEL, conversation_id=run.conversation_id))


# -- ranking -----------------------------------------------------------------------------------


@changes("memory.profile", "conditional", "seed")
@changes("memory.routing_plan", "true", "false")
@changes("memory.known_solutions", "true", "false")
@changes("memory.action_boost", "true", "false")
async def how_what_worked_three_times_is_found(bench: Bench) -> object:
    async with remembering(bench) as some:
        await some.say(await some.store("history"), "worked", "worked", "worked")
        await some.store("working", "The kettle stands in the kitchen.")
        found = await some.memory.search(MemoryQuery("ada", QUESTION))
        assert found.hits
        return found.plan, [(hit.item.text, hit.parts) for hit in found.hits]


@changes("memory.entity_boost", "true", "false")
async def how_a_fact_is_found_that_names_what_the_question_names(bench: Bench) -> object:
    async with remembering(bench) as some:
        await some.store("memory_bank", "Maria Cohen works at Pelagit in Haifa.")
        await rest()  # The knowledge graph is built in the background.
        found = await some.memory.search(MemoryQuery("ada", "Where does Maria Cohen work?"))
        assert found.hits
        return [hit.parts.boosts for hit in found.hits]


async def how_many_are_recalled(bench: Bench) -> object:
    questions = ("What is my name?", "Which kettle did we buy?", QUESTION, "List all of my projects")
    return [how_many(question, bench.settings.memory) for question in questions]


for kind in ("specific", "usual", "howto", "broad"):
    changes(f"memory.results_{kind}", "3", "9")(how_many_are_recalled)


# -- time --------------------------------------------------------------------------------------


@changes("memory.working_hours", "1", "24")
@changes("memory.history_days", "1", "30")
async def until_when_memories_are_kept(bench: Bench) -> object:
    tiers: tuple[Tier, ...] = ("working", "history")
    news = [NewMemory(tier=tier, text=TEXT) for tier in tiers]
    return [item_of("ada", "mem", new, 0.0, bench.settings.memory).timestamps.expires_at for new in news]


@changes("memory.promote_minutes", "30", "60")
@changes("memory.consistency_minutes", "15", "60")
@changes("jobs.upkeep_after", "20", "40")
async def for_how_long_the_upkeep_sleeps(bench: Bench) -> object:
    slept: list[float] = []

    async def sleep(called: asyncio.Event, seconds: float) -> None:
        slept.append(seconds)
        if slept.count(seconds) > 1:  # The first sleep of each length ends immediately, the second one never.
            await asyncio.Event().wait()

    bench.patch.setattr(core.memory.build, "Scheduler", partial(Scheduler, wait=sleep))
    async with opened(bench):
        await rest()
    return set(slept)


# -- scores and tiers --------------------------------------------------------------------------


@changes("memory.worked", "0.1", "0.2")
@changes("memory.partial", "0.05", "0.1")
@changes("memory.failed", "-0.3", "-0.1")
async def the_scores_that_outcomes_make(bench: Bench) -> object:
    outcomes: tuple[Outcome, ...] = ("worked", "partial", "failed")
    return [replayed(Stats(), [outcome], bench.settings.memory).score for outcome in outcomes]


@changes("memory.history_score", "0.7", "0.95")
@changes("memory.history_uses", "2", "4")
@changes("memory.patterns_score", "0.9", "0.95")
@changes("memory.patterns_uses", "3", "4")
@changes("memory.archive_below", "0.2", "0.3")
async def what_becomes_of_memories(bench: Bench) -> object:
    """Returns the decision for two memories in each tier: one that worked three times, and one that failed."""
    constants = bench.settings.memory
    tiers: tuple[Tier, ...] = ("working", "history", "patterns")
    stats = (Stats(score=0.92, uses=3), Stats(score=0.25, uses=1))
    made = [item_of("ada", "mem", NewMemory(tier=tier, text=TEXT), 0.0, constants) for tier in tiers]
    return [decide(item.model_copy(update={"stats": each}), 0.0, constants) for item in made for each in stats]


@changes("memory.bank_capacity", "2", "1000")
async def how_many_of_three_facts_stay(bench: Bench) -> object:
    async with remembering(bench) as some:
        for text in ("Maria lives in Haifa.", "The office has a red door.", "Lunch begins at noon."):
            await some.store("memory_bank", text)
        await some.memory.promote_now("ada")
        return (await some.memory.stats("ada")).tiers


@changes("memory.promote_messages", "1", "20")
async def whether_one_message_makes_promotion_look(bench: Bench) -> object:
    async with remembering(bench) as some:
        await rest()  # By now, it has checked once, at the start.
        item = await some.store(score=0.1)
        some.memory.noticed_message("ada", "conv_1")
        await rest()
        return (await some.now(item)).status


@changes("memory.dedup_similarity", "0.0", "1.0")
async def whether_two_facts_are_one(bench: Bench) -> object:
    """Stores the same fact in two wordings."""
    async with remembering(bench, dense=True) as some:
        first = await some.store("memory_bank", "I live in Haifa.")
        return (await some.store("memory_bank", "I am living in Haifa.")).id == first.id


# -- the outcome detector ----------------------------------------------------------------------


class Judge:
    async def judge(self, prompt: str) -> Verdict | None:
        return None


@changes("memory.detector_turns", "2", "4")
async def whether_the_detector_looks_at_the_second_turn(bench: Bench) -> object:
    return OutcomeDetector(Judge(), Prompts(), bench.settings.memory).due(2)


@changes("memory.detection", "true", "false")
async def whether_the_detector_looks_at_the_fourth_turn(bench: Bench) -> object:
    return OutcomeDetector(Judge(), Prompts(), bench.settings.memory).due(4)


@changes("memory.promotion", "true", "false")
async def whether_everybody_is_looked_through(bench: Bench) -> object:
    asked: list[str] = []

    async def run_all(_: object) -> list[object]:
        asked.append("all")
        return []

    bench.patch.setattr("core.memory.lifecycle.promotion.Promotion.run_all", run_all)
    async with opened(bench) as house:
        await house.workbench._remembering._promote(EVERYONE)
    return bool(asked)


@changes("memory.detector_confidence", "0.5", "0.9")
async def whether_a_verdict_counts(bench: Bench) -> object:
    verdict = Verdict(outcome="worked", confidence=0.7, indicators=[], reasoning="")
    return OutcomeDetector(Judge(), Prompts(), bench.settings.memory).counts(verdict)


# -- the index ---------------------------------------------------------------------------------


@changes("memory.rollback_days", "1", "7")
async def whether_the_index_before_is_there_after_two_days(bench: Bench) -> object:
    async with remembering(bench) as some:
        await some.store()
        await some.memory.reindex()
        some.wait(2 * DAY)
        return await some.house.workbench.retrieval.reindexing.discard_old()


@changes("memory.reindex_batch", "1", "64")
async def in_how_many_steps_three_items_are_copied(bench: Bench) -> object:
    steps: list[object] = []
    async with remembering(bench) as some:
        for number in range(3):
            await some.store(text=f"{TEXT} {number}")
        await some.memory.reindex(steps.append)
    return len(steps)


@changes("calls.pause_minutes", "10", "60")
async def whether_a_call_after_half_an_hour_goes_on(bench: Bench) -> object:
    times = iter((0.0, 1_800.0))
    calls = CallGroups(lambda: next(times), new_id, bench.settings.calls.pause_minutes)
    first, second = (calls.group_of("ada", "a program", "rivers") for _ in range(2))
    return first is second
