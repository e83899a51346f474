"""Checks which statements of one document contradict each other by the names that they give."""

from __future__ import annotations

import pytest

from core.events import Passage, Source
from core.review.actions.comparable_statements import comparable_statements
from core.review.actions.consistency.contradictions import contradictions_within


def found(*texts: str) -> list[tuple[str, str]]:
    passages = [
        Passage(item_id=f"m{place}", text=text, position=place, score=1) for place, text in enumerate(texts, start=1)
    ]
    source = Source(number=1, document_id="d", title="Charter", filename="c.md", score=1, passages=passages)
    points = [each for each in comparable_statements(source) if each.whole]
    return [(each.place.text, each.other.text) for each in contradictions_within(points) if each.other]


@pytest.mark.parametrize(
    ("one", "other", "contradicts"),
    [
        ("The manager of the harbour project is Ruth Cohen.", "The manager of the harbour project is Dana Levi.", True),
        ("מנהלת פרויקט הנמל החדש היא רות כהן.", "מנהלת פרויקט הנמל החדש היא דנה לוי.", True),
        ("מנהלת פרויקט הנמל החדש היא דנה לוי.", "מנהלת פרויקט הנמל החדש היא דנה לוי ברק.", False),
        ("מנהלת פרויקט הנמל החדש היא רות כהן.", "מנהלת פרויקט התחנה הישנה היא דנה לוי.", False),
        ("המטרה של פרויקט הנמל היא שיפור השירות.", "המטרה של פרויקט הנמל היא הרחבת הרציף.", False),
    ],
)
def test_two_people_for_one_office_contradict_in_every_language(one: str, other: str, contradicts: bool) -> None:
    assert bool(found(one, "Work begins in the spring of every year.", other)) is contradicts
