from __future__ import annotations

from core.events import Passage, Quote, Source
from core.records.answer import CellReference
from viz.quotes import aside, leading_and_folded, passage_labels, quote_groups, shown


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
    assert [each.headings for each in shown(quotes("a | b", "1 | 2 | 3 | 4"))] == [[], []]


STATEMENT = """Cash flows (Millions)
2018 | 2017 | 2016
Operating activities
Net cash provided | $6,439 | $6,240 | $6,662
Purchases of equipment | (1,577) | (1,373) | (1,420)
Share of sales | 91% | 100%"""


def test_a_row_has_the_years_of_its_passage_over_its_figures() -> None:
    rows = quotes(
        "Net cash provided | $6,439 | $6,240 | $6,662", "Purchases of equipment | (1,577) | (1,373) | (1,420)"
    )
    assert [(each.headings, each.cells[0]) for each in shown(rows, {"mem": STATEMENT})] == [
        (["", "2018", "2017", "2016"], "Net cash provided"),
        (["", "2018", "2017", "2016"], "Purchases of equipment"),
    ]


def test_headings_that_were_quoted_and_lack_the_first_are_not_drawn_twice() -> None:
    rows = quotes("2018 | 2017 | 2016", "Net cash provided | $6,439 | $6,240 | $6,662")
    assert [each.headings for each in shown(rows, {"mem": STATEMENT})] == [["", "2018", "2017", "2016"]]


FEES = """Subject | Version 3 (2024) | Version 4 (2025)
Locker, per month | ILS 45 | ILS 38"""


def test_headings_that_are_quoted_after_their_row_stay_over_it() -> None:
    rows = quotes("Locker, per month | ILS 45 | ILS 38", "Subject | Version 3 (2024) | Version 4 (2025)")
    (drawn,) = shown(rows, {"mem": FEES})
    assert drawn.cells == ["Locker, per month", "ILS 45", "ILS 38"]
    assert drawn.headings == ["Subject", "Version 3 (2024)", "Version 4 (2025)"]


def test_a_row_of_another_width_gets_no_headings_that_may_be_wrong() -> None:
    assert [each.headings for each in shown(quotes("Share of sales | 91%"), {"mem": STATEMENT})] == [[]]


ANNOUNCED = """Shops open at the end of the year were as follows:
Shops open at the end of the year
Kind | 2025 | 2024
Bakeries | 12 | 11

Prices rose: slowly."""


def test_a_quote_that_announces_a_table_brings_it() -> None:
    (drawn,) = shown(quotes("Shops open at the end of the year were as follows:"), {"mem": ANNOUNCED})
    assert [[str(cell.html) for cell in row] for row in drawn.announced] == [
        ["Kind", "2025", "2024"],
        ["Bakeries", "12", "11"],
    ]


def test_a_table_whose_row_is_quoted_too_is_not_drawn_twice() -> None:
    drawn = shown(
        quotes("Shops open at the end of the year were as follows:", "Bakeries | 12 | 11"), {"mem": ANNOUNCED}
    )
    assert [len(each.announced) for each in drawn] == [0, 0]


def test_a_sentence_that_announces_nothing_brings_nothing() -> None:
    assert [each.announced for each in shown(quotes("Shops open at the end of the year"), {"mem": ANNOUNCED})] == [()]


WIDE = "Net cash provided | $6,439 | $6,240 | $6,662 | $5,100"


def cell(text: str, header: str = "") -> CellReference:
    return CellReference(number=1, document_id="doc", item_id="mem", text=text, header=header)


def test_of_a_wide_row_the_asked_columns_come_first() -> None:
    (row,) = shown(quotes(WIDE))
    assert aside(row, [cell("$6,240")]) == {1, 3, 4}


def test_nothing_is_put_aside_where_no_column_was_asked_or_few_are_there() -> None:
    (row,) = shown(quotes(WIDE))
    assert aside(row, []) == aside(row, [cell("1")]) == frozenset()
    (narrow,) = shown(quotes("Net cash | 1 | 2"))
    assert aside(narrow, [cell("1")]) == frozenset()


def test_three_years_are_put_aside_on_a_narrow_screen_alone() -> None:
    (three,), (four,) = shown(quotes("Net cash | 1 | 2 | 3")), shown(quotes("Net cash | 1 | 2 | 3 | 4"))
    assert aside(three, [cell("1")]) == {2, 3}
    assert [three.is_wide, four.is_wide] == [False, True]


def test_a_passage_that_is_quoted_with_another_of_its_source_has_a_letter() -> None:
    passages = [Passage(item_id=item, text="x") for item in ("a", "b")]
    source = Source(number=1, document_id="d", title="t", filename="f", score=1, passages=passages)
    both = [Quote(number=1, item_id=item, text="x") for item in ("a", "b")]
    ((_, group),) = quote_groups(both, [source])
    assert [each.label for each in group] == ["1a", "1b"]


def numbered(number: int, item: str) -> Quote:
    return Quote(number=number, item_id=item, text="x")


def test_a_source_keeps_its_number_and_its_passages_get_letters_in_the_order_of_quoting() -> None:
    quotes = [numbered(2, "b"), numbered(1, "a"), numbered(2, "c"), numbered(2, "b")]
    assert passage_labels(quotes) == {"b": "2a", "c": "2b", "a": "1"}


def test_there_are_letters_for_many_passages() -> None:
    labels = passage_labels([numbered(1, str(place)) for place in range(28)])
    assert [labels[str(place)] for place in (0, 25, 26, 27)] == ["1a", "1z", "1aa", "1ab"]


SHEET = "Invoice | Vendor | Paid | Note\nA-1 |  | 300 | late\nA-2 | Mill | 450"


def test_a_row_of_a_sheet_whose_last_cells_are_empty_has_its_headings() -> None:
    (drawn,) = shown(quotes("A-2 | Mill | 450"), {"mem": SHEET})
    assert (drawn.headings, drawn.cells) == (["Invoice", "Vendor", "Paid", "Note"], ["A-2", "Mill", "450", ""])
    without_empty = SHEET.replace("A-1 |  | 300", "A-1 | Inn | 300")
    assert [each.headings for each in shown(quotes("A-2 | Mill | 450"), {"mem": without_empty})] == [[]]


def test_only_the_first_three_closest_matches_are_open() -> None:
    sources = [Source(number=n, document_id=str(n), title="T", filename="f", score=1.0, passages=[]) for n in (1, 2)]
    given = [Quote(number=n, item_id=f"p{n}", text=f"Sentence {n}{m}.") for n, m in ((1, 1), (1, 2), (2, 1), (2, 2))]
    first, folded = leading_and_folded(quote_groups(given, sources))
    assert [each.quote.text for _, group in first for each in group] == [quote.text for quote in given[:3]]
    assert [(source.number, [each.quote.text for each in group]) for source, group in folded] == [(2, ["Sentence 22."])]


LIMITS = """Expense | Limit | Conditions
Lodging | 620 | Breakfast included
Hospitality | 180 a person | With wine
Note: guests only.
Parking | free | Everywhere"""


def test_a_row_of_words_has_the_headings_of_the_row_above_it_in_the_same_table() -> None:
    rows = quotes("Lodging | 620 | Breakfast included", "Hospitality | 180 a person | With wine")
    heads = ["Expense", "Limit", "Conditions"]
    assert [each.headings for each in shown(rows, {"mem": LIMITS})] == [heads, heads]
    apart = quotes("Lodging | 620 | Breakfast included", "Parking | free | Everywhere")
    assert [each.headings for each in shown(apart, {"mem": LIMITS})] == [heads, []]
