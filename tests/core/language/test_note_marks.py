"""Tests that superscript note marks are removed and superscript powers are kept."""

from __future__ import annotations

import pytest

from core.answering.prose.values import values_in
from core.language.entities.periods import periods_in
from core.language.entities.quantities import quantities
from core.language.normalisation import fold
from core.language.note_marks import note_marks_blanked, without_note_marks
from core.language.terms import index_terms
from core.question.stems import stems


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("Revenue¹", "Revenue"),
        ("Revenue ⁽ᵃ⁾ of 38² in 2025¹,²", "Revenue of 38 in 2025"),
        ("sold 4,512³.", "sold 4,512."),
        ("הכנסות¹", "הכנסות"),
        ("120 m², 5 km², R²", "120 m², 5 km², R²"),
        ("10⁻³ and 10⁶", "10⁻³ and 10⁶"),
        ("Ca²⁺", "Ca²⁺"),
        ("¹ Restated", "¹ Restated"),
        ("1½", "1½"),
    ],
)
def test_marks_of_notes_are_told_from_powers(text: str, plain: str) -> None:
    assert without_note_marks(text) == plain
    assert len(note_marks_blanked(text)) == len(text)


def test_a_marked_word_is_found_by_its_plain_form() -> None:
    assert fold("Revenue¹") == "revenue"
    assert index_terms("Revenue¹ rose", "en")[0] == "revenu"
    assert stems("Operating profit²") == stems("operating profit")


def test_figures_in_sentences_end_before_the_mark() -> None:
    assert [(each.low, each.unit) for each in quantities("Profit was $4,512¹ million")] == [(4.512e9, "USD")]
    assert [(each.number, each.scale) for each in values_in("Profit was $4,512¹ million")] == [(4512.0, 1e6)]
    assert [period.key for period in periods_in("as in 2025¹")] == ["2025"]


def test_a_fraction_is_no_further_digit() -> None:
    assert [(each.low, each.unit) for each in quantities("It takes 1½ hours")] == [(1.5, "hour")]
    assert [each.low for each in quantities("¾ of them")] == [0.75]
