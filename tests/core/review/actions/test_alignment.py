from __future__ import annotations

from benchmarks.summaries import as_source
from core.review.actions.alignment import Alignment, align
from core.review.actions.comparable_statements import comparable_statements
from core.review.actions.statement_similarity import SimilarityMatrix


def of(one: str, other: str) -> Alignment:
    return align(
        SimilarityMatrix(comparable_statements(as_source(one)), comparable_statements(as_source(other, 2))), None
    )


def test_every_word_is_used_once() -> None:
    found = of("The fee is $30. Guests bring boots.", "The fee is $45. The fee is $60. Guests bring boots.")
    assert [(each.one.text, each.aspect) for each in found.differs] == [("The fee is $30.", "figures")]
    assert [each.one.text for each in found.same] == ["Guests bring boots."]


def test_a_quarter_never_stands_beside_a_year_to_date() -> None:
    quarter = "Net sales of sacks for the quarter were $4 million."
    other, long = (quarter.replace("4", "5"), "Net sales of sacks for the first 36 weeks were $11 million.")
    found = of(quarter, f"{other} {long}")
    assert [each.other.text for each in found.differs] == [other]
    assert [each.text for each in found.alone] == [long]


def test_a_sentence_that_nothing_comes_near_stands_alone() -> None:
    found = of("The fee is $30. Every boat carries two anchors.", "The fee is $30.")
    assert [each.text for each in found.alone] == ["Every boat carries two anchors."]


def test_another_language_is_no_sign_that_something_stands_alone() -> None:
    assert of("Every boat carries two anchors.", "כל סירה נושאת שני עוגנים.").alone == []
