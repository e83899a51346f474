from __future__ import annotations

import asyncio
import random
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import PalimpsestError
from core.ids import new_id
from core.memory.items.making import item_of
from core.memory.items.records import (
    AUTHORITIES,
    ActionTaken,
    AnswerRecord,
    Authority,
    NewMemory,
    OutcomeEvent,
    ToolRun,
)
from core.memory.items.writing import MemoryItems
from core.memory.outcomes.action_effectiveness import ActionEffectiveness
from core.memory.outcomes.answers import Answers
from core.memory.outcomes.examples import OutcomeExamples
from core.memory.outcomes.learning import Learning
from core.memory.outcomes.recording import Outcomes, effective_outcome
from core.memory.outcomes.scoring import quality, replayed
from core.memory.outcomes.tier_routing import COLD, DEEP, SHALLOW, Routing
from core.records.memory_meta import Tier
from core.setting_groups import Memory
from core.store.edge import EdgeIndex
from core.store.items import Outcome, Stats
from core.store.sqlite.truth import SqliteTruth

SETTINGS = Memory()


@dataclass
class Rig:
    truth: SqliteTruth
    items: MemoryItems
    answers: Answers
    lessons: OutcomeExamples
    outcomes: Outcomes
    learning: Learning
    routing: Routing
    effectiveness: ActionEffectiveness
    ticks: Iterator[int]

    async def remember(self, *tiers: Tier, user: str = "ada") -> list[str]:
        ids = []
        for tier in tiers:
            new = NewMemory(tier=tier, text=f"advice {next(self.ticks)}", quality=quality(0.5, 0.5))
            item = item_of(user, new_id("mem"), new, 1.0, SETTINGS)
            await self.items.add(user, [item])
            ids.append(item.id)
        return ids

    async def answered(self, ids: list[str], user: str = "ada", **more: object) -> str:
        found = {item.id: item.tier for item in await self.items.find(user, {"_id": {"$in": ids}})}
        record = AnswerRecord(
            id=new_id("msg"),
            user_id=user,
            question="How do I reset the pump?",
            concepts=["reset", "pump"],
            positions=ids,
            tiers=found,
            created_at=2.0,
            **more,  # type: ignore[arg-type]
        )
        await self.answers.remember(record)
        return record.id

    async def score(self, memory_id: str) -> float:
        return (await self.items.find("ada", {"_id": memory_id}))[0].stats.score


@pytest.fixture
async def rig(truth: SqliteTruth, index: EdgeIndex) -> Rig:
    return await make_rig(truth, index)


async def make_rig(truth: SqliteTruth, index: EdgeIndex) -> Rig:
    ticks = count(10)

    def clock() -> float:
        return float(next(ticks))

    items = MemoryItems(truth, index, None, clock)
    answers, lessons = Answers(truth), OutcomeExamples(truth)
    routing, effectiveness = Routing(truth), ActionEffectiveness(truth)
    outcomes = Outcomes(truth, items, answers, lessons, clock, new_id, SETTINGS)
    learning = Learning(truth, answers, routing, effectiveness, clock)
    for service in (items, answers, lessons, routing, effectiveness, outcomes):
        await service.ensure()
    return Rig(truth, items, answers, lessons, outcomes, learning, routing, effectiveness, ticks)


@pytest.mark.parametrize(("outcome", "score"), [("worked", 0.7), ("partial", 0.55), ("failed", 0.2), ("unknown", 0.5)])
async def test_an_outcome_moves_the_score_of_what_was_used(rig: Rig, outcome: Outcome, score: float) -> None:
    [memory] = await rig.remember("working")
    effect = await rig.outcomes.record("ada", await rig.answered([memory]), outcome)
    assert await rig.score(memory) == score
    assert [(each.before, each.after) for each in effect.moved] == [(0.5, score)]


async def test_a_change_of_mind_leaves_no_trace_of_the_first_word(rig: Rig) -> None:
    [memory] = await rig.remember("history")
    answer = await rig.answered([memory])
    for outcome in ("failed", "worked", "failed", "worked"):
        await rig.outcomes.record("ada", answer, outcome)  # type: ignore[arg-type]
    item = (await rig.items.find("ada", {"_id": memory}))[0]
    assert item.stats.score == 0.7
    assert (item.stats.uses, item.stats.worked_count, item.stats.failed_count) == (1, 1, 0)


