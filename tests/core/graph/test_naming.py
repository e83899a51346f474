from __future__ import annotations

import pytest

from core.graph.naming import implied, mentioned, typed, without_mentions
from core.library.records import Document, Metadata


def document(id: str, title: str, filename: str) -> Document:
    return Document(
        id=id,
        user_id="ada",
        filename=filename,
        mime="",
        size=1,
        sha256="",
        metadata=Metadata(title=title),
        added_at=0,
        updated_at=0,
    )


LIBRARY = [
    document("2024", "Travel and Expense Policy 2024", "travel-2024.md"),
    document("2025", "Travel and Expense Policy 2025", "travel-2025.docx"),
    document("contract", "Smart Metering Contract NVW-C-2024-117", "metering_contract.pdf"),
    document("memo", "מזכר: אחסון אצוות המונים בחצר ב'", "memo.docx"),
    document("spend", "Vendor spend and travel claims 2024-2025", "spend.xlsx"),
    document("quoted", 'דו"ח שנתי', "annual.pdf"),
]


def ids(found: list[Document]) -> list[str]:
    return [each.id for each in found]


@pytest.mark.parametrize(
    ("message", "named", "unknown"),
    [
        ('Compare @"Travel and Expense Policy 2024" with this', ["2024"], []),
        ("What says @travel-2025.docx and @metering_contract?", ["2025", "contract"], []),
        ('@"travel and expense polcy 2025"', ["2025"], []),
        ('@"Nothing of the kind"', [], ["Nothing of the kind"]),
        ("write to dana@example.com", [], []),
        ("@“מזכר: אחסון אצוות המונים בחצר ב'”", ["memo"], []),
        ('@"דו\'ח שנתי"', ["quoted"], []),
    ],
)
def test_mentions(message: str, named: list[str], unknown: list[str]) -> None:
    found = mentioned(message, LIBRARY)
    assert (ids(found.named), found.unknown) == (named, unknown)


@pytest.mark.parametrize(
    ("name", "named", "candidates"),
    [
        ("travel and expense policy 2025", ["2025"], []),
        ("the travel policy 2024", ["2024"], []),
        ("travel and expense policy", [], ["2024", "2025"]),
        ("zebra catalogue", [], []),
    ],
)
def test_what_was_typed_when_asked(name: str, named: list[str], candidates: list[str]) -> None:
    found = typed(name, LIBRARY)
    assert (ids(found.named), ids(found.candidates)) == (named, candidates)
    assert bool(found.unknown) == (not named and not candidates)


@pytest.mark.parametrize(
    ("message", "whole", "named", "candidates"),
    [
        ("Summarize the travel policy", True, [], ["2024", "2025"]),
        ("Summarize the travel policy of 2025", True, ["2025"], []),
        ("Compare the travel policies of 2024 and 2025", True, ["2024", "2025"], []),
        ("סכמו את המזכר", True, ["memo"], []),
        ("Summarize it", True, [], []),
        ("What is the limit for lodging in the travel policy?", False, [], ["2024", "2025"]),
        ("What is the limit for lodging in the 2025 travel policy?", False, [], []),
        ("How many households had no water?", False, [], []),
        ("What did the travel cost?", False, [], []),
    ],
)
def test_what_a_message_implies(message: str, whole: bool, named: list[str], candidates: list[str]) -> None:
    found = implied(message, LIBRARY, {}, whole=whole)
    assert (ids(found.named), ids(found.candidates)) == (named, candidates)


def test_this_document_is_the_last_one_spoken_about() -> None:
    registry = {"One": "2024", "Two": "contract"}
    assert ids(implied("Summarize this document", LIBRARY, registry, whole=True).named) == ["contract"]
    assert ids(implied("מה אומר המסמך הזה על מחירים?", LIBRARY, registry, whole=False).named) == ["contract"]


def test_a_text_without_its_mentions_keeps_its_lines() -> None:
    assert without_mentions('Audit @"A b" this:\nOne  two.\nThree') == "Audit this:\nOne two.\nThree"
