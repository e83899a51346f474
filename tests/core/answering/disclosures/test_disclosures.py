from __future__ import annotations

import pytest

from core.answering.disclosures.answers import answer_from_disclosures, is_sought
from core.figures.records import Origin, TextEvidence
from core.language.detection import detect
from core.question.analysed import AnalysedQuestion
from core.records.answer import Answer

ANNUAL = Origin(1, "doc_1", "Annual report", kind="annual report", names=("Nordvik", "Nordvik plc"), periods=("2031",))
CURRENT = Origin(2, "doc_2", "Current report", kind="current report", names=("Nordvik",))
REPORT = [
    (("Risk Factors",), "We may acquire businesses that fail. Many firms are leading providers and compete with us."),
    (("Item 1. Business", "Overview"), "Nordvik plc is a leading operator of harbours and ferries in the Nordic seas."),
    (
        ("Segments",),
        "We operate in three regions. The segments are North America, Western Europe and Asia Pacific, with offices in "
        "Japan.",
    ),
    (
        ("Notes", "Acquisitions"),
        "On May 3, 2031, the Company completed the acquisition of a dockyard in Lisbon, which repairs ships. On June "
        "9, 2031, the Company completed the acquisition of 100% equity interest in Tern Cranes for $40 million. On "
        "July 1, 2028, the Company completed the acquisition of Gull Ropes and Nets.",
    ),
    (
        ("Risk Factors", "Customers"),
        "We derive a significant portion of our revenues from a limited number of shipping lines. In 2031, 35% of our "
        "revenues were earned under contracts with the Norwegian government.",
    ),
    (
        ("Legal Proceedings",),
        "Several lawsuits have been filed against us over the Tern crane collapse of 2029, and are pending.",
    ),
]  # fmt: skip
PASSAGES = [TextEvidence(ANNUAL, f"p{n}", text, path, page=n) for n, (path, text) in enumerate(REPORT)]


def answer(text: str, passages: list[TextEvidence] | None = None) -> Answer | None:
    found = answer_from_disclosures(
        AnalysedQuestion(text, detect(text), text, ("Nordvik",), ("2031",)), passages or PASSAGES
    )
    return found[0].answer if found else None


def test_the_industry_is_the_sentence_in_which_the_company_says_what_it_is() -> None:
    found = answer("What industry does Nordvik primarily operate in?")
    assert found
    assert found.line == f"{REPORT[1][1]} [1]"
    assert found.doubt is not None
    assert found.cells[0].item_id == "p1"


def test_acquisitions_are_listed_once_with_their_dates_and_in_the_years_asked() -> None:
    found = answer("What are major acquisitions that Nordvik has done in 2031?")
    assert found
    assert isinstance(found.value, list)
    assert found.value == ["a dockyard in Lisbon (May 3, 2031)", "100% equity interest in Tern Cranes (June 9, 2031)"]


def test_what_may_be_acquired_is_no_acquisition() -> None:
    only = [PASSAGES[0]]
    assert answer("What are major acquisitions that Nordvik has done in 2031?", only) is None


def test_customers_are_told_by_two_sentences_of_different_kinds() -> None:
    found = answer("Who are the primary customers of Nordvik?")
    assert found
    assert "limited number of shipping lines" in found.line
    assert "35%" in found.line


def test_regions_are_those_that_one_passage_names() -> None:
    found = answer("What are the geographies that Nordvik operates in?")
    assert found
    assert found.value == ["North America", "Western Europe", "Asia Pacific", "Japan"]


def test_legal_matters_are_what_was_filed() -> None:
    found = answer("Has Nordvik any materially important legal battles ongoing?")
    assert found
    assert "Tern crane collapse" in found.line


def test_a_current_report_is_about_the_items_of_its_form() -> None:
    texts = [
        "Nordvik plc, Washington, D.C. 20549, Form 8-K.",
        "Item 5.02 Departure of Directors or Certain Officers.\n\nOn May 2, 2031, Ada Holm told the board of Nordvik "
        "that she will leave it in August to lead another company.",
        "Item 9.01 Financial Statements and Exhibits.\n\n(d) Exhibits are listed in the index that follows here below.",
    ]
    passages = [TextEvidence(CURRENT, f"q{n}", text) for n, text in enumerate(texts)]
    found = answer("What was the key agenda of Nordvik's 8-K?", [*PASSAGES, *passages])
    assert found
    assert found.line.startswith("Departure of Directors or Certain Officers: On May 2, 2031, Ada Holm")
    assert "Exhibits" not in found.line
    assert found.line.endswith("[2]")


@pytest.mark.parametrize(
    "text",
    [
        "How much did Nordvik pay for acquisitions in 2031, net of cash?",
        "Which geography had the highest revenue?",
        "What were Nordvik's net sales in 2031?",
    ],
)
def test_figures_are_left_to_others(text: str) -> None:
    assert not is_sought(AnalysedQuestion(text, "en", text))


def test_a_report_is_asked_about_where_the_focus_leaves_its_name_out() -> None:
    assert is_sought(AnalysedQuestion("What was the agenda of Nordvik's 8-K?", "en", "What was the agenda"))


def test_without_a_current_report_nothing_is_said_of_its_agenda() -> None:
    assert answer("What was the key agenda of Nordvik's 8-K?") is None


SIGNED = (
    "In our opinion the statements present fairly the position of the Company.\n\n/s/ Heron & Wade LLP\n\n"
    "Bergen, Norway\n\nFebruary 3, 2032\n\nWe have served as the Company's auditor since at least 1987."
)


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        ("Who audits Nordvik's accounts?", "Auditor of Nordvik: Heron & Wade LLP, since at least 1987 [1]"),
        ("מי רואי החשבון המבקרים של נורדוויק?", "Heron & Wade LLP, לפחות מאז 1987 [1]"),
    ],
)
def test_the_auditor_is_who_signed_as_auditor(asked: str, expected: str) -> None:
    report = [TextEvidence(ANNUAL, "a", SIGNED, ("Report of Independent Registered Public Accounting Firm",), page=9)]
    found = answer(asked, [*PASSAGES, *report])
    assert found
    assert expected in found.line
    assert found.doubt is None
    assert found.cells[0].item_id == "a"


def test_a_firm_that_is_only_called_auditor_carries_a_doubt() -> None:
    told = "Shareholders ratified Heron & Wade LLP as our independent registered public accounting firm for 2032."
    found = answer("Who is Nordvik's auditor?", [TextEvidence(ANNUAL, "b", told, (), page=2)])
    assert found
    assert found.value == "Heron & Wade LLP"
    assert found.doubt is not None


def test_what_an_auditor_is_paid_is_another_question() -> None:
    assert not is_sought(
        AnalysedQuestion("How much did Nordvik pay its auditors?", "en", "How much did Nordvik pay its auditors?")
    )
