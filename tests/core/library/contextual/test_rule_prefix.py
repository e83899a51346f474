from __future__ import annotations

import pytest

from core.library.contextual.rule_prefix import MOST_PREFIX, prefix
from core.store.items import Book, ItemSource, MemoryItem, Timestamps


@pytest.mark.parametrize(
    ("section", "expected"),
    [
        (None, "Book: Lease."),
        ([], "Book: Lease."),
        ("2. Rent", "Book: Lease, Section: 2. Rent."),
        (["2. Rent", "2.1 Amount"], "Book: Lease, Section: 2. Rent > 2.1 Amount."),
    ],
)
def test_the_prefix_names_document_and_path(section: str | list[str] | None, expected: str) -> None:
    assert prefix("Lease", section) == expected


def test_a_long_path_loses_its_outer_end_first() -> None:
    made = prefix("Annual report", ["Part " + "x" * MOST_PREFIX, "Item 7", "Liquidity"])
    assert made == "Book: Annual report, Section: Item 7 > Liquidity."
    for title, path in (("t" * 500, ["p" * 500, "q" * 500]), ("t" * 500, []), ("t", ["q" * 500])):
        assert len(prefix(title, path)) <= MOST_PREFIX


def test_words_find_a_passage_by_all_titles_above_it() -> None:
    book = Book(book_id="b", title="t", filename="f", chunk_index=0, section="Liquidity", path=["Item 7", "Liquidity"])
    item = MemoryItem(
        _id="m",
        user_id="u",
        tier="books",
        text="We hold cash.",
        source=ItemSource(type="document", book=book),
        timestamps=Timestamps(created_at=0.0, updated_at=0.0),
    )
    assert item.searched_text == "Item 7\nLiquidity\nWe hold cash."
    older = item.source.model_copy(update={"book": book.model_copy(update={"path": []})})
    assert item.model_copy(update={"source": older}).searched_text == "Liquidity\nWe hold cash."
