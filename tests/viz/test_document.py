from __future__ import annotations

from core.library.structure.records import Outline, Section
from core.store.items import Book, ItemSource, MemoryItem, Timestamps
from viz.document import places


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
