from __future__ import annotations

from core.events import Quote
from viz.answer import shown


def quotes(*texts: str) -> list[Quote]:
    return [Quote(number=1, item_id="mem", text=text) for text in texts]


def test_a_table_row_is_drawn_under_its_headings() -> None:
    drawn = shown(quotes("Subject | 2024 | 2025", "Lodging | 620 | 560", "A sentence.", "Lodging | 1 | 2"))
    assert [(each.headings, each.cells) for each in drawn] == [
        (["Subject", "2024", "2025"], ["Lodging", "620", "560"]),
        ([], []),
        ([], ["Lodging", "1", "2"]),
    ]
    assert drawn[0].quote.text == "Lodging | 620 | 560"


def test_rows_of_other_widths_are_not_joined() -> None:
    assert [each.headings for each in shown(quotes("a | b", "1 | 2 | 3"))] == [[], []]
