from __future__ import annotations

from core.library.identity.names import display_name, names_of, period_keys, words_of
from core.library.records import CoveredPeriod, Document, Metadata, Organisation


def document(title: str = "Loss of a supplier") -> Document:
    metadata = Metadata(
        title=title,
        kind="memo",
        organisations=[Organisation(name="Acme Ltd.", aliases=["Acme", "ACM"])],
        periods=[CoveredPeriod(key="2023-Q2", names=["2023-Q2", "fiscal 2023"])],
    )
    return Document(
        _id="doc_1", user_id="ada", filename="Supplier_Note.pdf", mime="", size=1, sha256="", metadata=metadata,
        added_at=0, updated_at=0,
    )  # fmt: skip


def test_a_document_is_found_by_every_name_it_has() -> None:
    assert {"loss of a supplier", "supplier note", "acme ltd.", "acme", "acm"} <= names_of(document())
    assert period_keys(document()) == {"2023-Q2", "2023"}
    assert "memo" in words_of(document())


def test_the_prefix_says_what_the_title_does_not() -> None:
    assert display_name(document().metadata) == "Loss of a supplier (Acme, 2023-Q2)"
    assert display_name(document("Acme in Q2 2023").metadata) == "Acme in Q2 2023"
    long = display_name(document("Word " * 60).metadata)
    assert len(long) <= 110
    assert long.endswith("(Acme, 2023-Q2)")
