from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime

import numpy as np
import pytest

from core.language.terms import index_terms
from core.question.analysis import analyse
from core.search.request import ScoredHit
from core.search.retrievers import without_names
from core.search.scoring.episodes import LEAD, WEIGHTS, Episodes, features, fuse_episodes, is_question, with_lead
from core.store.items import MEMORY, ItemSource, MemoryItem, Place, Timestamps


def item(
    number: int, text: str, episode: str | None = "one", order: int | None = None, said: str = "", **more: object
) -> MemoryItem:
    at = datetime.fromisoformat(said).replace(tzinfo=UTC).timestamp() if said else 0.0
    return MemoryItem(
        id=f"mem_{number:032x}",
        user_id="ada",
        tier=more.get("tier", "history"),  # type: ignore[arg-type]
        text=text,
        scope=MEMORY,
        source=ItemSource(type="user", speaker=more.get("speaker")),  # type: ignore[arg-type]
        timestamps=Timestamps(created_at=at, updated_at=at),
        place=Place(episode=episode, order=number if order is None else order),
    )


def counts(of: MemoryItem) -> Counter[str]:
    return Counter(index_terms(of.text, of.language))


def ranked(question: str, items: list[MemoryItem], around: list[MemoryItem] | None = None) -> list[int]:
    candidates = [ScoredHit(each) for each in items]
    fuse_episodes(analyse(question), candidates, Episodes(candidates, around or [], counts))
    best = sorted(candidates, key=lambda each: (-each.fused, each.item.id))
    return [int(each.item.id.removeprefix("mem_"), 16) for each in best]


def test_an_answer_is_found_by_the_question_before_it() -> None:
    items = [
        item(1, "Which pump did the plant order last year?"),
        item(2, "The blue one, from Haifa."),
        item(3, "Weather was fine on that day.", "two"),
        item(4, "Lunch was good, as it always is.", "two", 9),
    ]
    assert ranked("Which pump was ordered by the plant?", items)[0] == 2


def test_a_neighbour_that_is_no_candidate_speaks_for_a_memory_too() -> None:
    answer, other = item(2, "The blue one, from Haifa."), item(5, "The green one, from Acre.", "two")
    before = item(1, "Which pump did the plant order?")
    assert ranked("Which pump did the plant order?", [other, answer], [before])[0] == 2


@pytest.mark.parametrize(
    ("question", "first"), [("What did Noa say of the valve?", 1), ("What did Dan say of the valve?", 2)]
)
def test_who_is_named_has_said_it(question: str, first: int) -> None:
    items = [item(1, "The valve leaks.", speaker="Noa"), item(2, "The valve leaks.", "two", speaker="Dan")]
    assert ranked(question, items)[0] == first


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("What did we decide in March?", 1),
        ("What did we decide in July 2024?", 2),
        ("מה החלטנו ביולי?", 2),
        ("What did we decide on 3 jul, 2024?", 2),
        ("What did we decide on the march in July?", 2),
        ("What did we decide?", 1),
        ("What may we decide?", 1),
    ],
)
def test_the_month_that_is_named(question: str, first: int) -> None:
    items = [item(1, "We decided.", said="2024-03-05"), item(2, "We decided.", "two", said="2024-07-05")]
    assert ranked(question, items)[0] == first


def test_what_asks_tells_less_than_what_answers() -> None:
    assert is_question("Really? ")
    assert not is_question("Really.")
    assert ranked("valve seven", [item(1, "Is it valve seven?"), item(2, "It is valve seven.", "two")])[0] == 2


def test_long_texts_of_one_tier_do_not_push_away_short_ones_of_another() -> None:
    chunk = item(1, "The hotel in Haifa. " + "It has many rooms. " * 60, "doc", tier="books")
    fact = item(2, "The hotel limit in Haifa is 560.", None, tier="memory_bank")
    assert ranked("hotel limit in Haifa", [chunk, fact])[0] == 2


def test_every_weight_has_its_feature_in_reach() -> None:
    candidates = [ScoredHit(item(n, text)) for n, text in enumerate(("Which valve?", "Valve seven leaks.", "So what."))]
    found = features(analyse("Which valve leaks?"), candidates, Episodes(candidates, [], counts))
    assert set(found) == set(WEIGHTS)
    assert all(values.shape == (3,) for values in found.values())
    assert all(abs(values).max() <= 2 for values in found.values())


def test_the_best_of_each_episode_leads_it() -> None:
    scores = np.array([5.0, 5.1, 5.0, 3.0, 1.0])
    led = with_lead(scores, ["one", "one", "two", None, None])
    assert (led - scores).tolist() == pytest.approx([0.0, LEAD, LEAD, LEAD, LEAD])
    assert scores.tolist() == [5.0, 5.1, 5.0, 3.0, 1.0]


def test_of_equals_the_first_leads() -> None:
    assert with_lead(np.array([2.0, 2.0]), ["one", "one"]).tolist() == pytest.approx([2.0 + LEAD, 2.0])


def test_nothing_found_is_nothing_to_rank() -> None:
    fuse_episodes(analyse("anything"), [], Episodes([], [], counts))


@pytest.mark.parametrize(
    ("question", "names", "left"),
    [
        ("What did Caroline research?", ["Caroline"], "What did research?"),
        ("What is Caroline's plan?", ["caroline", "Mel"], "What is plan?"),
        ("Caroline", ["Caroline"], "Caroline"),
        ("What did Carol do?", ["Caroline"], "What did Carol do?"),
    ],
)
def test_a_question_without_names(question: str, names: list[str], left: str) -> None:
    assert without_names(question, names) == left
