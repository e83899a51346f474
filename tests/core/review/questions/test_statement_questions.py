from __future__ import annotations

import pytest

from core.review.questions.statement_questions import Phrasing, is_label, states_value


def phrasing(language: str = "en", name: str = "“Pump manual”", **given: object) -> Phrasing:
    return Phrasing(language, name, **given)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("sentence", "question"),
    [
        ("The weekly limit for oil is 3 litres.", "What is the weekly limit for oil according to “Pump manual”?"),
        ("All logs will be kept for two years.", "How long will all logs be kept according to “Pump manual”?"),
        ("Repairs must be reported within 5 days.", "When must repairs be reported according to “Pump manual”?"),
        ("The flow was measured using a gauge.", "How was the flow measured according to “Pump manual”?"),
        ("“Idle Pump” means a pump at rest.", "What does “Idle Pump” mean in “Pump manual”?"),
    ],
)
def test_a_sentence_gives_the_question_that_it_answers(sentence: str, question: str) -> None:
    made = phrasing(text="all repairs of the flow").sentence(sentence)
    assert made is not None
    assert made[0] == question


@pytest.mark.parametrize(
    "sentence",
    [
        "The pump that leaks is a danger.",
        "It is 3 litres.",
        "The pump was painted by hand.",
        "Their repairs must be reported within 5 days.",
        "Repairs must not be reported within 5 days.",
    ],
)
def test_a_sentence_that_leans_on_another_or_has_a_clause_gives_none(sentence: str) -> None:
    assert phrasing().sentence(sentence) is None


def test_labels_and_cells_are_worded_inside_a_sentence() -> None:
    titled = phrasing(titled=True)
    assert titled.label("Oil Type") == "What is the oil type according to “Pump manual”?"
    assert phrasing().label("Name of Ada Lovelace") == "What is the Name of Ada Lovelace according to “Pump manual”?"
    assert phrasing().cell("Limits", "Haifa") == "What are the limits for Haifa according to “Pump manual”?"
    assert phrasing().cell("Long Gun", "Haifa", is_number=True) == (
        "What is the “Long Gun” figure for Haifa according to “Pump manual”?"
    )
    assert phrasing().heading("SAFETY RULES") == "What does “Pump manual” say about safety rules?"


def test_in_hebrew_labels_of_an_english_document_keep_their_language() -> None:
    assert phrasing("he").label("Oil type") == "מה רשום ב־“Pump manual” תחת „Oil type”?"
    hebrew = phrasing("he", "„נוהל משאבות”")
    assert hebrew.label("סוג שמן") == "מה רשום ב„נוהל משאבות” תחת סוג שמן?"
    assert hebrew.sentence("המכסה השבועית לשמן היא 3 ליטר.") == (
        "מהי המכסה השבועית לשמן לפי „נוהל משאבות”?",
        "המכסה השבועית לשמן",
    )


@pytest.mark.parametrize(
    "label", ["l door opened often", "A ccountability", "Removing the bin", "Part to", "To clean", "~ deferred", "QI"]
)
def test_pieces_and_instructions_are_no_labels(label: str) -> None:
    assert not is_label(label)


@pytest.mark.parametrize("value", ["None", "0", "of this option", ", Wine rack", "By 2016,"])
def test_pieces_of_text_and_empty_values_are_no_values(value: str) -> None:
    assert not states_value(value)
    assert states_value("12 May 2031")
