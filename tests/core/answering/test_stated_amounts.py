from __future__ import annotations

from core.answering.stated_amounts import answer_from_amounts, is_sought
from core.figures.records import Origin, TextEvidence
from core.question.analysed import AnalysedQuestion
from core.records.answer import Answer

ORIGIN = Origin(1, "doc_1", "Current report", kind="current report", names=("Nordvik",))
TEXTS = [
    "On May 5, 2031, Nordvik entered into a new $700,000,000 three year secured bridge loan agreement with its banks. "
    "Nordvik also entered into a new $200,000,000 ninety day secured bridge loan agreement.",
    "Nordvik terminated the $450,000,000 three year secured bridge loan agreement of 2029.",
    "We now expect 7 percent organic ferry growth (previously 4 percent) and 12 percent organic harbour growth "
    "(previously 11.5 percent).",
    "Our yearly dividend rises from $2.00 to $2.30 a share.",
]


def answer(text: str) -> Answer | None:
    passages = [TextEvidence(ORIGIN, f"p{n}", each, page=n) for n, each in enumerate(TEXTS)]
    found = answer_from_amounts(AnalysedQuestion(text, "en", text, ("Nordvik",)), passages)
    return found[0].answer if found else None


def test_an_agreement_is_compared_with_the_one_whose_place_it_took() -> None:
    found = answer("By how much did Nordvik increase its three year secured bridge loan agreement on May 5, 2031?")
    assert found is not None
    assert (found.value, found.currency) == (250_000_000, "USD")
    assert "from $450 million to $700 million" in found.line
    assert found.doubt is not None
    assert [cell.item_id for cell in found.cells] == ["p1", "p0"]


def test_agreements_that_hold_at_once_add_up() -> None:
    found = answer("What is the total amount that Nordvik may borrow under its secured bridge loan agreements?")
    assert found is not None
    assert found.value == 900_000_000


def test_of_several_pairs_the_one_with_the_words_of_the_question() -> None:
    found = answer("By how many percentage points did Nordvik raise its guidance for organic harbour growth?")
    assert found is not None
    assert (found.value, found.unit) == (0.5, "points")
    other = answer("By how many percentage points did Nordvik raise its guidance for organic ferry growth?")
    assert other is not None
    assert other.value == 3.0


def test_what_no_sentence_sets_side_by_side_is_not_answered() -> None:
    assert answer("By how much did Nordvik increase its crane rental programme?") is None
    assert answer("What is the total amount of Nordvik's unsecured senior notes?") is None
    assert not is_sought("What were Nordvik's net sales in 2031?")
