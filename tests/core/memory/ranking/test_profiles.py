from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.memory.items.records import OutcomeExample
from core.memory.outcomes.examples import packed
from core.memory.outcomes.scoring import quality, replayed
from core.memory.ranking.boosts import BOUND, USUAL_QUALITY, Boosts, authority
from core.memory.ranking.conditional import CONDITIONAL, Conditional, QuestionSimilarities
from core.memory.ranking.profiles import documents_profile_of, profile_of
from core.memory.ranking.seed import learned, weights
from core.models.embeddings import Calibration
from core.question.analysis import analyse
from core.records.memory_meta import Tier
from core.search.pipeline import RankingQuestion
from core.search.request import ScoredHit
from core.setting_groups import Memory
from core.store.index import Vector
from core.store.items import MEMORY, ItemSource, MemoryItem, Outcome, Stats, Timestamps

CALIBRATION = Calibration(0.0, 0.7)
QUESTION = "How do I reset the pump?"


def item(number: int, tier: Tier = "history", outcomes: Sequence[Outcome] = (), **fields: object) -> MemoryItem:
    values: dict[str, object] = {
        "_id": f"mem_{number:032x}",
        "user_id": "ada",
        "tier": tier,
        "kind": "fact",
        "text": f"text {number}",
        "scope": MEMORY,
        "source": ItemSource(type="user"),
        "timestamps": Timestamps(created_at=0.0, updated_at=0.0),
        "stats": replayed(Stats(), outcomes, Memory()),
    }
    return MemoryItem.model_validate({**values, **fields})


def bank(number: int, importance: float, confidence: float) -> MemoryItem:
    return item(number, "memory_bank", quality=quality(importance, confidence))


def vector(cosine: float) -> Vector:
    """Returns an earlier question's vector with this cosine to the current question."""
    return np.array([cosine, math.sqrt(1 - cosine * cosine)], dtype=np.float32)


ASKED = vector(1.0)


def taught(memory: MemoryItem, outcome: Outcome, times: int = 1, question: str = QUESTION, cosine: float = 1.0) -> list:
    return [
        OutcomeExample(
            id=f"less_{question}_{outcome}_{number}",
            user_id="ada",
            answer_id=f"msg_{number}",
            memory_id=memory.id,
            question=question,
            outcome=outcome,
            authority="person",
            at=float(number),
            vector=packed(vector(cosine)),
        )
        for number in range(times)
    ]


class Taught:
    """Fake learned lessons: returns them by memory, and records the requested memory ids."""

    def __init__(self, *lessons: list[OutcomeExample]) -> None:
        self._lessons = lessons
        self.asked: list[str] = []

    async def of_memories(self, user_id: str, memory_ids: Sequence[str]) -> dict[str, list[OutcomeExample]]:
        self.asked += memory_ids
        return {
            memory: [each for each in found if each.memory_id == memory]
            for memory in memory_ids
            for found in [[lesson for lessons in self._lessons for lesson in lessons]]
        }


def hit(memory: MemoryItem, relevance: float, **fields: object) -> ScoredHit:
    return ScoredHit(memory, fused=relevance, **fields)  # type: ignore[arg-type]


async def ranked(
    hits: Sequence[ScoredHit], lessons: Taught, name: str = "conditional", vector: Vector | None = ASKED, **more: object
) -> list[str]:
    """Returns the ids of the memories, best first."""
    settings = Memory(profile=name)  # type: ignore[arg-type]
    profile = profile_of(settings, lessons, CALIBRATION, **more)  # type: ignore[arg-type]
    weigh = await profile(RankingQuestion("ada", analyse(QUESTION), vector, QUESTION), [each.item for each in hits])
    weigh(hits)
    for each in hits:
        each.final = each.weighed * each.authority
    return [each.item.id for each in sorted(hits, key=lambda each: (-each.final, each.item.id))]


# -- conditional ---------------------------------------------------------------------------------


