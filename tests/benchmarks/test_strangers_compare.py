from __future__ import annotations

from benchmarks.strangers_compare import Judged, Pair, Quotations, Row, Text, holds

PAIR = Pair(
    id="mills",
    language="en",
    first=Text(title="one", text=""),
    second=Text(title="two", text=""),
    same=[Quotations(first="guests bring their own boots", second="boots are brought by guests")],
    differing=[Quotations(first="the fee is 30 dollars", second="the fee is 45 dollars")],
    only_first=["every boat carries two anchors"],
)


def judged(*rows: Row) -> Judged:
    return Judged(0, PAIR, list(rows))


def test_a_row_finds_a_pair_of_its_kind() -> None:
    row = Row("differs", "On Sundays the fee is 30 dollars.", "The fee is 45 dollars a head.")
    assert judged(row).found == [False, True]
    assert judged(row).false == []


def test_the_other_kind_and_another_sentence_are_false() -> None:
    kind = Row("same", "the fee is 30 dollars", "the fee is 45 dollars")
    beside = Row("differs", "the fee is 30 dollars", "boots are brought by guests")
    assert judged(kind, beside).false == [kind, beside]
    assert judged(kind, beside).found == [False, False]


def test_what_is_alone_may_not_stand_beside_anything() -> None:
    paired = Row("same", "every boat carries two anchors", "ropes are red")
    alone = Row("alone", "every boat carries two anchors", "")
    assert judged(paired, alone).false == [paired]
    assert judged(alone).alone == [True]
    assert judged(Row("alone", "the fee is 30 dollars", "")).false


def test_rows_outside_gold_are_told() -> None:
    row = Row("same", "ropes are red", "ropes are crimson")
    assert judged(row).outside == [row]


def test_most_words_in_order_hold_a_quotation() -> None:
    assert holds("Beside that, the fee is 30 dollars a day", "the fee is 30 dollars per visitor")
    assert not holds("30 dollars is the fee", "the fee that guests pay is 30")
