from __future__ import annotations

from core.language.tokens import count_tokens
from core.review.claims import Claim
from core.review.nearest_passages import NearPassage
from core.review.support_prompt import CheckedClaim, claims_prompt


def cited(number: int, text: str, *passages: tuple[str, str]) -> CheckedClaim:
    near = tuple(NearPassage(item_id, "", passage) for item_id, passage in passages)
    return CheckedClaim(number, Claim(text, 0, len(text), (1,)), near)


def test_each_passage_is_sent_once() -> None:
    roof, gate = ("a", "The roof was completed."), ("b", "The gate is green.")
    text, asked = claims_prompt(
        [cited(1, "The roof is done.", roof), cited(3, "All is done.", gate, roof), cited(4, "Nothing cited.")], 1_000
    )
    assert asked == {1, 3, 4}
    assert text.count("The roof was completed.") == 1
    assert "SENTENCE 1 (passages: 1): The roof is done." in text
    assert "SENTENCE 3 (passages: 2, 1): All is done." in text
    assert "SENTENCE 4 (passages: none)" in text


def test_a_long_answer_is_cut_to_the_room() -> None:
    claims = [cited(number, f"Claim {number} is long. " * 20, (str(number), "Text. " * 200)) for number in range(1, 99)]
    text, asked = claims_prompt([cited(0, "word " * 50_000), *claims], 2_000)
    assert count_tokens(text) < 2_200
    assert 1 in asked
    assert 0 not in asked


def test_a_long_passage_is_cut_around_its_evidence() -> None:
    passage = "Filler. " * 5_000 + "The roof was completed in summer. " + "More. " * 5_000
    near = NearPassage("a", "Report · p. 3", "In millions\n" + passage, ("The roof was completed in summer.",))
    text, _ = claims_prompt([CheckedClaim(1, Claim("The roof is done.", 0, 17, (1,)), (near,))], 8_000)
    assert "completed in summer" in text
    assert "PASSAGE 1: (Report · p. 3) In millions" in text
    assert len(text) < 7_000


def test_a_cell_is_sent_with_its_row_and_column() -> None:
    claim = Claim("Yes", 0, 3, (1,), subject="Renewal . Supplier A", is_cell=True)
    text, _ = claims_prompt([CheckedClaim(1, claim, (NearPassage("a", "", "It renews."),))], 1_000)
    assert "SENTENCE 1 (passages: 1): Renewal · Supplier A: Yes" in text
