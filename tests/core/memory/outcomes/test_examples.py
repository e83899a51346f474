from __future__ import annotations

import asyncio

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import PalimpsestError
from core.memory.items.making import item_of
from core.memory.items.records import AnswerRecord, Authority, NewMemory, OutcomeEvent
from core.memory.items.writing import MemoryItems
from core.memory.outcomes.answers import Answers
from core.memory.outcomes.examples import OutcomeExamples, outcome_example, packed, unpacked
from core.memory.outcomes.recording import Outcomes
from core.models.embeddings import Calibration, EmbeddingIdentity, Matrix
from core.resilience.dependencies import Dependency
from core.setting_groups import Memory
from core.store.edge import EdgeIndex
from core.store.index import Vector
from core.store.items import Outcome
from core.store.sqlite.truth import SqliteTruth

ADA, BOB = "ada", "bob"


def answer(number: int, user_id: str = ADA, positions: list[str] | None = None) -> AnswerRecord:
    return AnswerRecord(
        id=f"msg_{number:032x}",
        user_id=user_id,
        question=f"How is pump {number} reset?",
        positions=positions or [],
        created_at=1.0,
    )


def said(outcome: Outcome, authority: Authority, at: float) -> OutcomeEvent:
    return OutcomeEvent(
        id=f"out_{at}", user_id=ADA, answer_id="msg", outcome=outcome, authority=authority, timestamp=at
    )


@given(st.integers(0, 2**32 - 1))
def test_a_packed_vector_points_the_same_way(seed: int) -> None:
    vector = np.random.default_rng(seed).normal(size=384).astype(np.float32)
    vector /= np.linalg.norm(vector)
    again = unpacked(packed(vector))
    assert again.dtype == np.float32
    assert float(np.linalg.norm(again)) == pytest.approx(1.0, abs=1e-5)
    assert float(again @ vector) == pytest.approx(1.0, abs=1e-3)
    assert len(packed(vector)) == 1024


async def test_lessons_come_in_the_order_of_their_time(truth: SqliteTruth) -> None:
    lessons = OutcomeExamples(truth)
    await lessons.ensure()
    heard: list[tuple[int, Outcome, float]] = [(3, "worked", 5.0), (1, "failed", 9.0), (2, "partial", 5.0)]
    await lessons.put(
        ADA, [outcome_example(answer(n), "mem_1", said(outcome, "person", at), None) for n, outcome, at in heard]
    )
    await lessons.put(BOB, [outcome_example(answer(9, BOB), "mem_1", said("worked", "person", 0.0), None)])
    found = (await lessons.of_memories(ADA, ["mem_1", "mem_2"]))["mem_1"]
    assert [each.at for each in found] == [5.0, 5.0, 9.0]
    assert [each.id for each in found[:2]] == sorted(each.id for each in found[:2])
    assert await lessons.of_memories(BOB, ["mem_2"]) == {}


async def test_there_is_one_lesson_for_an_answer_and_a_memory(truth: SqliteTruth) -> None:
    lessons = OutcomeExamples(truth)
    first = outcome_example(answer(1), "mem_1", said("worked", "detector", 1.0), None)
    await lessons.put(ADA, [first, outcome_example(answer(1), "mem_2", said("worked", "detector", 1.0), None)])
    await lessons.put(ADA, [outcome_example(answer(1), "mem_1", said("failed", "person", 2.0), None)])
    (changed,) = (await lessons.of_memories(ADA, ["mem_1"]))["mem_1"]
    assert (changed.id, changed.outcome, changed.authority) == (first.id, "failed", "person")
    await lessons.put(ADA, [], [first.id])
    assert [each.memory_id for each in await lessons.of_answer(ADA, answer(1).id)] == ["mem_2"]


class Model:
    """Counts its calls; ``slow`` never answers, ``broken`` raises."""

    identity = EmbeddingIdentity("model", 4, Calibration(0.0, 1.0))

    def __init__(self, state: str) -> None:
        self.state, self.asked = state, 0

    async def embed_query(self, text: str) -> Vector:
        self.asked += 1
        if self.state == "slow":
            await asyncio.Event().wait()
        if self.state == "broken":
            raise ConnectionError("away")
        return np.eye(4, dtype=np.float32)[0]

    async def embed_passages(self, texts: list[str]) -> Matrix:
        raise NotImplementedError


@pytest.mark.parametrize(("state", "known"), [("well", True), ("slow", False), ("broken", False)])
async def test_a_lesson_knows_its_question_when_the_model_can_be_had(
    truth: SqliteTruth, index: EdgeIndex, state: str, known: bool
) -> None:
    model, settings = Model(state), Memory()
    items, answers, lessons = MemoryItems(truth, index, None, lambda: 1.0), Answers(truth), OutcomeExamples(truth)
    bounded = Dependency("model", 0.01)
    ids = iter(f"out_{number:032x}" for number in range(9))
    outcomes = Outcomes(truth, items, answers, lessons, lambda: 1.0, lambda _: next(ids), settings, model, bounded)
    memory = item_of(ADA, f"mem_{1:032x}", NewMemory(tier="working", text="x"), 1.0, settings)
    await items.add(ADA, [memory])
    await answers.remember(answer(1, positions=[memory.id]))
    await outcomes.record(ADA, answer(1).id, "worked")
    await outcomes.record(ADA, answer(1).id, "failed")
    (taught,) = await lessons.of_answer(ADA, answer(1).id)
    assert (taught.vector is not None) == known
    assert taught.outcome == "failed"
    assert model.asked == (1 if known else 2)
    if taught.vector:
        assert unpacked(taught.vector).tolist() == [1.0, 0.0, 0.0, 0.0]


async def test_an_answer_of_another_user_is_not_overwritten(truth: SqliteTruth) -> None:
    answers = Answers(truth)
    await answers.remember(answer(1))
    with pytest.raises(PalimpsestError) as refused:
        await answers.remember(answer(1, BOB))
    assert refused.value.problem.category == "not_found"
    kept = await answers.get(ADA, answer(1).id)
    assert kept == answer(1)
    assert await answers.get(BOB, answer(1).id) is None