async def test_saying_the_same_twice_is_saying_it_once(rig: Rig) -> None:
    [memory] = await rig.remember("working")
    answer = await rig.answered([memory])
    await rig.outcomes.record("ada", answer, "worked")
    assert (await rig.outcomes.record("ada", answer, "worked")).ignored == "same as before"
    assert await rig.score(memory) == 0.7


async def test_books_and_the_bank_are_never_scored_and_routing_learns_from_them(rig: Rig) -> None:
    book, fact = await rig.remember("books", "memory_bank")
    answer = await rig.answered([book, fact])
    effect = await rig.outcomes.record("ada", answer, "failed")
    rig.learning.later("ada", answer)
    await rig.learning.settle()
    assert effect.moved == []
    assert set(effect.unscored) == {book, fact}
    assert await rig.score(fact) == 0.5
    advice = {each.tier: each for each in await rig.routing.recommend("ada", ["pump"])}
    assert advice["books"].success_rate == 0.0
    assert advice["memory_bank"].uses == 1


@pytest.mark.parametrize(
    ("first", "second", "outcome"),
    [
        ("model", "detector", "failed"),
        ("model", "person", "failed"),
        ("detector", "person", "failed"),
        ("person", "person", "failed"),
        ("detector", "model", "worked"),
        ("person", "detector", "worked"),
        ("person", "model", "worked"),
    ],
)
async def test_the_higher_authority_is_believed(
    rig: Rig, first: Authority, second: Authority, outcome: Outcome
) -> None:
    [memory] = await rig.remember("working")
    answer = await rig.answered([memory])
    await rig.outcomes.record("ada", answer, "worked", authority=first)
    effect = await rig.outcomes.record("ada", answer, "failed", authority=second)
    assert (effect.ignored is None) == (outcome == "failed")
    assert await rig.score(memory) == (0.2 if outcome == "failed" else 0.7)


async def test_only_what_the_answer_used_is_scored(rig: Rig) -> None:
    used, shown = await rig.remember("working", "working")
    await rig.outcomes.record("ada", await rig.answered([used, shown], used=[used]), "worked")
    assert await rig.score(used) == 0.7
    assert await rig.score(shown) == 0.5


async def test_references_that_are_not_the_answers_score_all_of_it(rig: Rig) -> None:
    one, two, other = await rig.remember("working", "working", "working")
    await rig.outcomes.record("ada", await rig.answered([one, two]), "worked", used=[one, other])
    assert [await rig.score(each) for each in (one, two, other)] == [0.7, 0.7, 0.5]


async def test_narrowing_what_was_used_takes_the_rest_back(rig: Rig) -> None:
    one, two = await rig.remember("working", "working")
    answer = await rig.answered([one, two])
    await rig.outcomes.record("ada", answer, "failed")
    await rig.outcomes.record("ada", answer, "failed", used=[one])
    assert [await rig.score(each) for each in (one, two)] == [0.2, 0.5]


async def test_what_was_used_may_be_given_by_its_place(rig: Rig) -> None:
    one, two, three = await rig.remember("working", "working", "working")
    answer = await rig.answered([one, two, three])
    await rig.outcomes.record("ada", answer, "worked", used=[1, "3", three])
    assert [await rig.score(each) for each in (one, two, three)] == [0.7, 0.5, 0.7]
    await rig.outcomes.record("ada", answer, "worked", used=[1, 4])
    assert [await rig.score(each) for each in (one, two, three)] == [0.7, 0.7, 0.7]


async def test_narrowing_to_the_same_again_says_nothing_new(rig: Rig) -> None:
    one, two = await rig.remember("working", "working")
    answer = await rig.answered([one, two])
    assert (await rig.outcomes.record("ada", answer, "worked", used=[one])).ignored is None
    assert (await rig.outcomes.record("ada", answer, "worked", used=[one])).ignored == "same as before"
    assert (await rig.outcomes.record("ada", answer, "worked")).ignored == "same as before"
    assert len(await rig.outcomes.of_answer("ada", answer)) == 1


