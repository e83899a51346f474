from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.language.terms import index_terms, query_terms
from core.search.scoring import calibration
from core.setting_groups import Search

unit = st.floats(0, 1)


@pytest.mark.parametrize(
    ("meaning", "words", "expected"),
    [
        (0.0, 0.0, 0.0),
        (calibration.NOISE, 0.0, 0.0),
        (1.0, 0.0, 1.0),
        (0.0, 1.0, 1.0),
        (0.65, 0.5, 0.75),
        (None, 0.0, 0.0),
        (None, 0.4, 0.6),
        (None, 1.0, 1.0),
    ],
)
def test_either_lane_is_enough_and_both_are_more(meaning: float | None, words: float, expected: float) -> None:
    assert calibration.joint_confidence(meaning, words) == pytest.approx(expected)


@given(unit, unit, unit)
def test_more_evidence_never_weakens(meaning: float, words: float, more: float) -> None:
    joint = calibration.joint_confidence(meaning, words)
    assert 0 <= joint <= 1
    assert calibration.joint_confidence(max(meaning, more), words) >= joint
    assert calibration.joint_confidence(meaning, max(words, more)) >= joint


@given(unit)
def test_a_text_without_a_vector_is_not_punished_for_it(words: float) -> None:
    assert calibration.joint_confidence(None, words) >= calibration.joint_confidence(calibration.NOISE, words)


@pytest.mark.parametrize(("best", "expected"), [(None, "none"), (0.7, "high"), (0.5, "medium"), (0.1, "low")])
def test_confidence(best: float | None, expected: str) -> None:
    assert calibration.confidence(best, Search()) == expected


def test_an_english_text_is_not_held_short_of_the_words_it_would_have_in_hebrew_text() -> None:
    question = "travel expenses abroad"
    texts = ["Travel expenses abroad are refunded.", "Bees make honey."]
    counts = [calibration.term_frequencies(index_terms(text, "en")) for text in texts]
    marked = query_terms(question, "en")
    assert any(term.startswith("@") for term in marked)
    plain = [term for term in marked if not term.startswith("@")]
    assert calibration.lexical(marked, [], counts) == calibration.lexical(plain, [], counts)
    assert calibration.lexical(marked, [], counts)[0] > 0.7


def test_a_latin_name_in_hebrew_text_is_the_name() -> None:
    hebrew = calibration.term_frequencies(index_terms("המונים של Pelagit הוחלפו בכל השכונות", "he"))
    other = calibration.term_frequencies(index_terms("תושבי השכונה ביקשו להוסיף ספסלים", "he"))
    with_name, without = calibration.lexical(query_terms("Who is Pelagit?", "en"), [], [hebrew, other])
    assert with_name > 0.3
    assert without == 0


def test_a_synonym_counts_where_it_is_what_the_text_says() -> None:
    text = calibration.term_frequencies(index_terms("The car was sold in March.", "en"))
    other = calibration.term_frequencies(index_terms("Rain fell in the hills.", "en"))
    asked = query_terms("automobile sale", "en")
    said = calibration.lexical(asked, query_terms("car sold", "en"), [text, other])[0]
    assert said > calibration.lexical(asked, [], [text, other])[0]


def test_a_question_without_terms_has_no_strength() -> None:
    assert calibration.lexical([], [], [calibration.term_frequencies(["a"]), calibration.term_frequencies(["b"])]) == [
        0.0,
        0.0,
    ]
