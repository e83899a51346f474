"""Passages of an invented book, for tests of information extraction."""

from __future__ import annotations

from core.store.items import Book, ContentType, ItemSource, MemoryItem, Place, SectionRole, Timestamps

WATER = (
    "A reservoir should be filled before the first of November. The mill used 480 cubic metres of water in 2021, "
    "said the circle's “Winter Notes”, which were\nprinted in Ardal."
)
TOOLS = "When two gauges differ, the keeper must trust the older one. The workshop bought 12 new gauges."
HEBREW = "יש למלא את המאגר לפני אחד בנובמבר. הטחנה השתמשה בכמות של 480 מטרים מעוקבים של מים."


def passage(
    number: int,
    text: str,
    *,
    role: SectionRole = "body",
    content_type: ContentType = "paragraph",
    table: int | None = None,
    tokens: int = 0,
    path: tuple[str, ...] = ("Water",),
) -> MemoryItem:
    book = Book(
        book_id="doc", title="Handbook", filename="h.md", chunk_index=number, role=role, content_type=content_type,
        table=table, token_count=tokens, path=list(path), page=number + 1,
    )  # fmt: skip
    return MemoryItem(
        _id=f"mem_{number}",
        user_id="ada",
        tier="books",
        text=text,
        source=ItemSource(type="document", chunk_id=f"mem_{number}", book=book),
        timestamps=Timestamps(created_at=0, updated_at=0),
        place=Place(episode="doc", order=number),
    )


PASSAGES = [passage(0, WATER), passage(1, TOOLS), passage(2, HEBREW)]