async def test_a_word_that_was_lost_in_a_crash_never_overrides_a_later_one(
    rig: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    [memory] = await rig.remember("working")
    answer = await rig.answered([memory])
    other = Outcomes(rig.truth, rig.items, rig.answers, rig.lessons, lambda: 5.0, new_id, SETTINGS)
    with monkeypatch.context() as patched:
        patched.setattr(other, "_apply_outcome", _cut)
        with pytest.raises(ConnectionError):
            await other.record("ada", answer, "worked", authority="model")
    await rig.outcomes.record("ada", answer, "failed", authority="detector")
    assert await other.resume() == 0
    with monkeypatch.context() as patched:
        patched.setattr(other, "_apply_outcome", _cut)
        with pytest.raises(ConnectionError):
            await other.record("ada", answer, "partial", authority="person")
    assert (await rig.outcomes.record("ada", answer, "worked", authority="detector")).ignored == "lower authority"
    assert await rig.outcomes.resume() == 1
    assert await rig.score(memory) == 0.55


async def test_what_was_used_is_not_forgotten_in_a_crash(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    one, two = await rig.remember("working", "working")
    answer = await rig.answered([one, two])
    with monkeypatch.context() as patched:
        patched.setattr(rig.lessons, "put", _cut)
        with pytest.raises(ConnectionError):
            await rig.outcomes.record("ada", answer, "failed", used=[two])
    await rig.outcomes.resume()
    assert [await rig.score(each) for each in (one, two)] == [0.5, 0.2]


async def _cut(*_: object, **__: object) -> None:
    raise ConnectionError("power")


async def test_an_answer_of_another_user_is_not_known(rig: Rig) -> None:
    [memory] = await rig.remember("working")
    answer = await rig.answered([memory])
    with pytest.raises(PalimpsestError) as refused:
        await rig.outcomes.record("bob", answer, "failed")
    assert refused.value.problem.category == "not_found"
    assert await rig.score(memory) == 0.5


async def test_outcomes_at_the_same_moment_all_count(rig: Rig) -> None:
    [memory] = await rig.remember("patterns")
    answers = [await rig.answered([memory]) for _ in range(24)]
    words: list[Outcome] = ["worked", "failed"]
    await asyncio.gather(*(rig.outcomes.record("ada", each, words[n % 2]) for n, each in enumerate(answers)))
    item = (await rig.items.find("ada", {"_id": memory}))[0]
    assert (item.stats.uses, item.stats.worked_count, item.stats.failed_count) == (24, 12, 12)
    lessons = (await rig.lessons.of_memories("ada", [memory]))[memory]
    assert item.stats.score == replayed(item.stats, [each.outcome for each in lessons], SETTINGS).score


Word = tuple[Outcome, Authority]
words = st.lists(
    st.tuples(st.sampled_from(["worked", "failed", "partial", "unknown"]), st.sampled_from(AUTHORITIES)), max_size=12
)


@given(words)
def test_the_last_word_of_the_highest_authority_holds(said: list[Word]) -> None:
    """Only the last report of the highest authority counts; earlier reports and reports of lower authority have no
    effect."""
    events = [
        OutcomeEvent(
            id=new_id("out"), user_id="ada", answer_id="x", outcome=outcome, authority=authority, timestamp=float(n)
        )
        for n, (outcome, authority) in enumerate(said)
    ]
    held = effective_outcome(events)
    ranks = [AUTHORITIES.index(each.authority) for each in events]
    best = [each for each, rank in zip(events, ranks, strict=True) if rank == min(ranks)]
    assert held == (best[-1] if best else None)
    assert effective_outcome(list(reversed(events))) == held


async def test_scores_follow_from_what_holds_whatever_was_said_before(rig: Rig) -> None:
    """Any sequence of reports, with changes, ends in the same score as only the valid reports would."""
    drawn = random.Random(7)
    [memory] = await rig.remember("working")
    answers = [await rig.answered([memory]) for _ in range(3)]
    for _ in range(40):
        await rig.outcomes.record(
            "ada",
            drawn.choice(answers),
            drawn.choice(["worked", "failed", "partial", "unknown"]),  # type: ignore[arg-type]
            authority=drawn.choice(AUTHORITIES),
        )
        held = [each for answer in answers if (each := effective_outcome(await rig.outcomes.of_answer("ada", answer)))]
        held.sort(key=lambda each: each.timestamp)
        item = (await rig.items.find("ada", {"_id": memory}))[0]
        assert item.stats.score == replayed(Stats(), [each.outcome for each in held], SETTINGS).score


async def test_what_a_crash_left_is_applied_once(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    [memory] = await rig.remember("working")
    answer = await rig.answered([memory])

    async def cut(*_: object, **__: object) -> None:
        raise ConnectionError("power")

    for method in ("put", "of_answer"):
        with monkeypatch.context() as patched:
            patched.setattr(rig.lessons, method, cut)
            with pytest.raises(ConnectionError):
                await rig.outcomes.record("ada", answer, "worked")
    assert await rig.score(memory) == 0.5
    assert await rig.outcomes.resume() == 1
    assert await rig.outcomes.resume() == 0
    assert await rig.score(memory) == 0.7


async def test_retrieval_is_counted_once_an_answer(rig: Rig) -> None:
    [memory] = await rig.remember("working")
    answer = await rig.answered([memory])
    record = await rig.answers.get("ada", answer)
    assert record
    await rig.answers.remember(record)
    assert (await rig.items.find("ada", {"_id": memory}))[0].stats.retrieved == 1


async def test_what_is_known_of_an_answer_later_is_added(rig: Rig) -> None:
    one, two = await rig.remember("working", "history")
    answer = await rig.answered([one])
    later = AnswerRecord(id=answer, user_id="ada", question="?", positions=[two], used=[two], created_at=9.0)
    await rig.answers.remember(later)
    record = await rig.answers.get("ada", answer)
    assert record
    assert (record.positions, record.used) == ([one, two], [two])
    assert (await rig.items.find("ada", {"_id": two}))[0].stats.retrieved == 1


async def test_learning_a_changed_outcome_takes_the_earlier_one_back(rig: Rig) -> None:
    [memory] = await rig.remember("history")
    run = ToolRun(name="web", run_id="1", result="ok")
    action = ActionTaken(name="inquire", tier="history", document_ids=["doc_1"])
    for _ in range(3):
        answer = await rig.answered([memory], actions=[action], tool_runs=[run], context_type="general")
        for outcome in ("failed", "worked", "worked"):
            await rig.outcomes.record("ada", answer, outcome)  # type: ignore[arg-type]
            rig.learning.later("ada", answer)
            await rig.learning.settle()
    advice = (await rig.routing.recommend("ada", ["pump"]))[0]
    assert (advice.tier, advice.success_rate, advice.uses) == ("history", 1.0, 3)
    actions = {each.action: each for each in await rig.effectiveness.of("ada", "general")}
    assert actions["inquire"].success_rate == actions["web"].success_rate == 1.0
    assert await rig.effectiveness.document_effect("ada", ["doc_1"]) == {"doc_1": 1.0}
    await rig.effectiveness.forget_documents("ada", ["doc_1"])
    assert await rig.effectiveness.document_effect("ada", ["doc_1"]) == {}


async def test_what_was_not_learned_before_the_end_is_learned_at_the_next_start(rig: Rig) -> None:
    [memory] = await rig.remember("history")
    await rig.outcomes.record("ada", await rig.answered([memory]), "worked")
    assert await rig.routing.recommend("ada", ["pump"]) == []
    await rig.learning.start()
    await rig.learning.settle()
    await rig.learning.stop()
    assert (await rig.routing.recommend("ada", ["pump"]))[0].uses == 1
    assert await rig.learning.sweep() == 0


async def test_tiers_that_answered_are_searched_deeply(rig: Rig) -> None:
    assert set((await rig.routing.plan("ada", ["pump"])).values()) == {COLD}
    good, bad = await rig.remember("patterns", "history")
    for _ in range(3):
        for memory, outcome in ((good, "worked"), (bad, "failed")):
            answer = await rig.answered([memory])
            await rig.outcomes.record("ada", answer, outcome)  # type: ignore[arg-type]
            rig.learning.later("ada", answer)
    await rig.learning.settle()
    plan = await rig.routing.plan("ada", ["pump"])
    assert plan == {"working": DEEP, "patterns": DEEP, "history": SHALLOW, "books": SHALLOW, "memory_bank": SHALLOW}
    assert set((await rig.routing.plan("bob", ["pump"])).values()) == {COLD}
