from __future__ import annotations

import pytest

from core.events import Action
from core.graph.understanding.documents.records import Reference, VisibleDocument
from core.graph.understanding.documents.subject_matching import by_subject
from core.question.known_entities import KnownDocument

KNOWN = [
    KnownDocument(
        f"{name.lower()}{year}-{kind[0]}", f"{name}_{year}.pdf", f"{name} {year}", (name,), (str(year),), kind=kind
    )
    for name, year, kind in (
        ("Nordvik", 2029, "annual report"),
        ("Nordvik", 2031, "annual report"),
        ("Nordvik", 2031, "earnings release"),
        ("", 2029, "policy"),
        ("", 2031, "policy"),
        ("", 2031, "contract"),
        ("Tern", 2031, "annual report"),
    )
]
LISTED = tuple(VisibleDocument(each.id, each.title, each.filename) for each in KNOWN)


@pytest.mark.parametrize(
    ("text", "action", "ids"),
    [
        ("סכם את הדוח השנתי של Nordvik ל-2031", "summarize", ["nordvik2031-a"]),
        ("סכם את הודעת התוצאות של Nordvik", "summarize", ["nordvik2031-e"]),
        ("השווה את הדוחות השנתיים של Nordvik ל-2029 ול-2031", "compare", ["nordvik2029-a", "nordvik2031-a"]),
        ("סכם את הדוח השנתי של 2031", "summarize", []),
        ("סכם את הפרוטוקול", "summarize", []),
        ("השווה בין מדיניות הנסיעות של 2029 ושל 2031", "compare", ["2029-p", "2031-p"]),
        ("סכם את הנוהל של 2031", "summarize", ["2031-p"]),
        ("השווה בין מדיניות הנסיעות של 2030 ושל 2031", "compare", []),
        ("השווה את הנוהל ואת החוזה של 2031", "compare", []),
        ("השווה בין שני נהלי הנסיעות", "compare", ["2029-p", "2031-p"]),
        ("compare both travel procedures", "compare", ["2029-p", "2031-p"]),
        ("compare the two travel procedures", "compare", ["2029-p", "2031-p"]),
        ("השווה בין שלושת נהלי הנסיעות", "compare", []),
    ],
)
def test_a_report_is_known_by_whose_it_is_its_period_and_kind(text: str, action: Action, ids: list[str]) -> None:
    found = by_subject(Reference(text, action, LISTED), KNOWN)
    assert sorted(found.document_ids) == ids
    assert not found.ambiguous


def test_several_that_fit_an_order_for_one_are_offered() -> None:
    found = by_subject(Reference("סכם את הדוח השנתי של Nordvik", "summarize", LISTED), KNOWN)
    assert not found.resolved
    (asked,) = found.ambiguous
    assert {each.id for each in asked.candidates} == {"nordvik2029-a", "nordvik2031-a"}
