"""Tests when the answer says that a passage was found only by embeddings."""

from __future__ import annotations

from core.answering.unmatched_terms import unmatched_terms

LEAVE = "Leave policy Employees are entitled to twenty days of paid leave a year."


def test_a_word_that_no_passage_says_is_told() -> None:
    said = unmatched_terms("How much vacation do I get?", "en", [LEAVE], [LEAVE])
    assert said is not None
    assert said.en == "None of the passages found mentions “vacation”. This is the closest in meaning."
    assert "„vacation”" in said.he


def test_another_name_for_it_is_told_where_the_vocabulary_knows_it() -> None:
    said = unmatched_terms("How many vacation days do I get?", "en", [LEAVE], [LEAVE])
    assert said is not None
    assert said.en.endswith("“paid leave” was taken to mean the same.")


def test_one_shared_word_is_enough() -> None:
    assert unmatched_terms("How much leave do I get?", "en", [LEAVE], [LEAVE]) is None
    assert unmatched_terms("Does the policy know holidays?", "en", [LEAVE], [LEAVE]) is None


def test_a_word_that_another_passage_says_is_not_told() -> None:
    other = "The vacation home is rented out."
    assert unmatched_terms("How much vacation do I get?", "en", [LEAVE], [LEAVE, other]) is None


def test_words_of_another_language_are_not_missed() -> None:
    assert unmatched_terms("כמה חופשה מגיעה לי?", "he", [LEAVE], [LEAVE]) is None


def test_numbers_and_weak_words_alone_ask_for_nothing() -> None:
    assert unmatched_terms("How many days in 2024?", "en", [LEAVE.replace("days", "x")], []) is None
