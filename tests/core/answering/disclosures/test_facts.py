"""Tests plain facts about an invented company, written as in forms and reports, asked in both languages."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.answering.disclosures.answers import answer_from_disclosures, is_sought
from core.figures.records import Origin, TextEvidence
from core.language.detection import detect
from core.question.analysed import AnalysedQuestion
from core.records.answer import Answer

OLD = Origin(
    1, "doc_1", "Annual report", kind="annual report", names=("Tamarind Foundry", "Tamarind"), periods=("2029",)
)
NEW = Origin(
    2, "doc_2", "Annual report", kind="annual report", names=("Tamarind Foundry", "Tamarind"), periods=("2031",)
)
COVER = (
    "For the fiscal year ended March 31, 2031\n\nTAMARIND FOUNDRY, INC.\n\nOregon | 93-1234567\n"
    "(State or other jurisdiction of | (I.R.S. Employer\nincorporation or organization) | Identification No.)\n"
    "14 Kiln Street, Astoria, Oregon 97103\n\n"
    "(Address of principal executive offices)\n\n(503) 555-0142\n\n(Registrant’s telephone number)\n\n"
    "Title of Each Class | Trading Symbol | Name of Each Exchange\n"
    "Common Stock, $0.01 par value | TMRD | New York Stock Exchange\n\n"
    "As of April 30, 2031, 41,200,350 shares of the registrant’s common stock were issued and outstanding."
)
REPORT = [
    ((), COVER),
    (
        ("Business",),
        "Tamarind was originally incorporated in Idaho in 1954. We operated 212 stores at the end of the year. Our "
        "Castings segment employed approximately 1,900 people.",
    ),
    (("Business", "Employees"), "As of March 31, 2031, we employed approximately 6,450 people in nine countries."),
    (
        ("Business", "Executive Officers"),
        "Name | Age | Position\nDana R. Whitlock | 57 | Chair and Chief Executive Officer\n"
        "Omar Feld | 49 | Chief Financial Officer\n"
        "Lena Marsh | 44 | President and Chief Executive Officer, Tamarind Castings",
    ),
    (
        ("Item 1A. Risk Factors", "Risks of Our Foundries"),
        "A furnace may fail. Demand depends on shipyards, and could fall.",
    ),
    (("Item 1A. Risk Factors", "Risks of Our Debt"), "Interest could rise."),
    (("Item 1A. Risk Factors", "Risks of the Law"), "Rules on dust may change."),
    (("Business", "Competition"), "We compete with Orrin Castings and with many small foundries on price."),
    (
        ("Signatures",),
        "/s/ DANA R. WHITLOCK | Chair and Chief Executive Officer (Principal Executive Officer)\nDana R. Whitlock\n"
        "/s/ OMAR FELD | Chief Financial Officer (Principal Financial Officer)\nOmar Feld",
    ),
]  # fmt: skip
BEFORE = [((), "We employed approximately 5,100 people. Iris Bloom is our Chief Executive Officer.")]
PASSAGES = [
    *(TextEvidence(OLD, f"o{n}", text, path, page=n) for n, (path, text) in enumerate(BEFORE)),
    *(TextEvidence(NEW, f"p{n}", text, path, page=n) for n, (path, text) in enumerate(REPORT)),
]


def answer(text: str, periods: tuple[str, ...] = ()) -> Answer | None:
    question = AnalysedQuestion(text, detect(text), text, ("Tamarind",), periods)
    found = answer_from_disclosures(question, PASSAGES)
    return found[0].answer if found else None


@pytest.mark.parametrize(
    ("asked", "value"),
    [
        ("How many employees does Tamarind have?", 6450.0),
        ("כמה עובדים יש ל-Tamarind?", 6450.0),
        ("How many stores does Tamarind operate?", 212.0),
        ("כמה חנויות יש ל-Tamarind?", 212.0),
        ("Where is Tamarind headquartered?", "14 Kiln Street, Astoria, Oregon 97103"),
        ("איפה נמצא המטה של Tamarind?", "14 Kiln Street, Astoria, Oregon 97103"),
        ("In which state is Tamarind incorporated?", "Oregon"),
        ("באיזו מדינה התאגדה Tamarind?", "Oregon"),
        ("When was Tamarind founded?", "1954"),
        ("What is Tamarind's ticker symbol?", "TMRD: New York Stock Exchange"),
        ("How many shares of Tamarind are outstanding?", 41200350.0),
        ("When does Tamarind's fiscal year end?", "March 31, 2031"),
        ("What is the phone number of Tamarind?", "(503) 555-0142"),
        ("Who is the CEO of Tamarind?", "Dana R. Whitlock"),
        ('מי המנכ"ל של Tamarind?', "Dana R. Whitlock"),
        ("Who is Tamarind's chief financial officer?", "Omar Feld"),
        ('מי סמנכ"ל הכספים של Tamarind?', "Omar Feld"),
    ],
)
def test_the_newest_document_states_a_plain_fact(asked: str, value: str | float) -> None:
    found = answer(asked)
    assert found
    assert found.value == value
    assert found.doubt is None
    assert found.line.endswith("[2]")
    assert found.cells[0].document_id == "doc_2"


def test_the_year_asked_about_goes_before_the_newest() -> None:
    found = answer("How many employees did Tamarind have in 2029?", ("2029",))
    assert found
    assert (found.value, found.cells[0].number) == (5100.0, 1)
    chief = answer("Who was the CEO of Tamarind in 2029?", ("2029",))
    assert chief
    assert chief.value == "Iris Bloom"
    assert chief.doubt is not None, "one sentence is no list and no signature"


@pytest.mark.parametrize(
    "text",
    [
        "How many employees did Tamarind lay off?",
        "How many stores did Tamarind open in 2031?",
        "Who was appointed CEO of Tamarind?",
        "What is the compensation of the CEO of Tamarind?",
        "כמה עובדים פוטרו?",
        "מה היו העודפים של Tamarind בסוף שנת הכספים 2031?",
        "What was the backlog of Tamarind at fiscal year end?",
    ],
)
def test_other_questions_about_them_are_not_answered_so(text: str) -> None:
    found = answer(text)
    assert found is None or found.value not in (6450.0, 212.0, "Dana R. Whitlock", "March 31, 2031")


def test_two_documents_of_a_year_that_count_differently_are_a_doubt() -> None:
    other = replace(NEW, number=3, document_id="doc_3", kind="earnings release")
    release = TextEvidence(other, "r0", "Tamarind currently operates 208 stores.", (), page=1)
    question = AnalysedQuestion(
        "How many stores does Tamarind have?", "en", "How many stores does Tamarind have?", ("Tamarind",)
    )
    (found,) = answer_from_disclosures(question, [*PASSAGES, release])
    assert found.answer.value == 212.0
    assert found.answer.doubt is not None


def test_in_hebrew_the_words_around_a_figure_are_hebrew() -> None:
    found = answer("כמה עובדים יש ל-Tamarind?")
    assert found
    assert found.line == "מספר העובדים של Tamarind (31.3.2031): כ־6,450 [2]"


@pytest.mark.parametrize("text", ["What are the main risk factors of Tamarind?", "מהם גורמי הסיכון של Tamarind?"])
def test_risks_are_the_headings_of_their_section(text: str) -> None:
    found = answer(text)
    assert found
    assert found.value == ["Risks of Our Foundries", "Risks of Our Debt", "Risks of the Law"]
    assert found.doubt is not None


def test_competitors_are_told_in_the_words_of_the_company() -> None:
    assert is_sought(AnalysedQuestion("Who are its competitors?", "en", "Who are its competitors?"))
    found = answer("מי המתחרים של Tamarind?")
    assert found
    assert "Orrin Castings" in found.line
