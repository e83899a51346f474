"""Tests which passages count as an answer, and which are only close."""

from __future__ import annotations

from core.events import Passage, Source
from core.search.documents.acceptance import (
    MOST_NEAREST,
    firmly_accepted,
    near,
    nearest,
    split_by_acceptance,
    with_nearest,
)
from core.search.request import ScoredHit
from core.search.scoring.calibration import ANCHOR
from tests.core.search.rig import make_item


def hit(number: int, document: str, strength: float) -> ScoredHit:
    return ScoredHit(make_item(number, "text", document=document), lexical=strength * 0.4 / 0.6)


def test_a_weak_passage_is_firm_beside_a_firm_one_of_its_document_and_near_elsewhere() -> None:
    weak, beside, strong = hit(1, "a", ANCHOR - 0.05), hit(2, "b", ANCHOR - 0.05), hit(3, "b", ANCHOR + 0.01)
    found = split_by_acceptance([(weak, "strength"), (beside, "strength"), (strong, "strength")])
    assert [each for each, _ in found.firm] == [beside, strong]
    assert [each for each, _ in found.near] == [weak]


def test_weak_passages_alone_are_near_and_named_ones_are_firm() -> None:
    weak = hit(1, "a", ANCHOR - 0.05)
    assert split_by_acceptance([(weak, "strength")]).firm == []
    assert split_by_acceptance([(weak, "all_terms")]).firm == [(weak, "all_terms")]


def test_the_closest_fill_up_what_was_let_in() -> None:
    hits = [hit(number, f"d{number}", 0.05 * number) for number in range(6)]
    found = with_nearest([(hits[5], "strength")], hits)
    assert [each.item.document_id for each, _ in found] == ["d5", "d4", "d3"]
    assert [reason for _, reason in found] == ["strength", "nearest", "nearest"]
    assert with_nearest([], hits[:1]) == [(hits[0], "nearest")]


def source(number: int, *passages: Passage) -> Source:
    return Source(number=number, document_id=f"d{number}", title="", filename="", score=0.0, passages=list(passages))


def test_sources_are_parted_by_their_passages() -> None:
    claimed, close = Passage(item_id="a", text="a", score=0.2), Passage(item_id="b", text="b", score=0.9, near=True)
    sources = [source(1, claimed), source(2, close)]
    assert [each.number for each in firmly_accepted(sources)] == [1]
    assert [each.number for each in near(sources)] == [2]
    assert [passage.item_id for _, passage in nearest(sources)] == ["a", "b"]
    assert len(nearest([source(n, close) for n in range(5)])) == MOST_NEAREST
