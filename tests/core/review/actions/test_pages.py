"""Tests the pages in front of citations."""

from __future__ import annotations

import pytest

from core.events import Passage, Source
from core.review.actions.pages import on_cited_pages, with_checked_pages
from core.review.claims import claims


def source(number: int = 1) -> Source:
    passages = [Passage(item_id=f"p{page}", text=f"Text of page {page}.", page=page) for page in (4, 7, 9)]
    return Source(number=number, document_id="d", title="Report", filename="r.pdf", score=1.0, passages=passages)


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("It grew [1, p. 4].", "It grew (p. 4) [1]."),
        ("It grew (p. 4) [1].", "It grew (p. 4) [1]."),
        ("It grew (pp. 4, 7) [1].", "It grew (p. 4) (p. 7) [1]."),
        ("It grew [p. 7].", "It grew (p. 7) [1]."),
        ("It grew (p. 99) [1].", "It grew [1]."),
        ("It grew. (p. 4) [1]", "It grew. (p. 4) [1]"),
    ],
)
def test_pages_of_a_model_are_written_in_one_way_and_invented_ones_are_removed(written: str, shown: str) -> None:
    assert with_checked_pages(written, [source()], "en") == shown


def test_a_cited_page_narrows_its_document_only() -> None:
    one, two = on_cited_pages([source(), source(2)], "It grew (p. 7) [1], and fell [2].", {"p9"})
    assert [each.page for each in one.passages] == [7, 9]
    assert len(two.passages) == 3


def test_pages_and_column_headings_are_not_claims() -> None:
    text = "| Figure | Report [1] |\n| --- | --- |\n| Sales | 21 million (p. 4) [1] |\n\n*Not read: pages 30 to 44.*"
    assert [each.text for each in claims(text)] == ["21 million"]
