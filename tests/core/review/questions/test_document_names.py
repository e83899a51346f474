from __future__ import annotations

from core.library.records import CoveredPeriod, Document, Metadata, Organisation
from core.review.questions.document_names import document_names
from core.review.questions.neighbours import same_elsewhere


def document(identifier: str, title: str, filename: str = "1a2b3c4d.pdf", **given: object) -> Document:
    return Document(
        id=identifier, user_id="ada", filename=filename, mime="application/pdf", size=1, sha256="0" * 64,
        metadata=Metadata(title=title, **given), added_at=0.0, updated_at=0.0, chunks=1, searchable=1,
    )  # fmt: skip


AGENCY = [Organisation(name="National Agency for the Safety of Pumps")]
LIBRARY = [
    document("a", "National Agency for the Safety of Pumps Final Report (PU01)", organisations=AGENCY),
    document("b", "National Agency for the Safety of Pumps Final Report (PU02)", organisations=AGENCY),
    document("c", "Mutual Nondisclosure Agreement between Hill Farm Inc. and Nordvik Ltd. of 2031"),
    document("d", "Minutes", "8f7e.pdf"),
    document("e", "Minutes", "board meeting 2031.pdf"),
    document(
        "f", "Form 10-K", kind="annual report", organisations=[Organisation(name="Hill Farm")],
        periods=[CoveredPeriod(key="2031")],
    ),
]  # fmt: skip


def test_each_name_means_one_document_and_is_one_that_people_say() -> None:
    assert document_names(LIBRARY, "en") == {
        "a": "“National Agency for the Safety of Pumps Final Report (PU01)”",
        "b": "“National Agency for the Safety of Pumps Final Report (PU02)”",
        "c": "“Mutual Nondisclosure Agreement”",
        "e": "“board meeting 2031”",
        "f": "Hill Farm's FY2031 annual report",
    }


def test_a_question_is_put_to_documents_with_similar_titles() -> None:
    policies = [document("x", "Travel policy 2031"), document("y", "Travel policy 2030"), document("z", "Fire drill")]
    names = document_names(policies, "en")
    found = list(same_elsewhere("What is the limit in the Travel policy 2031?", policies[0], policies, names))
    assert [(each.text, each.document_id) for each in found] == [
        ("What is the limit in the “Travel policy 2030”?", "y")
    ]
    assert list(same_elsewhere("What is the limit?", policies[0], policies, names)) == []
