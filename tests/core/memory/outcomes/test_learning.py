"""Tests that each outcome changes the learned routing and action statistics exactly once, even if it is repeated,
interrupted or changed."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.memory.items.records import ActionTaken, AnswerRecord, ToolRun
from core.memory.outcomes.action_effectiveness import ActionEffectiveness
from core.memory.outcomes.answers import ANSWERS, Answers
from core.memory.outcomes.learning import Learning
from core.memory.outcomes.success_counts import EXAMPLES, Example, SuccessCount
from core.memory.outcomes.tier_routing import COLD, DEEP, SHALLOW, Routing, concepts_of
from core.records.memory_meta import Tier
from core.store.items import Outcome
from core.store.sqlite.truth import SqliteTruth
from core.store.truth import Change

ADA, BOB = "ada", "bob"


class Rig:
    def __init__(self, truth: SqliteTruth) -> None:
        self.truth = truth
        self.answers = Answers(truth)
        self.routing = Routing(truth)
        self.effectiveness = ActionEffectiveness(truth)
        self.learning = Learning(truth, self.answers, self.routing, self.effectiveness, lambda: 9.0)

    async def answered(
        self,
        number: int,
        outcome: Outcome | None = None,
        tiers: Sequence[Tier] = ("history",),
        user_id: str = ADA,
        concepts: Sequence[str] = ("pump", "valve"),
        **more: object,
    ) -> AnswerRecord:
        places: dict[str, Tier] = {f"mem_{number:030x}{place:02x}": tier for place, tier in enumerate(tiers)}
        record = AnswerRecord(
            id=f"msg_{number:032x}",
            user_id=user_id,
            question=f"question {number}",
            concepts=list(concepts),
            positions=list(places),
            tiers=places,
            created_at=float(number),
            outcome=outcome,
            **more,  # type: ignore[arg-type]
        )
        return await self.answers.remember(record)

    async def say(self, record: AnswerRecord, outcome: Outcome) -> None:
        await self.answers.close(record.user_id, record.id, outcome, "person", None)
        self.learning.later(record.user_id, record.id)


@pytest.fixture
async def rig(truth: SqliteTruth) -> Rig:
    made = Rig(truth)
    for service in (made.answers, made.routing, made.effectiveness):
        await service.ensure()
    return made


async def test_an_answer_about_several_subjects_counts_once(rig: Rig) -> None:
    await rig.say(await rig.answered(1, concepts=["pump", "valve", "seal"]), "worked")
    await rig.learning.settle()
    (advice,) = await rig.routing.recommend(ADA, ["pump", "valve", "seal"])
    assert (advice.tier, advice.uses, advice.success_rate) == ("history", 1, 1.0)
    assert set((await rig.routing.plan(ADA, ["pump", "valve", "seal"])).values()) == {COLD}


async def test_partial_and_unknown_say_nothing_about_where_to_look(rig: Rig) -> None:
    await rig.say(await rig.answered(1, tiers=["history"]), "partial")
    await rig.say(await rig.answered(2, tiers=["patterns"]), "unknown")
    await rig.learning.settle()
    assert await rig.routing.recommend(ADA, ["pump"]) == []


async def test_the_best_tiers_come_first_and_deep(rig: Rig) -> None:
    said: list[tuple[Tier, Outcome, int]] = [
        ("books", "worked", 4),
        ("patterns", "worked", 2),
        ("memory_bank", "worked", 1),
        ("history", "failed", 3),
    ]
    number = 0
    for tier, outcome, times in said:
        for _ in range(times):
            number += 1
            await rig.say(await rig.answered(number, tiers=[tier]), outcome)
    await rig.learning.settle()
    assert [each.tier for each in await rig.routing.recommend(ADA, ["pump"])] == [
        "books",
        "patterns",
        "memory_bank",
        "history",
    ]
    assert await rig.routing.plan(ADA, ["pump"]) == {
        "working": DEEP,
        "books": DEEP,
        "patterns": DEEP,
        "memory_bank": SHALLOW,
        "history": SHALLOW,
    }


async def test_users_learn_apart(rig: Rig) -> None:
    await rig.say(await rig.answered(1), "worked")
    await rig.say(await rig.answered(2, user_id=BOB), "failed")
    await rig.learning.settle()
    assert (await rig.routing.recommend(ADA, ["pump"]))[0].success_rate == 1.0
    assert (await rig.routing.recommend(BOB, ["pump"]))[0].success_rate == 0.0


@pytest.mark.parametrize(
    ("question", "concepts"),
    [
        ("How do I reset the pumps?", ["reset", "pump"]),
        ("pump, pumps, PUMP", ["pump"]),
        ("מה תקופת השמירה?", ["תקופת", "השמירה"]),
        ("How?", []),
    ],
)
def test_what_a_question_is_about(question: str, concepts: list[str]) -> None:
    assert concepts_of(question) == concepts


async def test_a_crash_in_the_middle_of_learning_doubles_nothing(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    record = await rig.answered(1, actions=[ActionTaken(name="inquire", tier="history")])

    async def cut(*_: object) -> None:
        raise ConnectionError("power")

    for outcome in ("worked", "failed"):
        with monkeypatch.context() as patched:
            patched.setattr(rig.effectiveness, "learn", cut)
            await rig.say(record, outcome)  # type: ignore[arg-type]
            with pytest.raises(ConnectionError):
                await rig.learning.settle()
    assert await rig.learning.sweep() == 1
    await rig.learning.settle()
    (advice,) = await rig.routing.recommend(ADA, ["pump"])
    assert (advice.uses, advice.success_rate) == (1, 0.0)


async def test_an_outcome_that_changes_while_it_is_learned_is_learned_as_it_ends(
    rig: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    record = await rig.answered(1)
    learn = rig.effectiveness.learn

    async def meanwhile(answer: AnswerRecord, outcome: Outcome, at: float) -> None:
        await learn(answer, outcome, at)
        if outcome == "worked":
            await rig.answers.close(ADA, record.id, "failed", "person", None)

    monkeypatch.setattr(rig.effectiveness, "learn", meanwhile)
    await rig.say(record, "worked")
    await rig.learning.settle()
    assert (await rig.routing.recommend(ADA, ["pump"]))[0].success_rate == 0.0
    answer = await rig.answers.get(ADA, record.id)
    assert answer
    assert answer.learned == "failed"


async def test_it_learns_behind_the_persons_back_and_outlives_a_failure(
    rig: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    learn = rig.routing.learn
    broken = [True]

    async def brittle(*given: object) -> None:
        if broken.pop() if broken else False:
            raise ConnectionError("away")
        await learn(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(rig.routing, "learn", brittle)
    await rig.learning.start()
    for number in (1, 2):
        await rig.say(await rig.answered(number), "worked")
        await asyncio.wait_for(rig.learning.settle(), 30)
    await rig.learning.stop()
    assert (await rig.routing.recommend(ADA, ["pump"]))[0].uses == 1
    await rig.learning.start()
    await asyncio.wait_for(rig.learning.settle(), 30)
    await rig.learning.stop()
    assert (await rig.routing.recommend(ADA, ["pump"]))[0].uses == 2


async def test_outcomes_learned_at_once_by_two_processes_all_count(rig: Rig) -> None:
    records = [await rig.answered(number) for number in range(1, 7)]
    others = [Learning(rig.truth, rig.answers, rig.routing, rig.effectiveness, lambda: 9.0) for _ in range(2)]
    for record in records:
        await rig.answers.close(ADA, record.id, "worked", "person", None)
        for other in others:
            other.later(ADA, record.id)
    await asyncio.gather(*(other.settle() for other in others))
    assert (await rig.routing.recommend(ADA, ["pump"]))[0].uses == 6


# -- actions ---------------------------------------------------------------------------


async def test_actions_count_partial_as_half_and_are_shown_after_three_uses(rig: Rig) -> None:
    done = [ActionTaken(name="search_memory", tier="patterns")]
    outcomes: list[Outcome] = ["worked", "partial", "failed"]
    for number, outcome in enumerate(outcomes):
        assert await rig.effectiveness.of(ADA, "coding_help") == []
        await rig.say(await rig.answered(number + 1, actions=done, context_type="coding_help"), outcome)
        await rig.learning.settle()
    (advice,) = await rig.effectiveness.of(ADA, "coding_help")
    assert (advice.action, advice.tier, advice.uses, advice.success_rate) == ("search_memory", "patterns", 3, 0.5)
    assert await rig.effectiveness.of(ADA, "general") == []
    assert await rig.effectiveness.of(BOB, "coding_help") == []


async def test_a_tool_that_failed_has_no_part_in_a_success(rig: Rig) -> None:
    runs = [ToolRun(name="web", run_id="1", result="timeout"), ToolRun(name="data", run_id="2", result="ok")]
    for number in range(3):
        await rig.say(await rig.answered(number + 1, tool_runs=runs), "worked")
    await rig.learning.settle()
    rates = {each.action: each.success_rate for each in await rig.effectiveness.of(ADA, "general")}
    assert rates == {"data": 1.0, "web": 0.0}


async def test_a_document_is_judged_by_the_answers_that_rested_on_it(rig: Rig) -> None:
    outcomes: list[Outcome] = ["worked", "worked", "partial", "unknown"]
    for number, outcome in enumerate(outcomes):
        done = [
            ActionTaken(name=name, tier="books", document_ids=["doc_a", *(["doc_b"] if number < 2 else [])])
            for name in ("inquire", "search")
        ]
        await rig.say(await rig.answered(number + 1, actions=done), outcome)
    await rig.learning.settle()
    assert await rig.effectiveness.document_effect(ADA, ["doc_a", "doc_b", "doc_c"]) == {"doc_a": pytest.approx(5 / 6)}
    assert await rig.effectiveness.document_effect(BOB, ["doc_a"]) == {}
    await rig.effectiveness.forget_documents(ADA, ["doc_a"])
    assert await rig.effectiveness.document_effect(ADA, ["doc_a"]) == {}
    rows = await rig.truth.collection("memory_actions").find()
    assert "doc_a" not in str(rows)
    assert (await rig.effectiveness.of(ADA, "general"))[0].uses == 3


# -- tallies ---------------------------------------------------------------------------

said = st.lists(
    st.tuples(st.integers(0, 5), st.sampled_from(["worked", "failed", "partial", "unknown"])), min_size=1, max_size=30
)


def _told(
    tally: SuccessCount, number: int, outcome: Outcome, at: float, learned: Outcome | None = None
) -> SuccessCount:
    return tally.with_example(Example(answer_id=f"msg_{number}", outcome=outcome, at=at), learned)


@given(said)
def test_a_tally_holds_the_last_word_about_each_answer(heard: list[tuple[int, Outcome]]) -> None:
    tally = SuccessCount(id="x", user_id=ADA)
    for at, (number, outcome) in enumerate(heard):
        for _ in range(2):
            tally = _told(tally, number, outcome, float(at))
    last = list(dict(heard).values())
    assert [tally.worked, tally.failed, tally.partial, tally.unknown] == [
        last.count(name) for name in ("worked", "failed", "partial", "unknown")
    ]


def test_an_answer_whose_example_had_to_go_can_still_change() -> None:
    tally = SuccessCount(id="x", user_id=ADA)
    for number in range(EXAMPLES + 3):
        tally = _told(tally, number, "worked", float(number))
    assert (tally.worked, len(tally.examples)) == (EXAMPLES + 3, EXAMPLES)
    tally = _told(tally, 0, "failed", 1000.0, learned="worked")
    assert (tally.worked, tally.failed) == (EXAMPLES + 2, 1)


async def test_what_has_no_outcome_is_not_swept(rig: Rig) -> None:
    await rig.answered(1)
    learned = await rig.answered(2, "worked")
    await rig.truth.collection(ANSWERS).update(learned.id, Change(set={"learned": "worked"}))
    assert await rig.learning.sweep() == 0