async def test_what_failed_three_times_sinks_below_what_worked() -> None:
    bad, good = item(1, outcomes=["failed"] * 3), item(2, outcomes=["worked"] * 3)
    hits = [hit(bad, 0.9), hit(good, 0.3)]
    assert await ranked(hits, Taught(taught(bad, "failed", 3), taught(good, "worked", 3))) == [good.id, bad.id]
    assert hits[0].learned
    assert hits[0].learned.score < 0.25
    assert hits[1].learned
    assert hits[1].learned.boosts["outcomes"] > 3


@pytest.mark.parametrize(
    ("lessons", "direct", "cosine", "precedence"),
    [
        (["worked"], True, 1.0, 1),
        (["failed"], True, 1.0, -1),
        (["partial"], True, 1.0, 0),
        (["worked"], False, 1.0, 0),
        (["worked", "worked", "worked"], False, 1.0, 1),
        (["failed", "failed", "failed"], False, 1.0, -1),
        (["worked", "failed"], True, 1.0, 0),
        (["failed"], True, 0.97, -1),
        (["failed"], True, 0.5, 0),
    ],
)
async def test_a_settled_verdict_on_the_same_question_goes_before_relevance(
    lessons: list[Outcome], direct: bool, cosine: float, precedence: int
) -> None:
    memory = item(1, outcomes=lessons)
    wording = QUESTION if cosine == 1.0 else "Something else entirely"
    said = [
        each.model_copy(update={"direct": direct})
        for outcome in lessons
        for each in taught(memory, outcome, 1, wording, cosine)
    ]
    found = hit(memory, 0.8)
    await ranked([found], Taught(said))
    assert found.precedence == precedence


async def test_one_outcome_moves_a_little() -> None:
    bad, good = item(1, outcomes=["failed"]), item(2)
    assert await ranked([hit(bad, 0.9), hit(good, 0.5)], Taught(taught(bad, "failed"))) == [bad.id, good.id]
    assert await ranked([hit(bad, 0.53), hit(good, 0.5)], Taught(taught(bad, "failed"))) == [good.id, bad.id]


@pytest.mark.parametrize(("cosine", "moves"), [(0.97, True), (0.75, True), (0.44, False), (-0.3, False)])
async def test_outcomes_speak_of_questions_like_their_own(cosine: float, moves: bool) -> None:
    memory = item(1, outcomes=["failed"] * 3)
    lessons = Taught(taught(memory, "failed", 3, "Something else entirely", cosine))
    found = hit(memory, 0.8)
    await ranked([found], lessons)
    assert (found.weighed < 0.8 * (1 - BOUND)) is moves


async def test_the_same_words_are_the_same_question_without_a_vector() -> None:
    memory = item(1, outcomes=["failed"] * 3)
    lessons = [
        each.model_copy(update={"vector": None}) for each in taught(memory, "failed", 3, "how do I reset the PUMP?")
    ]
    found = hit(memory, 0.8)
    await ranked([found], Taught(lessons), vector=None)
    assert found.weighed < 0.3


@pytest.mark.parametrize(
    ("earlier", "moves"),
    [("Resetting the pump", True), ("How do I paint the fence?", False), ("", False)],
)
async def test_without_vectors_words_compare_questions(earlier: str, moves: bool) -> None:
    memory = item(1, outcomes=["failed"] * 3)
    found = hit(memory, 0.8)
    await ranked([found], Taught(taught(memory, "failed", 3, earlier)), vector=None)
    assert (found.weighed < 0.8 * (1 - BOUND)) is moves


async def test_a_vector_of_another_model_is_not_compared() -> None:
    memory = item(1, outcomes=["failed"] * 3)
    found = hit(memory, 0.8)
    await ranked([found], Taught(taught(memory, "failed", 3, "Other words")), vector=np.ones(3, dtype=np.float32))
    assert found.weighed > 0.8 * (1 - BOUND)


@pytest.mark.parametrize(("question", "cosine"), [("Something else", -0.3), ("How do I reset the valve?", 0.96)])
async def test_outcomes_of_other_questions_move_nothing(question: str, cosine: float) -> None:
    memory, passage = item(1, outcomes=["failed"] * 9), item(2, "books")
    remembered, read = hit(memory, 0.8), hit(passage, 0.8)
    await ranked([remembered], Taught(taught(memory, "failed", 9, question, cosine)))
    profile = documents_profile_of(Memory(), Taught(taught(passage, "failed", 9, question, cosine)), CALIBRATION)
    (await profile(RankingQuestion("ada", analyse(QUESTION), ASKED, QUESTION), [passage]))([read])
    assert (remembered.weighed, read.weighed) == (0.8, 0.8)


