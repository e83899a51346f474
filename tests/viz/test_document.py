from __future__ import annotations

from core.library.records import CoveredPeriod, Document, Metadata, Organisation
from core.library.structure.records import Outline, Section
from core.store.items import Book, ItemSource, MemoryItem, Timestamps
from viz.document import KINDS, detail, fields, kind_name, places


def passage(number: int, start: int, end: int) -> MemoryItem:
    book = Book(book_id="b", title="t", filename="f", chunk_index=number, start=start, end=end)
    return MemoryItem(
        _id=f"mem_{number}",
        user_id="u",
        tier="books",
        text="x",
        source=ItemSource(type="document", book=book),
        timestamps=Timestamps(created_at=0.0, updated_at=0.0),
    )


def test_a_line_of_the_outline_leads_to_the_passage_in_which_its_section_begins() -> None:
    outline = Outline(
        sections=[
            Section(title="A", level=1, path=["A"], page=1, start=0, end=90),
            Section(title="B", level=2, path=["A", "B"], page=2, start=40, end=90, role="exhibits"),
        ],
        page_labels=["iv", None],
    )
    first, second = places(outline, [passage(0, 0, 38), passage(1, 40, 90)])
    assert (first.item, first.depth, first.label) == ("mem_0", 0, "iv")
    assert (second.item, second.depth, second.label, second.role) == ("mem_1", 1, "2", "exhibits")


def test_without_passages_there_is_still_an_outline() -> None:
    [line] = places(Outline(sections=[Section(title="A", level=1, path=["A"])]), [])
    assert (line.title, line.item, line.label) == ("A", None, None)


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
    assert "edited by you" in html
