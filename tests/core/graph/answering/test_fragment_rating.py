"""Tests how a model's rating of passages changes the order of sources."""

from __future__ import annotations

from core.events import Passage, Source
from core.graph.answering.fragment_rating import reranked


def source(number: int, score: float, **given: object) -> Source:
    passage = Passage(
        item_id=f"p{number}", text="t", score=score, **{k: v for k, v in given.items() if k != "attached"}
    )
    attached = bool(given.get("attached"))
    return Source(
        number=number, document_id=f"d{number}", title="t", filename="f", score=score, passages=[passage],
        attached=attached,
    )  # fmt: skip


def documents(sources: list[Source]) -> list[str]:
    assert [each.number for each in sources] == list(range(1, len(sources) + 1))
    return [each.document_id for each in sources]


def test_the_rating_has_its_share_of_the_score() -> None:
    found = reranked([source(1, 0.8), source(2, 0.6)], {"p1": 0.0, "p2": 1.0}, 0.4)
    assert documents(found) == ["d2", "d1"]
    assert [round(each.score, 3) for each in found] == [0.76, 0.48]
    assert documents(reranked([source(1, 0.8), source(2, 0.6)], {"p1": 0.0, "p2": 1.0}, 0.1)) == ["d1", "d2"]


def test_who_led_for_another_reason_than_a_score_loses_no_lead_by_equal_ratings() -> None:
    newest_first = [source(1, 0.5), source(2, 0.6)]
    assert documents(reranked(newest_first, {"p1": 0.5, "p2": 0.5}, 0.4)) == ["d1", "d2"]


def test_what_is_known_to_answer_and_attachments_stay_before_and_what_comes_near_behind() -> None:
    given = [source(1, 0.2, attached=True), source(2, 0.2, precedence=1), source(3, 0.9), source(4, 0.9, near=True)]
    found = reranked(given, {"p2": 0.0, "p3": 1.0, "p4": 1.0, "p1": 0.0}, 0.9)
    assert documents(found) == ["d1", "d2", "d3", "d4"]
