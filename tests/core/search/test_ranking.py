"""Tests fusion, trust and neighbouring passages on candidates with given strengths."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.search.request import ScoredHit
from core.search.scoring.dense_confidence import dense_confidence
from core.search.scoring.fusion import MEANING, UNSEEN, fuse_rrf, fuse_weighted
from core.search.scoring.neighbour_smoothing import EPISODE, NEIGHBOURS, smooth_by_neighbours
from tests.core.search.rig import make_item


def hit(number: int, *, episode: str | None = "doc", order: int | None = None, **parts: float | None) -> ScoredHit:
    place = {"episode": episode, "order": number if order is None else order}
    return ScoredHit(make_item(number, "text", place=place), **parts)  # type: ignore[arg-type]


def test_weighted_fusion_by_hand() -> None:
    both, seen_by_words = hit(1, dense=0.8, lexical=0.4), hit(2, lexical=0.4)
    fuse_weighted([both, seen_by_words], trust=1.0)
    assert both.fused == pytest.approx(MEANING * 0.8 + (1 - MEANING) * 0.4)
    assert seen_by_words.fused == pytest.approx(UNSEEN * 0.4)


def test_without_trust_words_decide_alone() -> None:
    candidates = [hit(1, dense=0.9, lexical=0.1), hit(2, dense=0.0, lexical=0.2), hit(3, lexical=0.3)]
    fuse_weighted(candidates, trust=0.0)
    assert [each.fused for each in candidates] == pytest.approx([0.1, 0.2, 0.3])


def test_where_there_are_no_vectors_the_lane_of_words_has_its_say() -> None:
    candidates = [hit(1, lexical=0.5, bm25=4.0), hit(2, lexical=0.6, bm25=1.0), hit(3, lexical=0.2)]
    fuse_weighted(candidates, trust=0.0)
    assert [each.fused for each in candidates] == pytest.approx([0.575, 0.5475, 0.17])
    alone = [hit(1, lexical=0.5), hit(2, lexical=0.0)]
    fuse_weighted(alone, trust=0.0)
    assert [each.fused for each in alone] == pytest.approx([0.425, 0.0])


@pytest.mark.parametrize(
    ("dense", "lexical", "expected"),
    [(1, 1, 1.0), (1, None, 0.5), (None, None, 0.0), (2, 3, (1 / 62 + 1 / 63) * 61 / 2)],
)
def test_reciprocal_rank_by_hand(dense: int | None, lexical: int | None, expected: float) -> None:
    candidate = hit(1, dense_rank=dense, lexical_rank=lexical)
    fuse_rrf([candidate], 60)
    assert candidate.fused == pytest.approx(expected)


def test_meaning_is_trusted_where_it_agrees_with_words() -> None:
    agreeing = [hit(1, lexical=0.9, dense=0.9, cosine=0.9), hit(2, lexical=0.1, dense=0.2, cosine=0.2)]
    assert dense_confidence(agreeing) == pytest.approx(1.0)


def test_meaning_is_doubted_as_far_as_words_are_sure() -> None:
    def asked(sure: float) -> float:
        strangers = [hit(number, dense=0.8, cosine=0.8 - number / 100) for number in range(2, 6)]
        return dense_confidence([hit(1, lexical=sure, dense=0.7), *strangers])

    assert asked(1.0) == pytest.approx(0.0)
    assert asked(0.5) == pytest.approx(0.5)


def test_nothing_speaks_against_meaning_where_words_find_nothing() -> None:
    assert dense_confidence([hit(1, dense=0.8, cosine=0.8), hit(2, dense=0.7, cosine=0.7)]) == 1.0


def test_a_text_whose_vector_is_still_to_come_is_no_witness() -> None:
    assert dense_confidence([hit(1, lexical=1.0), hit(2, dense=0.8, cosine=0.8)]) == 1.0


def test_company_by_hand() -> None:
    lead, beside, far, stranger = (
        hit(1, fused=0.9),
        hit(2, fused=0.3),
        hit(7, fused=0.3),
        hit(8, fused=0.3, episode="other"),
    )
    smooth_by_neighbours([lead, beside, far, stranger])
    assert [each.company for each in (lead, beside, far, stranger)] == pytest.approx(
        [0.0, EPISODE * 0.6 + NEIGHBOURS * 0.6, EPISODE * 0.6, 0.0]
    )


def test_what_belongs_to_no_episode_has_no_company() -> None:
    one, two = hit(1, fused=0.9, episode=None), hit(2, fused=0.1, episode=None)
    smooth_by_neighbours([one, two])
    assert one.company == two.company == 0.0


@given(
    places=st.lists(
        st.tuples(st.sampled_from("abc"), st.integers(0, 6), st.floats(0, 1)),
        min_size=1,
        max_size=20,
        unique_by=lambda place: place[:2],
    )
)
def test_company_never_moves_the_best_of_an_episode(places: list[tuple[str, int, float]]) -> None:
    candidates = [
        hit(number, episode=episode, order=order, fused=fused) for number, (episode, order, fused) in enumerate(places)
    ]
    smooth_by_neighbours(candidates)
    for episode in {each.item.place.episode for each in candidates}:
        group = [each for each in candidates if each.item.place.episode == episode]
        best = max(each.fused for each in group)
        assert max(each.fused + each.company for each in group) == pytest.approx(best)
        assert all(each.company >= 0 for each in group)
