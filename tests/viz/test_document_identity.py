from __future__ import annotations

from core.library.records import CoveredPeriod, Document, Metadata, Organisation
from core.library.structure.records import Outline
from viz.document import detail
from viz.document_identity import KINDS, fields, kind_name

METADATA = Metadata(
    title='A "quoted" <b>title</b>',
    kind="annual report",
    organisations=[Organisation(name="Acme Ltd.")],
    periods=[CoveredPeriod(key="2023-Q2", names=["2023-Q2"]), CoveredPeriod(key="2022", names=["2022", "fiscal 2022"])],
    corrected=["kind"],
)


def test_each_field_begins_with_what_a_person_would_write() -> None:
    found = {field.name: field for field in fields(METADATA, "en")}
    assert found["periods"].value == "Q2 2023; fiscal 2022"
    assert (found["kind"].shown, found["kind"].theirs) == ("Annual report", True)
    assert found["date"].shown == ""
    assert not found["title"].theirs


def test_every_kind_has_a_name_in_both_languages() -> None:
    for kind in KINDS:
        assert kind_name(kind, "en") != kind_name(kind, "he")


def test_what_documents_say_is_escaped_in_their_editors() -> None:
    document = Document(
        _id="doc_1", user_id="ada", filename="a.pdf", mime="", size=1, sha256="", metadata=METADATA, added_at=0,
        updated_at=0,
    )  # fmt: skip
    html = str(detail(document, [], Outline(), "en"))
    assert "<b>" not in html
    assert 'data-field="kind"' in html
    assert "&#34;quoted&#34;" in html
    assert "set by you" in html
