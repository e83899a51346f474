from __future__ import annotations

from dataclasses import dataclass

import pytest

from core.search.query.filenames import Named, filename_tokens, named_documents


@dataclass(frozen=True)
class Known:
    id: str
    filename: str


@pytest.mark.parametrize(
    ("filename", "tokens"),
    [
        ("probst_curtis_financial.pdf", {"probst", "curtis", "financial"}),
        ("travel-policy.2025.docx", {"travel", "policy", "2025"}),
        ("דוח_שנתי-2024.pdf", {"דוח", "שנתי", "2024"}),
        ("a_b.txt", set()),
    ],
)
def test_filename_tokens(filename: str, tokens: set[str]) -> None:
    assert filename_tokens(filename) == tokens


LIBRARY = [
    Known("p", "probst_curtis_financial_markets.pdf"),
    Known("e", "energy_transition_report.pdf"),
    Known("t4", "travel-policy-2024.pdf"),
    Known("t5", "travel-policy-2025.pdf"),
    Known("h", "דוח_הדר.pdf"),
    Known("n", "בית הנייר.pdf"),
    Known("b", "bees.txt"),
]


@pytest.mark.parametrize(
    ("question", "named"),
    [
        ("What does the Probst paper say about project finance?", Named(["p"], certain=True)),
        ("What does the travel policy 2025 say about hotels?", Named(["t5"], certain=True)),
        ("Which policy covers travel?", Named(["t4", "t5"], certain=True)),
        ("financial markets", Named(["p"])),
        ("Which markets are open?", Named([])),
        ("How do bees make honey?", Named(["b"])),
        ("How are meters read?", Named([])),
        ("What happened in 2025?", Named([])),
        ("מה נאמר במסמך הדר?", Named(["h"], certain=True)),
        ("באיזה בית חולים הוא עובד?", Named([])),
        ("כמה ילדים רשומים בבתי ספר?", Named([])),
    ],
)
def test_which_documents_a_question_names(question: str, named: Named) -> None:
    assert named_documents(question, LIBRARY) == named


def test_what_most_filenames_share_names_none() -> None:
    reports = [Known(str(number), f"annual_report_{number}.pdf") for number in range(4)]
    assert named_documents("What do the annual reports say? Which report is best?", reports) == Named([])


def test_a_library_of_one_document_can_name_it() -> None:
    assert named_documents("bees", [Known("b", "bees.txt")]) == Named(["b"])