async def test_only_memories_with_outcomes_are_looked_up() -> None:
    tried, untried, book = item(1, outcomes=["worked"]), item(2), item(3, "books")
    lessons = Taught()
    await ranked([hit(each, 0.5) for each in (tried, untried, book)], lessons)
    assert lessons.asked == [tried.id]


async def test_partial_and_unknown_move_nothing() -> None:
    memory = item(1, outcomes=["partial", "partial", "unknown"])
    found = hit(memory, 0.8)
    await ranked([found], Taught(taught(memory, "partial", 3), taught(memory, "unknown", 3)))
    assert found.weighed == pytest.approx(0.8)


@given(st.lists(st.sampled_from(["worked", "failed", "partial"]), max_size=30))
def test_a_verdict_stays_within_bounds_and_success_always_raises_it(outcomes: list[Outcome]) -> None:
    likeness = QuestionSimilarities(QUESTION, ASKED, CALIBRATION)
    memory = item(1)
    lessons = [lesson for outcome in outcomes for lesson in taught(memory, outcome)]
    verdict, _ = CONDITIONAL.verdict(lessons, likeness)
    assert -1 <= verdict <= 1
    more, _ = CONDITIONAL.verdict([*lessons, *taught(memory, "worked")], likeness)
    assert more > verdict


def test_several_questions_share_one_verdict() -> None:
    likeness = QuestionSimilarities(QUESTION, ASKED, CALIBRATION)
    memory = item(1)
    alone, _ = CONDITIONAL.verdict(taught(memory, "worked", 3, "one", 0.97), likeness)
    both, _ = CONDITIONAL.verdict(
        [*taught(memory, "worked", 3, "one", 0.97), *taught(memory, "failed", 3, "two", 0.97)], likeness
    )
    assert alone > 0.5
    assert both == pytest.approx(0)


def test_outcomes_of_questions_like_each_other_add_up() -> None:
    likeness = QuestionSimilarities(QUESTION, ASKED, CALIBRATION)
    memory = item(1)
    reworded = [lesson for name in ("one", "two", "three") for lesson in taught(memory, "failed", 1, name, 0.97)]
    apart = [lesson for cosine in (0.97, 0.5, -0.3) for lesson in taught(memory, "failed", 1, f"{cosine}", cosine)]
    once, _ = CONDITIONAL.verdict(reworded[:1], likeness)
    assert CONDITIONAL.verdict(reworded, likeness)[0] < -0.3 < 5 * once
    assert CONDITIONAL.verdict(apart, likeness)[0] > 3 * once


def test_parts_can_be_switched_off() -> None:
    likeness = QuestionSimilarities(QUESTION, ASKED, CALIBRATION)
    lessons = taught(item(1), "failed", 1, "Something else", 0.1)
    assert CONDITIONAL.verdict(lessons, likeness) == (0.0, 0.0)
    assert Conditional(gated=False, shrunk=False).verdict(lessons, likeness) == (-1.0, 1.0)


# -- the other profiles --------------------------------------------------------------------------


async def test_success_never_lowers_a_memory() -> None:
    tried = item(1, outcomes=["worked"] * 3)
    found = hit(tried, 0.5)
    await ranked([found], Taught(taught(tried, "worked", 3)))
    assert found.weighed > 0.5


@pytest.mark.parametrize(
    ("memory", "expected"),
    [
        (item(1, outcomes=["worked"] * 5), (0.20, 0.80)),
        (item(1, outcomes=["worked"] * 3), (0.25, 0.75)),
        (item(1, outcomes=["worked", "partial"]), (0.35, 0.65)),
        (item(1, outcomes=["failed", "failed"]), (0.70, 0.30)),
        (item(1, outcomes=["worked"]), (0.70, 0.30)),
        (item(1), (0.70, 0.30)),
        (bank(1, 1.0, 0.8), (0.45, 0.55)),
        (bank(1, 0.7, 0.7), (0.60, 0.40)),
    ],
)
def test_the_weight_table(memory: MemoryItem, expected: tuple[float, float]) -> None:
    assert weights(memory) == expected


