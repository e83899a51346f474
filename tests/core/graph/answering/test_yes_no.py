"""Tests that yes or no is answered only when one sentence decides."""

from __future__ import annotations

import pytest

from core.figures.records import Candidate
from core.graph.answering.yes_no import verdict, yes_no_answer
from core.question.analysed import AnalysedQuestion
from core.records.answer import Answer, CellReference


@pytest.mark.parametrize(
    ("question", "sentence", "said"),
    [
        ("Does Larch keep five engineers on site?", "Larch keeps at least five engineers on site.", "yes"),
        ("Did the gross margin fall in 2021?", "Gross margin fell in 2021 due to higher freight rates.", "yes"),
        ("Did the gross margin rise in 2021?", "Gross margin fell in 2021 due to freight rates.", "no"),
        ("Was the proposal on a new chair defeated?", "The proposal on a new chair was defeated:", "yes"),
        ("Can either party end the lease early?", "Either party may end the lease early with notice.", "yes"),
        ("Is Anna Bell the president?", "Anna Bell is not the president.", "no"),
        ("Is there a customer with more than 10% of sales?", "No customer had more than 10% of sales in 2023.", "no"),
        ("האם המפעל בנהריה הוקם בשנת 1974?", "המפעל בנהריה הוקם בשנת 1974 ומועסקים בו 310 עובדים.", "yes"),
        ("האם הרווח הגולמי עלה בשנת 2021?", "הרווח הגולמי ירד בשנת 2021 בגלל מחירי ההובלה.", "no"),
    ],
)  # fmt: skip
def test_what_a_sentence_decides(question: str, sentence: str, said: str) -> None:
    assert verdict(question, sentence) == said


@pytest.mark.parametrize(
    ("question", "sentence"),
    [
        ("Did Acme acquire Bolt?", "Bolt acquired Acme."),
        ("Does the company own the Porto plant?", "The company leases the Porto plant."),
        ("Were sales $5 million in 2020 and $7 million in 2021?", "Sales were $7 million in 2020, $5 million in 2021."),
        ("Will Larch close the Porto plant?", "Larch may close the Porto plant."),
        ("Did Larch close the Porto plant?", "It is alleged that Larch did close the Porto plant."),
        ("Did Larch sell shares in May?", "Larch repurchased stock (the total of shares that it did sell) in May."),
        ("Does the policy cover all employees?", "The policy covers employees in Porto."),
        ("Is parking at a trade fair paid?", "Parking is never paid, except at a trade fair that a director chose."),
        ("Did the margin fall in 2020?", "The margin fell in 2021."),
        ("האם פלשה כווית לעיראק?", "פלשה עיראק לכווית."),
    ],
)  # fmt: skip
def test_what_a_sentence_leaves_open(question: str, sentence: str) -> None:
    assert verdict(question, sentence) is None


def of(text: str) -> Candidate:
    cell = CellReference(number=1, document_id="d", text=text)
    return Candidate(Answer(kind="sentence", line=f"{text} [1]", value=text, cells=[cell]), 0.3)


def test_the_line_begins_with_the_verdict_and_keeps_its_sentence() -> None:
    answer = yes_no_answer(
        AnalysedQuestion("Is Anna Bell the president?", "en", ""), of("Anna Bell is not the president.")
    ).answer
    assert (answer.value, answer.line) == ("no", "No: Anna Bell is not the president. [1]")


def test_in_hebrew() -> None:
    answer = yes_no_answer(AnalysedQuestion("האם אנה נבחרה ב-2020?", "he", ""), of("אנה נבחרה ב-2020.")).answer
    assert answer.line.startswith("כן: ")


def test_other_questions_and_open_sentences_stay_as_they_are() -> None:
    for text in ("Who is the president?", "Is Carl Dunn the president?"):
        candidate = of("Anna Bell is not the president.")
        assert yes_no_answer(AnalysedQuestion(text, "en", ""), candidate) is candidate
