from __future__ import annotations

from core.library.records import Document, Metadata
from core.library.tables.records import Cell, Column, Row, Table
from core.review.questions.document_questions import DocumentContent, document_questions
from core.store.items import Book, ItemSource, MemoryItem, Place, Timestamps

TEXT = """## Oil change

Oil is changed twice a year.

## Data

Oil type: Mineral oil
Removing the lid: 12
The weekly limit for oil is 3 litres.
"""
LIMITS = Table(
    stub="Place",
    columns=[Column(header=["Limit"])],
    rows=[Row(label="Haifa", cells=[Cell(text="30 litres", kind="text")]), Row(label="x", cells=[Cell(text="None")])],
)


def passage(text: str, table: int | None = None) -> MemoryItem:
    book = Book(book_id="doc", title="Pump manual", filename="p.md", chunk_index=0, table=table)
    return MemoryItem(
        _id="mem_1", user_id="ada", tier="books", text=text, source=ItemSource(type="document", book=book),
        timestamps=Timestamps(created_at=0, updated_at=0), place=Place(episode="doc", order=0),
    )  # fmt: skip


def test_labels_sentences_cells_and_headings_are_asked_about_in_turn_with_what_answers_them() -> None:
    manual = Document(
        id="doc", user_id="ada", filename="p.md", mime="text/markdown", size=1, sha256="0" * 64,
        metadata=Metadata(title="Pump manual"), added_at=0.0, updated_at=0.0,
    )  # fmt: skip
    content = DocumentContent(manual, [LIMITS], [passage(TEXT), passage("Place | Limit\nHaifa | 30 litres", 0)])
    assert [(each.text, each.expected) for each in document_questions(content, "“Pump manual”", "en")] == [
        ("What is the weekly limit for oil according to “Pump manual”?", "The weekly limit for oil is 3 litres."),
        ("What is the oil type according to “Pump manual”?", "Mineral oil"),
        ("What is the limit for Haifa according to “Pump manual”?", "30 litres"),
        ("What does “Pump manual” say about oil change?", "Oil is changed twice a year."),
    ]
