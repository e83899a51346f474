from __future__ import annotations

from dataclasses import dataclass

import pytest

from core.question.filenames import NamedByFilename, filename_tokens, named_documents


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
    Known("r", "NCT00411234_Prot_SAP_000.pdf"),
]


@pytest.mark.parametrize(
    ("question", "named"),
    [
        ("What does the Probst paper say about project finance?", NamedByFilename(["p"], certain=True)),
        ("What does the travel policy 2025 say about hotels?", NamedByFilename(["t5"], certain=True)),
        ("Which policy covers travel?", NamedByFilename(["t4", "t5"], certain=True)),
        ("financial markets", NamedByFilename(["p"])),
        ("What is the primary endpoint of NCT00411234?", NamedByFilename(["r"])),
        ("Which markets are open?", NamedByFilename([])),
        ("How do bees make honey?", NamedByFilename(["b"])),
        ("How are meters read?", NamedByFilename([])),
        ("What happened in 2025?", NamedByFilename([])),
        ("מה נאמר במסמך הדר?", NamedByFilename(["h"], certain=True)),
        ("באיזה בית חולים הוא עובד?", NamedByFilename([])),
        ("כמה ילדים רשומים בבתי ספר?", NamedByFilename([])),
    ],
)
def test_which_documents_a_question_names(question: str, named: NamedByFilename) -> None:
    assert named_documents(question, LIBRARY) == named


def test_what_most_filenames_share_names_none() -> None:
    reports = [Known(str(number), f"annual_report_{number}.pdf") for number in range(4)]
    assert named_documents("What do the annual reports say? Which report is best?", reports) == NamedByFilename([])


def test_a_library_of_one_document_can_name_it() -> None:
    assert named_documents("bees", [Known("b", "bees.txt")]) == NamedByFilename(["b"])
