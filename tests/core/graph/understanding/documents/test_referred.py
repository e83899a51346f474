from __future__ import annotations

import pytest

from core.graph.understanding.documents.records import Clause, VisibleDocument
from core.graph.understanding.documents.referred import Referred, referred_in
from core.graph.understanding.intent import rules
from core.graph.understanding.intent.rules import read_clause

CLINIC = (
    "Hygiene plan ward A.pdf",
    "Hygiene plan ward B.pdf",
    "Staff meeting notes 2025-02-03.docx",
    "Staff meeting notes 2025-03-03.docx",
    "Vacation policy 2023.pdf",
    "Vacation policy 2025.pdf",
    "Patient brochure.pdf",
    "Lease Mill Street.pdf",
)
GUIDES = ("Student guide 2020.pdf", "No-frost refrigerator guide.pdf")
OFFICE = (
    "הסכם שכירות - חנות רחוב הרצל.pdf",
    "הסכם שכירות - מחסן לוד.pdf",
    "פרוטוקול ישיבה מרץ 2025.docx",
    "פרוטוקול ישיבה אפריל 2025.docx",
    "תקציב 2024.xlsx",
    "תקציב 2025.xlsx",
    "מדריך למוכר.pdf",
)


def first(message: str, titles: tuple[str, ...], previous: str = "", recent: tuple[str, ...] = ()) -> Referred | None:
    documents = [VisibleDocument(title, title.rsplit(".", 1)[0], title) for title in titles]
    clauses = [Clause(each, read_clause(each).kind != "none") for each in rules.clauses(message)]
    return next(iter(referred_in(clauses, documents, previous=previous, recent=recent)), None)


@pytest.mark.parametrize(
    ("message", "titles", "named"),
    [
        ("what does the hygiene plan say about gloves", CLINIC, "Hygiene plan"),
        ("Summarise the vacation policy please", CLINIC, "Vacation policy"),
        ("According to the meeting notes, who orders the masks?", CLINIC, "Staff meeting notes"),
        ("מתי נגמר החוזה?", OFFICE, "הסכם"),
        ("מי נעדר לפי הפרוטוקול?", OFFICE, "פרוטוקול"),
        ("מה הסעיף הגדול בתקציב", OFFICE, "תקציב"),
    ],
)
def test_a_noun_that_fits_several_documents_leaves_a_choice(message: str, titles: tuple[str, ...], named: str) -> None:
    found = first(message, titles)
    assert found is not None
    assert found.kind == "several"
    assert sorted(found.ids) == sorted(title for title in titles if title.startswith(named))


@pytest.mark.parametrize(
    ("message", "titles", "title"),
    [
        ("does the brochure mention parking?", CLINIC, "Patient brochure.pdf"),
        ("מה כתוב במדריך למקרר על המסנן?", GUIDES, "No-frost refrigerator guide.pdf"),
        ("when does the contract end?", CLINIC, "Lease Mill Street.pdf"),
        ("what did the March meeting notes decide about the fridge", CLINIC, "Staff meeting notes 2025-03-03.docx"),
        ("In the 2025 vacation policy, how many days carry over?", CLINIC, "Vacation policy 2025.pdf"),
        ("check the hygiene plan for ward B for contradictions", CLINIC, "Hygiene plan ward B.pdf"),
        ("summarize the latest vacation policy", CLINIC, "Vacation policy 2025.pdf"),
        ("מה נאמר בפרוטוקול אפריל על השיפוץ?", OFFICE, "פרוטוקול ישיבה אפריל 2025.docx"),
        ("מה שכר הדירה בהסכם של המחסן?", OFFICE, "הסכם שכירות - מחסן לוד.pdf"),
    ],
)
def test_words_and_dates_choose_one_of_them(message: str, titles: tuple[str, ...], title: str) -> None:
    found = first(message, titles)
    assert found is not None
    assert (found.kind, found.ids) == ("one", (title,))


@pytest.mark.parametrize(
    ("message", "titles"),
    [
        ("compare the two vacation policies", CLINIC),
        ("list all decisions in the meeting notes", CLINIC),
        ("מה ההבדל בין שני ההסכמים?", OFFICE),
    ],
)
def test_a_plural_means_all(message: str, titles: tuple[str, ...]) -> None:
    found = first(message, titles)
    assert found is not None
    assert found.kind == "all"
    assert len(found.ids) == 2


@pytest.mark.parametrize("message", ["is it fine to plan a trip?", "I agree with the plan. Who is on duty?", "hi", ""])
def test_no_document_is_referred_to(message: str) -> None:
    assert first(message, CLINIC) is None


def test_the_previous_turn_decides_between_them() -> None:
    asked = "how many days does the vacation policy give?"
    assert first(asked, CLINIC, previous="The 2023 policy gives 21 days.").ids == ("Vacation policy 2023.pdf",)  # type: ignore[union-attr]
    assert first(asked, CLINIC, recent=("Vacation policy 2025.pdf",)).kind == "one"  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("message", "titles", "others"),
    [
        ("Summarize the 2019 vacation policy", CLINIC, 2),
        ("According to the invoice, what do we owe?", CLINIC, 0),
        ("מה כתוב במכרז על ערבות?", OFFICE, 0),
    ],
)
def test_what_is_read_and_not_there_is_absent(message: str, titles: tuple[str, ...], others: int) -> None:
    found = first(message, titles)
    assert found is not None
    assert (found.kind, len(found.ids)) == ("absent", others)