@pytest.mark.parametrize(
    ("memory", "expected"),
    [
        (item(1), 0.5),
        (item(1, outcomes=["worked"] * 3), 0.4385),
        (item(1, outcomes=["partial", "partial"]), 0.0945),
        (bank(1, 0.9, 0.5), 0.45),
        (item(1, "books"), 0.0),
    ],
)
def test_what_the_seed_learned(memory: MemoryItem, expected: float) -> None:
    assert learned(memory) == pytest.approx(expected, abs=1e-3)


async def test_the_seed_by_hand() -> None:
    first = hit(item(1), 0.0, dense=0.5, dense_rank=2, lexical_rank=1)
    await ranked([first], Taught(), "seed")
    similarity = 0.6 * 0.5 + 0.2 * 1 + 0.2 * (1 / 62 + 1 / 61) * 61 / 2
    assert first.learned
    assert first.learned.similarity == pytest.approx(similarity)
    assert first.weighed == pytest.approx(0.7 * similarity + 0.3 * 0.5)


async def test_the_seed_shortens_the_distance_of_good_facts_and_multiplies_at_the_end() -> None:
    fact = hit(bank(1, 1.0, 0.5), 0.0, dense=0.5, dense_rank=1)
    await ranked([fact], Taught(), "seed")
    similarity = 0.6 / (1 + 1.0 * 0.6) + 0.2 * 0.5
    assert fact.learned
    assert fact.learned.similarity == pytest.approx(similarity)
    assert fact.weighed == pytest.approx(0.6 * similarity + 0.4 * 0.5)
    assert fact.authority == 1.5


# -- bank and boosts -----------------------------------------------------------------------------


def test_a_fact_of_usual_quality_competes_by_relevance() -> None:
    assert authority(bank(1, 0.7, 0.7)) == pytest.approx(1.0, abs=1e-6)
    assert authority(bank(1, 1.0, 1.0)) == pytest.approx(2 / (1 + USUAL_QUALITY))
    assert authority(bank(1, 0.1, 0.1)) < 1
    assert authority(item(1)) == 1


@pytest.mark.parametrize(
    ("memory", "boosts", "expected"),
    [
        (item(1), Boosts(known=frozenset([item(1).id])), {"known_solution": 0.7 / 0.4}),
        (bank(1, 0.7, 0.7), Boosts(entities={item(1).id: 1.0}), {"entities": 1.2}),
        (bank(1, 0.7, 0.7), Boosts(entities={item(1).id: 9.0}), {"entities": 1.5}),
        (item(1), Boosts(entities={item(1).id: 1.0}), {}),
        (item(1), Boosts(effects={item(1).id: 1.0}), {"actions": 1.3}),
        (item(1), Boosts(effects={item(1).id: 0.0}), {"actions": 0.7}),
        (item(1, "books"), Boosts(effects={item(1).id: 1.0}), {"actions": 1.15}),
        (bank(1, 0.7, 0.7), Boosts(effects={item(1).id: 0.0}), {"actions": 1.0}),
    ],
)
def test_boosts_by_name(memory: MemoryItem, boosts: Boosts, expected: dict[str, float]) -> None:
    assert boosts.of(memory, 0.4) == pytest.approx(expected)


def test_similarity_stays_within_one() -> None:
    assert Boosts.boosted(0.9, {"entities": 1.5}) == 1.0


async def test_a_known_solution_rises_and_a_source_that_fails_is_left_out() -> None:
    async def known(user_id: str, question: str) -> set[str]:
        return {item(2).id}

    async def broken(user_id: str, items: Sequence[MemoryItem]) -> dict[str, float]:
        raise RuntimeError

    hits = [hit(item(1), 0.6), hit(item(2), 0.4)]
    assert await ranked(hits, Taught(), known=known, effects=broken) == [item(2).id, item(1).id]
